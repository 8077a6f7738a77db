// A folder as one file: a ZIP archive whose entries are stored as they are, made of the files themselves, so that none of
// them is ever held in memory. Source: PKWARE's APPNOTE, 4.3.

const limit = {entries: 65534, bytes: 0xffffffff};
const utf8 = 1 << 11;
const sizes = {local: 30, central: 46, end: 22};

const table = new Uint32Array(256).map((_, place) => {
    let value = place;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value >>> 0;
});

async function checksum(file) {
    let value = 0xffffffff;
    for (let at = 0; at < file.size; at += 4 << 20) {
        const bytes = new Uint8Array(await file.slice(at, at + (4 << 20)).arrayBuffer());
        for (const byte of bytes) value = table[(value ^ byte) & 255] ^ (value >>> 8);
    }
    return (value ^ 0xffffffff) >>> 0;
}

/// Little-endian numbers: [[bytes, value], …].
function numbers(size, fields) {
    const view = new DataView(new ArrayBuffer(size));
    let at = 0;
    for (const [bytes, value] of fields) {
        if (bytes === 2) view.setUint16(at, value, true);
        else view.setUint32(at, value, true);
        at += bytes;
    }
    return new Uint8Array(view.buffer);
}

/// MS-DOS's time and date; 1980 is its first year.
function stamp(milliseconds) {
    const date = new Date(milliseconds || 0);
    if (date.getFullYear() < 1980) return [0, 0x21];
    return [
        date.getHours() << 11 | date.getMinutes() << 5 | date.getSeconds() >> 1,
        (date.getFullYear() - 1980) << 9 | (date.getMonth() + 1) << 5 | date.getDate(),
    ];
}

/// One archive of files with their paths in it: [{path, file}, …].
///
/// `progress` gets the share of the bytes that were read.
export async function zip(entries, name, progress = () => {}) {
    const total = entries.reduce((sum, {file}) => sum + file.size, 0);
    if (entries.length > limit.entries) throw new Error(`A folder may have ${limit.entries} files; this has ${entries.length}.`);
    if (total > limit.bytes - entries.length * 1024) throw new Error("A folder may have 4 GB; pack this one yourself.");
    const [parts, directory] = [[], []];
    let [at, read] = [0, 0];
    for (const {path, file} of entries) {
        const title = new TextEncoder().encode(path);
        if (title.length > 900) throw new Error(`The path ${path.slice(0, 60)}… is too long.`);
        const [clock, day] = stamp(file.lastModified);
        const described = [
            [2, 20], [2, utf8], [2, 0], [2, clock], [2, day], [4, await checksum(file)], [4, file.size], [4, file.size],
            [2, title.length], [2, 0],
        ];
        parts.push(numbers(sizes.local, [[4, 0x04034b50], ...described]), title, file);
        directory.push(numbers(sizes.central, [
            [4, 0x02014b50], [2, 20], ...described, [2, 0], [2, 0], [2, 0], [4, 0], [4, at],
        ]), title);
        at += sizes.local + title.length + file.size;
        read += file.size;
        progress(total ? read / total : 1);
    }
    const length = directory.reduce((sum, part) => sum + part.length, 0);
    const end = numbers(sizes.end, [
        [4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length], [4, length], [4, at], [2, 0],
    ]);
    return new File([...parts, ...directory, end], name, {type: "application/zip"});
}

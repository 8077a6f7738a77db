import DaeImages
import TestSupport

/// The pixels of a PNG, read back by a reader that shares nothing with the writer.
struct Picture: Equatable {
    let width: Int
    let height: Int
    let channels: Int
    var bytes: [UInt8]

    struct Broken: Error {
        let why: String
    }

    init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.channels = channels
        self.bytes = bytes
    }

    /// A PNG of 8 bits a channel that is not interlaced.
    init(png file: [UInt8]) throws {
        guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw Broken(why: "signature")
        }
        var (place, header, packed): (Int, [UInt8], [UInt8]) = (8, [], [])
        var names: [String] = []
        while place < file.count {
            let count = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            let named = Array(file[(place + 4)..<(place + 8 + count)])
            let sum = file[(place + 8 + count)..<(place + 12 + count)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard CRC32.of(named) == sum else { throw Broken(why: "checksum") }
            names.append(String(decoding: named.prefix(4), as: UTF8.self))
            switch names.last {
            case "IHDR": header = Array(named.dropFirst(4))
            case "IDAT": packed += named.dropFirst(4)
            case _: break
            }
            place += 12 + count
        }
        guard names.first == "IHDR", names.last == "IEND", header.count == 13, header[8] == 8, header[12] == 0,
            let channels = [0: 1, 4: 2, 2: 3, 6: 4][header[9]]
        else { throw Broken(why: "chunks \(names)") }
        width = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = header[4..<8].reduce(0) { $0 << 8 | Int($1) }
        self.channels = channels
        bytes = try Self.unfiltered(Inflater.zlib(packed), row: width * channels, pixel: channels, height: height)
    }

    private static func unfiltered(_ lines: [UInt8], row: Int, pixel: Int, height: Int) throws -> [UInt8] {
        guard lines.count == (row + 1) * height else { throw Broken(why: "\(lines.count) bytes of pixels") }
        var out = [UInt8](repeating: 0, count: row * height)
        for y in 0..<height {
            let kind = lines[y * (row + 1)]
            for x in 0..<row {
                let left = x >= pixel ? Int(out[y * row + x - pixel]) : 0
                let above = y > 0 ? Int(out[(y - 1) * row + x]) : 0
                let corner = x >= pixel && y > 0 ? Int(out[(y - 1) * row + x - pixel]) : 0
                let guess: Int
                switch kind {
                case 0: guess = 0
                case 1: guess = left
                case 2: guess = above
                case 4:
                    let near = left + above - corner
                    let distances = [abs(near - left), abs(near - above), abs(near - corner)]
                    guess = [left, above, corner][distances.firstIndex(of: distances.min() ?? 0) ?? 0]
                case _: throw Broken(why: "filter \(kind)")
                }
                out[y * row + x] = lines[y * (row + 1) + 1 + x] &+ UInt8(truncatingIfNeeded: guess)
            }
        }
        return out
    }

    /// The values of one pixel.
    subscript(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * width + x) * channels
        return Array(bytes[start..<(start + channels)])
    }

    var withoutAlpha: Picture {
        guard channels == 4 else { return self }
        let kept = bytes.indices.filter { $0 % 4 < 3 }.map { bytes[$0] }
        return Picture(width: width, height: height, channels: 3, bytes: kept)
    }

    /// Red, green, blue and alpha of all pixels, whatever the channels.
    var colours: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(width * height * 4)
        for start in stride(from: 0, to: bytes.count, by: channels) {
            let grey = channels < 3
            for channel in 0..<3 { out.append(bytes[start + (grey ? 0 : channel)]) }
            out.append(channels == 2 || channels == 4 ? bytes[start + channels - 1] : 255)
        }
        return out
    }
}

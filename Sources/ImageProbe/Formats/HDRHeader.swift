// Radiance's picture format: lines of text, an empty one, then the resolution (Ward 1994, "The RADIANCE lighting
// simulation and rendering system"; the eight orders of its axes are all allowed).

enum HDRHeader: ImageHeaderFormat {
    static let format = ImageFormat.hdr
    /// Headers are a few hundred bytes long; one that is longer is refused.
    private static let longest = 8192

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        let newline = UInt8(ascii: "\n")
        // Only at a line's end can there be news: the header is not searched again for every byte.
        guard bytes.bytes.last == newline else { return bytes.count < longest ? nil : invalid(.noHeader) }
        guard let empty = emptyLine(in: bytes.bytes) else { return bytes.count < longest ? nil : invalid(.noHeader) }
        let rest = bytes.bytes[empty...]
        guard let end = rest.firstIndex(of: newline) else { return nil }
        let words = rest[..<end].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 4, let first = Int(words[1]), let second = Int(words[3]) else {
            return invalid(.brokenStructure)
        }
        switch (words[0].last, words[2].last) {
        case ("Y", "X"): return image(width: second, height: first, channels: 3, bitDepth: 32)
        case ("X", "Y"): return image(width: first, height: second, channels: 3, bitDepth: 32)
        case (_, _): return invalid(.brokenStructure)
        }
    }

    /// Where the line behind the empty one begins.
    private static func emptyLine(in bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast().first { bytes[$0] == UInt8(ascii: "\n") && bytes[$0 + 1] == UInt8(ascii: "\n") }
            .map { $0 + 2 }
    }
}

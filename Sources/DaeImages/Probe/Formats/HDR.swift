// Radiance's picture format: lines of text, an empty one, then the resolution (Ward 1994, "The RADIANCE lighting
// simulation and rendering system"; the eight orders of its axes are all allowed).

enum HDRHeader: ImageHeaderFormat {
    static let format = ImageFormat.hdr
    /// Headers are a few hundred bytes long; one that is longer is refused.
    static let longest = 8192

    static func read(_ bytes: HeaderBytes) -> ImageProbeResult? {
        let newline = UInt8(ascii: "\n")
        // Only at a line's end can there be news: the header is not searched again for every byte.
        guard bytes.bytes.last == newline else { return bytes.count < longest ? nil : invalid(.noHeader) }
        guard let words = resolution(bytes.bytes) else { return bytes.count < longest ? nil : invalid(.noHeader) }
        guard let shape = Shape(words) else { return invalid(.brokenStructure) }
        return image(width: shape.width, height: shape.height, channels: 3, bitDepth: 32)
    }

    /// How the pixels stand in the file.
    struct Shape {
        let rows: Int
        /// Pixels of a row.
        let length: Int
        private let isUpright: Bool

        var width: Int { isUpright ? length : rows }
        var height: Int { isUpright ? rows : length }

        fileprivate init?(_ words: [String]) {
            guard words.count == 4, let rows = Int(words[1]), let length = Int(words[3]) else { return nil }
            switch (words[0].last, words[2].last) {
            case ("Y", "X"): isUpright = true
            case ("X", "Y"): isUpright = false
            case (_, _): return nil
            }
            (self.rows, self.length) = (rows, length)
        }
    }

    /// - Parameter bytes: A file's beginning, to a line's end; `nil` unless this is the whole header.
    static func shape(_ bytes: [UInt8]) -> Shape? { resolution(bytes).flatMap(Shape.init) }

    /// The words of the line behind the empty one.
    private static func resolution(_ bytes: [UInt8]) -> [String]? {
        guard let start = emptyLine(in: bytes) else { return nil }
        let rest = bytes[start...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return rest[..<end].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Where the line behind the empty one begins.
    private static func emptyLine(in bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast().first { bytes[$0] == UInt8(ascii: "\n") && bytes[$0 + 1] == UInt8(ascii: "\n") }
            .map { $0 + 2 }
    }
}

// Row by row: packed in four parts of runs, or pixel by pixel, of which one of three ones repeats the last (Ward 1991,
// "Real pixels", and the form of the later RADIANCE, which begins each row with 2, 2 and its length).

enum HDREnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        var header: [UInt8] = []
        // The probe saw the header's end within this.
        while header.count <= HDRHeader.longest {
            header.append(try file.byte())
            guard header.last == UInt8(ascii: "\n"), let shape = HDRHeader.shape(header) else { continue }
            guard shape.rows > 0, shape.length > 0 else { throw .undecided }
            for _ in 0..<shape.rows { try skipRow(of: shape.length, &file) }
            return
        }
        throw .undecided
    }

    private static func skipRow(of length: Int, _ file: inout ImageFileBytes) throws(ImageFileStop) {
        let head = try file.bytes(4)
        if (8...0x7FFF).contains(length), head.starts(with: [2, 2]), head[2] & 0x80 == 0 {
            guard Int(head[2]) << 8 | Int(head[3]) == length else { throw .undecided }
            for _ in 0..<4 { try skipPart(of: length, &file) }
        } else {
            try skipPixels(of: length, first: head, &file)
        }
    }

    private static func skipPart(of length: Int, _ file: inout ImageFileBytes) throws(ImageFileStop) {
        var left = length
        while left > 0 {
            let count = Int(try file.byte())
            let isRun = count > 128
            left -= isRun ? count - 128 : count
            guard count > 0, left >= 0 else { throw .undecided }
            try file.skip(isRun ? 1 : Int64(count))
        }
    }

    private static func skipPixels(
        of length: Int, first: [UInt8], _ file: inout ImageFileBytes
    ) throws(ImageFileStop) {
        var left = length
        var pixel = first
        var shift = 0
        while true {
            if pixel.starts(with: [1, 1, 1]) {
                // Each further one behind it counts 256 times as much.
                left -= shift < 32 ? Int(pixel[3]) << shift : 0
                shift += 8
            } else {
                left -= 1
                shift = 0
            }
            if left <= 0 { return }
            pixel = try file.bytes(4)
        }
    }
}

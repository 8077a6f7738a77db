// Radiance's picture format: lines of text, an empty one, then the resolution (Ward 1994, "The RADIANCE lighting
// simulation and rendering system"; the eight orders of its axes are all allowed).

/// The resolution of a Radiance picture.
struct HDRHeader: ImageHeaderReader, ImageEndFinder {
    static let format = ImageFormat.hdr
    /// Headers are a few hundred bytes long; one that is longer is refused.
    private static let longest = 8192

    private let rows: Int
    /// Pixels of a row.
    private let length: Int
    private let isUpright: Bool

    /// `nil` where the words of the line behind the empty one are no resolution.
    private init?(_ words: [String]) {
        guard words.count == 4, let rows = Int(words[1]), let length = Int(words[3]) else { return nil }
        switch (words[0].last, words[2].last) {
        case ("Y", "X"): isUpright = true
        case ("X", "Y"): isUpright = false
        case (_, _): return nil
        }
        (self.rows, self.length) = (rows, length)
    }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        // The bytes that the signature is looked for in are there in any case.
        guard let words = try resolution(&file, from: ImageFormat.signatureLength) else { return invalid(.noHeader) }
        guard let header = HDRHeader(words) else { return invalid(.brokenStructure) }
        let (rows, length) = (header.rows, header.length)
        return image(
            width: header.isUpright ? length : rows, height: header.isUpright ? rows : length, channels: 3,
            bitDepth: 32)
    }

    /// The words of the line behind the empty one; `nil` where the header is too long.
    ///
    /// - Parameter least: Bytes that are read before the first is looked at.
    private static func resolution(_ file: inout ImageReader, from least: Int) throws(ImageFault) -> [String]? {
        let newline = UInt8(ascii: "\n")
        var header = try file.bytes(least)
        while true {
            // Only at a line's end can there be news: the header is not searched again for every byte.
            if header.last == newline,
                let empty = header.indices.dropLast().first(where: {
                    header[$0] == newline && header[$0 + 1] == newline
                }),
                let end = header[(empty + 2)...].firstIndex(of: newline)
            {
                return header[(empty + 2)..<end].split(separator: UInt8(ascii: " ")).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            guard header.count < longest else { return nil }
            header.append(try file.byte())
        }
    }

    /// Goes row by row: packed in four parts of runs, or pixel by pixel, of which one of three ones repeats the last
    /// (Ward 1991, "Real pixels", and the form of the later RADIANCE, which begins each row with 2, 2 and its length).
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        // The probe saw the header's end.
        guard let words = try resolution(&file, from: 1), let header = HDRHeader(words), header.rows > 0,
            header.length > 0
        else { throw .undecided }
        for _ in 0..<header.rows { try skipRow(of: header.length, &file) }
    }

    private static func skipRow(of length: Int, _ file: inout ImageReader) throws(ImageFault) {
        let head = try file.bytes(4)
        if (8...0x7FFF).contains(length), head.starts(with: [2, 2]), head[2] & 0x80 == 0 {
            guard Int(head[2]) << 8 | Int(head[3]) == length else { throw .undecided }
            for _ in 0..<4 { try skipPart(of: length, &file) }
        } else {
            try skipPixels(of: length, first: head, &file)
        }
    }

    private static func skipPart(of length: Int, _ file: inout ImageReader) throws(ImageFault) {
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
        of length: Int, first: [UInt8], _ file: inout ImageReader
    ) throws(ImageFault) {
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

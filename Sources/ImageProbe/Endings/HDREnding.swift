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

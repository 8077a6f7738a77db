// Behind four sections that tell their own length stands the merged picture, to the file's end: plain, or in rows whose
// packed sizes come first. After Adobe's Photoshop file format specification, "Image data section".

enum PSDEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        let header = HeaderBytes(try file.bytes(26))
        let isBig = header[5] == 2
        // Palette, resources, layers.
        for lengthBytes in [4, 4, isBig ? 8 : 4] { try file.skip(try file.number(lengthBytes, .big)) }
        let packing = try file.big16()
        let rows = Int64(header.big16(12)) * Int64(header.big32(14))
        switch packing {
        case 0:
            let row = (Int64(header.big32(18)) * Int64(header.big16(22)) + 7) / 8
            try file.skip(.saturating(rows, times: row))
        case 1:
            let lengthBytes = isBig ? 4 : 2
            try file.require(file.position + rows * Int64(lengthBytes))
            var total: Int64 = 0
            for _ in 0..<rows { total += try file.number(lengthBytes, .big) }
            try file.skip(total)
        default: throw .undecided
        }
    }
}

// Only packed images come here: packets of a byte that counts, and one pixel or so many, until all pixels are there.

enum TGAEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        let header = HeaderBytes(try file.bytes(TGAHeader.length))
        try file.skip(Int64(TGAHeader.bytesBeforePixels(header) - TGAHeader.length))
        let pixelBytes = Int64((header[16] + 7) / 8)
        var left = header.little16(12) * header.little16(14)
        while left > 0 {
            let head = try file.byte()
            let count = Int(head & 0x7F) + 1
            try file.skip(head & 0x80 == 0 ? Int64(count) * pixelBytes : pixelBytes)
            left -= count
        }
    }
}

// Chunk by chunk to IEND: a file may have anything behind it.

enum PNGEnding: ImageEndingFormat {
    private static let signature: Int64 = 8
    private static let checksum: Int64 = 4

    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(signature)
        while true {
            let size = try file.big32()
            guard size <= Int(Int32.max) else { throw .undecided }
            let name = try file.bytes(4)
            try file.skip(Int64(size) + checksum)
            if name.elementsEqual("IEND".utf8) { return }
        }
    }
}

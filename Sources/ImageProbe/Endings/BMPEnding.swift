// Only packed bitmaps come here: the size of others is told by their header. After Windows' "Bitmap compression" and, for
// packed pixels of 24 bits, OS/2's.

enum BMPEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(10)
        let pixels = try file.little32()
        let headerSize = try file.little32()
        try file.seek(30)
        guard let packing = Packing(code: try file.little32(), headerSize: headerSize) else { throw .undecided }
        try file.seek(Int64(pixels))
        while true {
            let count = try file.byte()
            guard count == 0 else {
                try file.skip(packing.run)
                continue
            }
            switch try file.byte() {
            case 0: continue
            case 1: return
            case 2: try file.skip(2)
            case let pixels:
                let bytes = packing.bytes(Int64(pixels))
                try file.skip(bytes + bytes % 2)
            }
        }
    }

    private enum Packing {
        case four, eight, twentyFour

        init?(code: Int, headerSize: Int) {
            switch (code, headerSize) {
            case (1, _): self = .eight
            case (2, _): self = .four
            case (4, 64): self = .twentyFour
            case (_, _): return nil
            }
        }

        /// Bytes that tell the colour of a run.
        var run: Int64 {
            switch self {
            case .four, .eight: 1
            case .twentyFour: 3
            }
        }

        /// Bytes of so many pixels one by one.
        func bytes(_ pixels: Int64) -> Int64 {
            switch self {
            case .four: (pixels + 1) / 2
            case .eight: pixels
            case .twentyFour: 3 * pixels
            }
        }
    }
}

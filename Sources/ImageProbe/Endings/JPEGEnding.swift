// Segment by segment, so that the end of a preview inside one is not taken for the image's own. In the pixels' bits 0xFF
// is followed by 0, so that the same search for a marker goes through them.

enum JPEGEnding: ImageEndingFormat {
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(2)
        while true {
            try file.skip(past: 0xFF)
            var marker: UInt8 = 0xFF
            while marker == 0xFF { marker = try file.byte() }
            switch marker {
            case 0xD9: return
            case 0x00, 0x01, 0xD0...0xD8: continue
            default:
                let size = try file.big16()
                guard size >= 2 else { throw .undecided }
                try file.skip(Int64(size) - 2)
            }
        }
    }
}

// Layout after the PNG specification (ISO/IEC 15948), 11.2.2 IHDR. Apple's tools put a chunk CgBI of 4 bytes before it.

/// Reads the header chunk at the start of a PNG.
enum PNGHeader: ImageHeaderFormat {
    static let format = ImageFormat.png
    /// Signature, chunk head, and what IHDR says up to its colour type.
    private static let length = 26
    /// Head, body and checksum of the chunk CgBI.
    private static let appleChunk = 16

    /// The verdict over the first bytes of a file that begins with PNG's signature; `nil` when more are needed.
    static func read(_ header: HeaderBytes) -> ImageProbeResult? {
        let bytes = header.bytes
        guard bytes.count >= 16 else { return nil }
        var start = 8
        if chunk(at: start, in: header, is: "CgBI", size: 4) { start += appleChunk }
        guard bytes.count >= start + length - 8 else { return nil }
        guard chunk(at: start, in: header, is: "IHDR", size: 13) else { return invalid(.brokenStructure) }

        let depth = Int(bytes[start + 16])
        guard let channels = channels(colourType: bytes[start + 17], depth: depth) else {
            return invalid(.unknownPixels)
        }
        return image(
            width: header.big32(start + 8), height: header.big32(start + 12), channels: channels, bitDepth: depth)
    }

    private static func chunk(at start: Int, in header: HeaderBytes, is name: String, size: Int) -> Bool {
        header.big32(start) == size && header.bytes[(start + 4)..<(start + 8)].elementsEqual(name.utf8)
    }

    private static func channels(colourType: UInt8, depth: Int) -> Int? {
        switch (colourType, depth) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16): 1
        case (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8): 3
        case (4, 8), (4, 16): 2
        case (6, 8), (6, 16): 4
        default: nil
        }
    }
}

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

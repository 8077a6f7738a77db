// Markers after ITU-T T.81, annex B. The frame header may stand behind any number of segments (EXIF, ICC profile,
// preview), each at most 65,533 bytes long; junk between segments is passed over, as decoders do.

/// Walks a JPEG's segments byte by byte until its frame header.
struct JPEGWalker: Sendable {
    private enum Step {
        case betweenSegments
        /// Behind one or more 0xFF.
        case marker
        /// Of a segment's two bytes of length, those read so far.
        case length(marker: UInt8, high: UInt8?)
        /// Precision, height, width and components: those read so far. `size` is the segment's, without its length.
        case frame(size: Int, [UInt8])
    }

    /// The caller has seen the start marker, and the 0xFF of the one behind it.
    private var step = Step.marker

    mutating func take(_ byte: UInt8) -> HeaderVerdict {
        switch step {
        case .betweenSegments:
            if byte == 0xFF { step = .marker }
            return .more
        case .marker:
            return take(marker: byte)
        case .length(let marker, nil):
            step = .length(marker: marker, high: byte)
            return .more
        case .length(let marker, let high?):
            return begin(marker, length: Int(high) << 8 | Int(byte))
        case .frame(let size, var bytes):
            bytes.append(byte)
            guard bytes.count == 6 else {
                step = .frame(size: size, bytes)
                return .more
            }
            return .settled(Self.verdict(bytes, size: size))
        }
    }

    private mutating func take(marker: UInt8) -> HeaderVerdict {
        switch marker {
        case 0xFF:
            break
        case 0x00, 0x01, 0xD0...0xD8:
            step = .betweenSegments
        case 0xD9, 0xDA:
            return .settled(.invalid(.jpeg, .noHeader))
        default:
            step = .length(marker: marker, high: nil)
        }
        return .more
    }

    private mutating func begin(_ marker: UInt8, length: Int) -> HeaderVerdict {
        guard length >= 2 else { return .settled(.invalid(.jpeg, .brokenStructure)) }
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard length >= 8 else { return .settled(.invalid(.jpeg, .brokenStructure)) }
            step = .frame(size: length - 2, [])
            return .more
        default:
            step = .betweenSegments
            return .skip(length - 2)
        }
    }

    private static func verdict(_ bytes: [UInt8], size: Int) -> ImageProbeResult {
        let height = Int(bytes[1]) << 8 | Int(bytes[2])
        let width = Int(bytes[3]) << 8 | Int(bytes[4])
        let components = Int(bytes[5])
        guard (1...4).contains(components), (2...16).contains(bytes[0]) else {
            return .invalid(.jpeg, .unknownPixels)
        }
        guard size >= 6 + 3 * components else { return .invalid(.jpeg, .brokenStructure) }
        guard width > 0, height > 0 else { return .invalid(.jpeg, .zeroSize) }
        return .image(
            ImageHeader(
                format: .jpeg, width: width, height: height, channels: components, bitDepth: Int(bytes[0])))
    }
}

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

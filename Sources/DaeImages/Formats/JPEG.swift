// Markers after ITU-T T.81, annex B. The frame header may stand behind any number of segments (EXIF, ICC profile,
// preview), each at most 65,533 bytes long; junk between segments is passed over, as decoders do.

/// The frame header of a JPEG.
enum JPEGHeader: ImageHeaderReader, ImageEndFinder, ImageDecoder {
    static let format = ImageFormat.jpeg

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        try file.seek(2)
        while true {
            let marker = try marker(&file)
            guard marker != 0xD9, marker != 0xDA else { return invalid(.noHeader) }
            let length = try file.big16()
            guard length >= 2 else { return invalid(.brokenStructure) }
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard length >= 8 else { return invalid(.brokenStructure) }
                let frame = try file.bytes(6)
                let (depth, components) = (Int(frame[0]), Int(frame[5]))
                guard (1...4).contains(components), (2...16).contains(depth) else { return invalid(.unknownPixels) }
                guard length >= 8 + 3 * components else { return invalid(.brokenStructure) }
                return image(
                    width: frame.big16(3), height: frame.big16(1), channels: components, bitDepth: depth)
            default: try file.skip(Int64(length) - 2)
            }
        }
    }

    /// Goes segment by segment, so that the end of a preview inside one is not taken for the image's own. In the pixels'
    /// bits 0xFF is followed by 0, so that the same search for a marker goes through them.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        try file.seek(2)
        while try marker(&file) != 0xD9 {
            let length = try file.big16()
            guard length >= 2 else { throw .undecided }
            try file.skip(Int64(length) - 2)
        }
    }

    /// The next marker that begins a segment or ends the image.
    private static func marker(_ file: inout ImageReader) throws(ImageFault) -> UInt8 {
        while true {
            try file.skip(past: 0xFF)
            var marker: UInt8 = 0xFF
            while marker == 0xFF { marker = try file.byte() }
            switch marker {
            case 0x00, 0x01, 0xD0...0xD8: continue
            default: return marker
            }
        }
    }

    /// Decodes one or three components by libtiff: a TIFF may hold a JPEG as it is, so that it is read behind a header
    /// that is made here.
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        guard let components = header.channels, components == 1 || components == 3 else {
            throw .unsupported("a JPEG of \(header.channels.map(String.init) ?? "unknown") components")
        }
        try limits.check(width: header.width, height: header.height, channels: 4)
        guard max(bytes.count, header.width, header.height) <= Int(Int32.max) else {
            throw .tooLarge(width: header.width, height: header.height, limits: limits)
        }
        let isGrey = components == 1
        let directory = 8 + bytes.count + bytes.count % 2
        let entries = 9
        // Bits of a value stand for each component.
        let bits = isGrey ? 8 : directory + 2 + entries * 12 + 4
        var file = little(0x4949, 2) + little(42, 2) + little(directory, 4)
        file += bytes
        file += little(0, bytes.count % 2) + little(entries, 2)
        for (tag, kind, count, value) in [
            (256, 4, 1, header.width), (257, 4, 1, header.height), (258, 3, components, bits), (259, 4, 1, 7),
            (262, 4, 1, isGrey ? 1 : 6), (273, 4, 1, 8), (277, 4, 1, components), (278, 4, 1, header.height),
            (279, 4, 1, bytes.count),
        ] {
            file += little(tag, 2) + little(kind, 2) + little(count, 4) + little(value, 4)
        }
        file += little(0, 4) + little(8, 2) + little(8, 2) + little(8, 2)
        return try TIFFHeader.decode(file, header: header, limits: limits)
    }

    private static func little(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

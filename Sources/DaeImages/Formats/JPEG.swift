// Markers after ITU-T T.81, annex B. The frame header may stand behind any number of segments (EXIF, ICC profile,
// preview), each at most 65,533 bytes long; junk between segments is passed over, as decoders do.

import CLibJPEG

/// The frame header of a JPEG. Its pixels are decoded by libjpeg, which is loaded when the first one comes.
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

    // MARK: - Decoding

    static let library = SystemLibrary("libjpeg", package: "libjpeg62-turbo") { dae_jpeg_load() }

    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        guard let components = header.channels, [1, 3, 4].contains(components) else {
            throw .unsupported("a JPEG of \(header.channels.map(String.init) ?? "unknown") components")
        }
        try library.load()
        return try bytes.withUnsafeBufferPointer { bytes throws(ImageFault) in
            var raster = try Raster(width: header.width, height: header.height, channels: components, limits: limits)
            let left = limits.memory - min(limits.memory, raster.bytes.count)
            guard let jpeg = dae_jpeg_open(bytes.baseAddress, bytes.count, left) else { throw .outOfMemory }
            defer { dae_jpeg_close(jpeg) }
            func complaint() -> String { String(cString: dae_jpeg_complaint(jpeg)) }

            var facts = dae_jpeg_facts()
            guard dae_jpeg_read_facts(jpeg, &facts) == dae_jpeg_whole else { throw .invalid(complaint()) }
            guard Int(facts.width) == header.width, Int(facts.height) == header.height,
                Int(facts.components) == components
            else { throw .invalid("its size is told twice") }
            var rows: UInt32 = 0
            switch dae_jpeg_read_pixels(jpeg, &facts, &raster.bytes, &rows) {
            case dae_jpeg_whole: break
            case dae_jpeg_cut:
                guard rows > 0 else { throw .truncated }
                raster.completeness = .cut
            case dae_jpeg_unsupported: throw .unsupported("a JPEG of \(header.bitDepth ?? 0) bits")
            case dae_jpeg_too_large: throw .invalid("it has more passes than any program writes")
            default:  // C enums
                guard rows > 0 else { throw .invalid(complaint()) }
                raster.completeness = .damaged(complaint())
            }
            if components == 4 { raster.takeInks(rows: Int(rows), isInverted: facts.has_inverted_inks != 0) }
            return raster
        }
    }
}

extension Raster {
    /// Turns cyan, magenta, yellow and black into red, green and blue.
    ///
    /// - Parameters:
    ///   - rows: Those below have no pixels, and stay black.
    ///   - isInverted: Whether 255 is none of an ink.
    fileprivate mutating func takeInks(rows: Int, isInverted: Bool) {
        for start in stride(from: 0, to: rows * rowBytes, by: 4) {
            let black = isInverted ? bytes[start + 3] : 255 - bytes[start + 3]
            for place in start..<start + 3 {
                let light = isInverted ? bytes[place] : 255 - bytes[place]
                bytes[place] = UInt8((Int(light) * Int(black) + 127) / 255)
            }
        }
        keepChannels(3)
    }
}

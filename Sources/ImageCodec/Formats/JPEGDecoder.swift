// A TIFF may hold a JPEG as it is, so that libtiff reads one behind a header that is made here.

import ImageProbe

/// Reads a JPEG of one or three components by libtiff.
enum JPEGDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        guard let components = header.channels, components == 1 || components == 3 else {
            throw .unsupported("a JPEG of \(header.channels.map(String.init) ?? "unknown") components")
        }
        try limits.check(width: header.width, height: header.height, channels: 4)
        guard let count = UInt32(exactly: bytes.count),
            let width = UInt32(exactly: header.width), let height = UInt32(exactly: header.height)
        else { throw .tooLarge(width: header.width, height: header.height, limits: limits) }
        let directory = 8 + bytes.count + bytes.count % 2
        var entries: [(tag: UInt16, value: UInt32)] = [
            (256, width), (257, height), (258, 8), (259, 7), (262, components == 1 ? 1 : 6), (273, 8),
            (277, UInt32(components)), (278, height), (279, count),
        ]
        // Bits of a value stand for each component.
        entries[2].value = UInt32(directory + 2 + entries.count * 12 + 4)
        var file = Self.little16(0x4949) + Self.little16(42) + Self.little32(UInt32(directory))
        file += bytes
        if bytes.count % 2 == 1 { file.append(0) }
        file += Self.little16(UInt16(entries.count))
        for entry in entries {
            let isBits = entry.tag == 258
            file += Self.little16(entry.tag) + Self.little16(isBits ? 3 : 4)
            if isBits, components == 1 {
                file += Self.little32(1) + Self.little16(8) + Self.little16(0)
            } else {
                file += Self.little32(isBits ? 3 : 1) + Self.little32(entry.value)
            }
        }
        file += Self.little32(0)
        for _ in 0..<3 { file += Self.little16(8) }
        return try TIFFDecoder.decode(file, header: header, limits: limits)
    }

    private static func little16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    private static func little32(_ value: UInt32) -> [UInt8] {
        little16(UInt16(value & 0xFFFF)) + little16(UInt16(value >> 16))
    }
}

/// Headers of images, put together by hand.
enum SampleImages {
    static func png(width: UInt32, height: UInt32, depth: UInt8 = 8, colourType: UInt8 = 6, apple: Bool = false)
        -> [UInt8]
    {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        if apple { bytes += chunk("CgBI", [0x50, 0, 0x20, 6]) }
        bytes += chunk("IHDR", big(width) + big(height) + [depth, colourType, 0, 0, 0])
        bytes += chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
        return bytes
    }

    /// A baseline or other frame behind `before`, which are whole segments or junk.
    static func jpeg(
        width: UInt16, height: UInt16, components: UInt8 = 3, frame: UInt8 = 0xC0, before: [[UInt8]] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in before { bytes += segment }
        var body: [UInt8] = [8] + big(height) + big(width) + [components]
        for component in 0..<components { body += [component + 1, 0x11, 0] }
        bytes += segment(frame, body)
        bytes += segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0x34, 0xFF, 0xD9]
        return bytes
    }

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(UInt16(body.count + 2)) + body
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        big(UInt32(body.count)) + Array(name.utf8) + body + [0, 0, 0, 0]
    }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

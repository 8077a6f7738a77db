/// Numbers at places of a file's first bytes. Whoever reads one has seen that there are enough.
struct HeaderBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }
    subscript(_ place: Int) -> Int { Int(bytes[place]) }

    func little16(_ place: Int) -> Int { self[place] | self[place + 1] << 8 }
    func little32(_ place: Int) -> Int { little16(place) | little16(place + 2) << 16 }
    func big16(_ place: Int) -> Int { self[place] << 8 | self[place + 1] }
    func big32(_ place: Int) -> Int { big16(place) << 16 | big16(place + 2) }

    /// The greatest number where it would be above that.
    func little64(_ place: Int) -> Int64 {
        let high = little32(place + 4)
        return high > Int(Int32.max) ? .max : Int64(high << 32 | little32(place))
    }
}

/// A format whose size stands in its first bytes.
protocol ImageHeaderFormat: SendableMetatype {
    static var format: ImageFormat { get }

    /// The verdict over a file's first bytes, which begin as the format does; `nil` when more are needed.
    static func read(_ bytes: HeaderBytes) -> ImageProbeResult?
}

extension ImageHeaderFormat {
    static func invalid(_ fault: ImageProbeResult.Fault) -> ImageProbeResult { .invalid(format, fault) }

    /// The header of an image of that size, or what is wrong with the size.
    static func image(
        width: Int, height: Int, channels: Int?, bitDepth: Int?, layout: ImageHeader.Layout = .decoded,
        leastBytes: Int64? = nil
    ) -> ImageProbeResult {
        guard width > 0, height > 0 else { return invalid(.zeroSize) }
        guard width <= Int(Int32.max), height <= Int(Int32.max) else { return invalid(.sizeTooLarge) }
        return .image(
            ImageHeader(
                format: format, width: width, height: height, channels: channels, bitDepth: bitDepth, layout: layout,
                leastBytes: leastBytes))
    }
}

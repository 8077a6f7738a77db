/// Decoded pixels, 8 bits a value, the top row first, no bytes between rows.
struct Raster {
    let width: Int
    let height: Int
    /// As in ``PNGImage``.
    private(set) var channels: Int
    /// width × height × channels.
    var bytes: [UInt8]
    var completeness = PNGImage.Completeness.whole

    /// A file that holds a smaller part of its pixels is not worth the memory that it claims.
    private static let leastPart = 64

    /// Clear black, or black.
    ///
    /// - Parameter source: Of the pixels in the file: how many bytes are there, and how many all take at least.
    init(
        width: Int, height: Int, channels: Int, limits: ImageLimits, source: (there: Int, least: Int) = (0, 0)
    ) throws(ImageFault) {
        guard width > 0, height > 0 else { throw .invalid("width or height is 0") }
        try limits.check(width: width, height: height, channels: channels)
        guard source.there >= source.least / Self.leastPart else { throw .truncated }
        self.width = width
        self.height = height
        self.channels = channels
        bytes = [UInt8](repeating: 0, count: width * height * channels)
    }

    var hasAlpha: Bool { channels == 2 || channels == 4 }
    var rowBytes: Int { width * channels }

    /// Whether alpha is 0 everywhere.
    var isClear: Bool {
        hasAlpha && !stride(from: channels - 1, to: bytes.count, by: channels).contains { bytes[$0] != 0 }
    }

    /// Whether no colour is other than black: so looks an image of which nothing could be decoded.
    var isBlack: Bool {
        let colours = hasAlpha ? channels - 1 : channels
        return !bytes.indices.contains { $0 % channels < colours && bytes[$0] != 0 }
    }

    /// The last channel goes where it says nothing.
    mutating func dropOpaqueAlpha() {
        guard hasAlpha else { return }
        for place in stride(from: channels - 1, to: bytes.count, by: channels) where bytes[place] != 255 { return }
        keepChannels(channels - 1)
    }

    /// Drops the channels behind the first `count`.
    mutating func keepChannels(_ count: Int) {
        if count < channels { keep(Array(0..<count)) }
    }

    /// Of colours that are all grey only one channel, and alpha.
    mutating func keepGrey() {
        if channels > 2 { keep(channels == 4 ? [0, 3] : [0]) }
    }

    private mutating func keep(_ kept: [Int]) {
        var (from, to) = (0, 0)
        while from < bytes.count {
            for channel in kept {
                bytes[to] = bytes[from + channel]
                to += 1
            }
            from += channels
        }
        bytes.removeLast(bytes.count - to)
        channels = kept.count
    }

    /// Divides colours by the alpha that they were multiplied by.
    mutating func divideByAlpha() {
        guard hasAlpha else { return }
        let colours = channels - 1
        for start in stride(from: 0, to: bytes.count, by: channels) {
            let alpha = Int(bytes[start + colours])
            guard alpha > 0, alpha < 255 else { continue }
            for place in start..<(start + colours) {
                bytes[place] = UInt8(min(255, Int(bytes[place]) * 255 / alpha))
            }
        }
    }

    /// Turns rows around, left to right.
    mutating func mirror() {
        for row in 0..<height {
            var (left, right) = (row * rowBytes, (row + 1) * rowBytes - channels)
            while left < right {
                for channel in 0..<channels { bytes.swapAt(left + channel, right + channel) }
                left += channels
                right -= channels
            }
        }
    }
}

/// The red, green and blue of each index.
struct Palette {
    private let colours: [UInt8]

    init(_ colours: [UInt8]) { self.colours = colours }

    var isEmpty: Bool { colours.isEmpty }

    /// Leaves black where there is no such colour.
    @inline(__always) func write(_ index: Int, to output: inout [UInt8], at target: Int) {
        guard index * 3 + 2 < colours.count else { return }
        for channel in 0..<3 { output[target + channel] = colours[index * 3 + channel] }
    }
}

/// Where the channels of a pixel of one number stand.
struct BitFields {
    /// A largest value of 0 is that of a channel that is black, or opaque.
    private let fields: [(shift: UInt32, largest: UInt32)]
    /// Bytes of a pixel, 1...4.
    let pixelBytes: Int

    /// - Parameters:
    ///   - bits: Of a pixel, as many as fit in its bytes or fewer.
    ///   - masks: One a channel; 0 for one that is black, or opaque.
    /// - Throws: Where the ones of a mask do not stand together.
    init(bits: Int, masks: [UInt32]) throws(ImageFault) {
        pixelBytes = (bits + 7) / 8
        fields = masks.map { $0 == 0 ? (0, 0) : (UInt32($0.trailingZeroBitCount), $0 >> $0.trailingZeroBitCount) }
        guard fields.allSatisfy({ $0.largest & ($0.largest &+ 1) == 0 }) else {
            throw .unsupported("the bits of a channel do not stand together")
        }
    }

    var count: Int { fields.count }

    /// Decodes pixels that stand one behind the other, each value to the nearest of 0...255.
    func decode(_ bytes: [UInt8], at place: Int, pixels: Int, to output: inout [UInt8], at target: Int) {
        let fields = fields.span
        var output = output.mutableSpan
        for index in 0..<pixels {
            let pixel = bytes.little(place + index * pixelBytes, bytes: pixelBytes)
            let start = target + index * fields.count
            for channel in fields.indices {
                let (shift, largest) = fields[channel]
                let value = pixel >> shift & largest
                output[start + channel] =
                    switch largest {
                    case 0: channel == 3 ? 255 : 0
                    case 255: UInt8(truncatingIfNeeded: value)
                    default: UInt8(truncatingIfNeeded: (UInt64(value) * 255 + UInt64(largest / 2)) / UInt64(largest))
                    }
            }
        }
    }

    /// Red, green and blue of five bits each; the bit above them may be alpha.
    static let fifteenBits: [UInt32] = [0x7C00, 0x03E0, 0x001F]
    /// Red, green and blue as most files for Windows have them; the byte above them may be alpha.
    static let twentyFourBits: [UInt32] = [0xFF_0000, 0xFF00, 0xFF]
}

// After the PNG specification (ISO/IEC 15948). What an image is drawn with by engines, such as gamma, is left aside: only
// its values count. Apple's tools put a chunk CgBI of 4 bytes before the header.

import CLibZ

/// The header chunk of a PNG.
struct PNGHeader: ImageHeaderReader, ImageEndFinder, ImageDecoder {
    static let format = ImageFormat.png

    enum Kind: UInt8 {
        case grey = 0
        case colour = 2
        case palette = 3
        case greyAlpha = 4
        case colourAlpha = 6

        /// Values of a pixel in the file.
        var values: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .colour: 3
            case .colourAlpha: 4
            }
        }

        /// Values of a pixel when decoded.
        var channels: Int { self == .palette ? 3 : values }
        var hasAlpha: Bool { self == .greyAlpha || self == .colourAlpha }

        fileprivate var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .colour, .greyAlpha, .colourAlpha: [8, 16]
            }
        }
    }

    fileprivate let width: Int
    fileprivate let height: Int
    fileprivate let depth: Int
    fileprivate let kind: Kind

    /// - Parameter body: What the chunk says up to its kind of pixel, or more.
    /// - Returns: `nil` for a kind that PNG does not have.
    private init?(_ body: [UInt8]) {
        guard body.count >= 10, let kind = Kind(rawValue: body[9]), kind.depths.contains(Int(body[8])) else {
            return nil
        }
        (width, height, depth) = (body.big32(0), body.big32(4), Int(body[8]))
        self.kind = kind
    }

    /// Bytes of a row of so many pixels, without that of its filter; the sizes are within the limits.
    fileprivate func rowBytes(of width: Int) -> Int { (width * kind.values * depth + 7) / 8 }

    /// Bytes from a value to the same of the pixel before, at least 1.
    fileprivate var step: Int { max(1, kind.values * depth / 8) }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        try file.seek(8)
        var chunk = try file.bytes(8)
        if chunk == [0, 0, 0, 4] + "CgBI".utf8 {
            // Its body and checksum.
            try file.skip(8)
            chunk = try file.bytes(8)
        }
        let body = try file.bytes(10)
        guard chunk == [0, 0, 0, 13] + "IHDR".utf8 else { return invalid(.brokenStructure) }
        guard let header = PNGHeader(body) else { return invalid(.unknownPixels) }
        return image(
            width: header.width, height: header.height, channels: header.kind.channels,
            bitDepth: header.depth)
    }

    /// Goes chunk by chunk to IEND: a file may have anything behind it.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        try file.seek(8)
        while true {
            let size = try file.big32()
            guard size <= Int(Int32.max) else { throw .undecided }
            let name = try file.bytes(4)
            // Behind the body is its checksum.
            try file.skip(Int64(size) + 4)
            if name.elementsEqual("IEND".utf8) { return }
        }
    }
}

// MARK: - Decoding

extension PNGHeader {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        var place = 8
        guard let first = nextChunk(bytes, &place), first.name == "IHDR", first.body.count >= 13,
            case let body = Array(bytes[first.body]), body[12] <= 1, let format = PNGHeader(body),
            format.width == header.width, format.height == header.height
        else { throw .invalid("its header cannot be read") }
        var colours = PNGColours(of: format)
        var pixels: PNGPixels?
        chunks: while let chunk = nextChunk(bytes, &place) {
            switch chunk.name {
            case "PLTE": colours.palette = Palette(Array(bytes[chunk.body]))
            case "tRNS": colours.clear = Array(bytes[chunk.body])
            case "IDAT":
                if pixels == nil {
                    pixels = try PNGPixels(format, colours, isInterlaced: body[12] == 1, limits: limits)
                }
                try pixels?.take(bytes, chunk.body)
            case "IEND": break chunks
            default: continue  // strings: every other one says nothing of the values
            }
        }
        guard let pixels else { throw .truncated }
        return pixels.raster
    }

    /// Whether a pixel may be clear, as far as can be seen without the pixels.
    static func mayBeClear(_ bytes: [UInt8], _ header: ImageHeader) -> Bool {
        if header.channels.map({ $0 == 2 || $0 == 4 }) ?? true { return true }
        var place = 8
        while let chunk = nextChunk(bytes, &place), chunk.name != "IDAT" {
            if chunk.name == "tRNS" { return true }
        }
        return false
    }

    /// The chunk at a place, which then is that of the next; `nil` behind the last. The body of one that the file ends
    /// in is as long as the file.
    private static func nextChunk(_ bytes: [UInt8], _ place: inout Int) -> (name: String, body: Range<Int>)? {
        guard place <= bytes.count - 8 else { return nil }
        let (name, start) = (bytes.text(place + 4, count: 4), place + 8)
        let end = min(bytes.count, start + bytes.big32(place))
        place = end + 4
        return (name, start..<end)
    }
}

/// Puts rows, as they come out of the inflater, where they belong.
private struct PNGPixels {
    /// First column and row, and the steps between columns and rows.
    private typealias Pass = (x: Int, y: Int, dx: Int, dy: Int)
    private static let plain: [Pass] = [(0, 0, 1, 1)]
    private static let adam7: [Pass] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    private let format: PNGHeader
    private let colours: PNGColours
    private let inflater: Inflater
    /// All rows so far.
    private(set) var raster: Raster
    private var passes: ArraySlice<Pass>
    /// The filter's number and the bytes of a row.
    private var row: [UInt8] = []
    private var above: [UInt8] = []
    private var filled = 0
    /// Into the picture.
    private var y = 0

    init(
        _ format: PNGHeader, _ colours: PNGColours, isInterlaced: Bool, limits: ImageLimits
    ) throws(ImageFault) {
        guard let inflater = Inflater() else { throw .outOfMemory }
        self.format = format
        self.colours = colours
        self.inflater = inflater
        raster = try Raster(width: format.width, height: format.height, channels: colours.channels, limits: limits)
        passes = (isInterlaced ? Self.adam7 : Self.plain)[...]
        beginPass()
    }

    mutating func take(_ bytes: [UInt8], _ body: Range<Int>) throws(ImageFault) {
        var at = body.lowerBound
        while !passes.isEmpty {
            let (taken, made, outcome) = inflater.inflate(
                bytes.span.extracting(0..<body.upperBound), from: at, into: &row, at: filled)
            at += taken
            filled += made
            if filled == row.count { try endRow() }
            switch outcome {
            case .going: if taken == 0, made == 0 { return }
            case .ended: return
            case .broken: throw .invalid("its pixels cannot be inflated")
            }
        }
    }

    private mutating func beginPass() {
        // Passes of small pictures have no pixel.
        while let pass = passes.first, pass.x >= format.width || pass.y >= format.height { passes.removeFirst() }
        raster.completeness = passes.isEmpty ? .whole : .cut
        guard let pass = passes.first else { return }
        y = pass.y
        row = [UInt8](repeating: 0, count: 1 + format.rowBytes(of: columns(of: pass)))
        above = row
        filled = 0
    }

    private func columns(of pass: Pass) -> Int { (format.width - pass.x + pass.dx - 1) / pass.dx }

    private mutating func endRow() throws(ImageFault) {
        guard let pass = passes.first else { return }
        try unfilter()
        let values = Array(row.dropFirst())
        for column in 0..<columns(of: pass) {
            let place = y * raster.rowBytes + (pass.x + column * pass.dx) * raster.channels
            colours.put(column, of: values, into: &raster.bytes, at: place)
        }
        swap(&row, &above)
        filled = 0
        y += pass.dy
        if y >= format.height {
            passes.removeFirst()
            beginPass()
        }
    }

    private mutating func unfilter() throws(ImageFault) {
        let step = format.step
        guard row[0] <= 4 else { throw .invalid("a row has a filter that PNG does not have") }
        let kind = row[0]
        guard kind > 0 else { return }
        for index in 1..<row.count {
            let left = index > step ? row[index - step] : 0
            let corner = index > step ? above[index - step] : 0
            let guess: UInt8 =
                switch kind {
                case 1: left
                case 2: above[index]
                case 3: UInt8((Int(left) + Int(above[index])) / 2)
                default: PNGFilter.paeth(left: left, above: above[index], corner: corner)
                }
            row[index] &+= guess
        }
    }
}

/// What the values of a row are as pixels.
private struct PNGColours {
    private let format: PNGHeader
    var palette = Palette([])
    /// Of a palette, alphas; else the one colour that is clear, of 16 bits a value. Empty for none.
    var clear: [UInt8] = []

    init(of format: PNGHeader) { self.format = format }

    /// Of the pixels that are made.
    var channels: Int { format.kind.channels + (clear.isEmpty || format.kind.hasAlpha ? 0 : 1) }

    /// Puts pixel `index` of a row at a place.
    func put(_ index: Int, of row: [UInt8], into pixels: inout [UInt8], at place: Int) {
        switch format.kind {
        case .palette:
            let colour = Int(value(index, of: row))
            palette.write(colour, to: &pixels, at: place)
            if !clear.isEmpty { pixels[place + 3] = colour < clear.count ? clear[colour] : 255 }
        case .grey, .colour, .greyAlpha, .colourAlpha:
            let values = format.kind.values
            for channel in 0..<values {
                pixels[place + channel] = shade(value(index * values + channel, of: row))
            }
            guard channels > values else { return }
            pixels[place + values] = isClear(index, of: row) ? 0 : 255
        }
    }

    /// As it stands in the file.
    private func value(_ index: Int, of row: [UInt8]) -> UInt16 {
        switch format.depth {
        case 16: return UInt16(row[index * 2]) << 8 | UInt16(row[index * 2 + 1])
        case 8: return UInt16(row[index])
        default:
            let bit = index * format.depth
            let shift = 8 - format.depth - bit % 8
            return UInt16(row[bit / 8]) >> UInt16(shift) & (1 << UInt16(format.depth) - 1)
        }
    }

    private func shade(_ value: UInt16) -> UInt8 {
        switch format.depth {
        case 16: UInt8(value >> 8)
        case 8: UInt8(truncatingIfNeeded: value)
        default: UInt8(Int(value) * 255 / (1 << format.depth - 1))
        }
    }

    private func isClear(_ index: Int, of row: [UInt8]) -> Bool {
        let values = format.kind.values
        guard clear.count >= 2 * values else { return false }
        return (0..<values).allSatisfy { channel in
            let wanted = UInt16(clear[2 * channel]) << 8 | UInt16(clear[2 * channel + 1])
            return value(index * values + channel, of: row) == wanted
        }
    }
}

/// A stream of zlib's; a class since zlib's state lives behind a pointer.
final class Inflater {
    enum Outcome {
        /// All bytes were taken, or the output is full.
        case going
        case ended
        case broken
    }

    private let stream: UnsafeMutablePointer<z_stream>

    /// `nil` where memory is short.
    init?() {
        guard let stream = dae_inflate_new() else { return nil }
        self.stream = stream
    }

    deinit { dae_inflate_free(stream) }

    /// Inflates from `start` on until the bytes or the output end.
    ///
    /// - Returns: How many bytes were taken, and how many made.
    func inflate(
        _ bytes: Span<UInt8>, from start: Int, into output: inout [UInt8], at filled: Int
    ) -> (taken: Int, made: Int, outcome: Outcome) {
        let count = min(bytes.count - start, 1 << 30)
        let free = min(output.count - filled, 1 << 30)
        guard count >= 0, free > 0 else { return (0, 0, .going) }
        var (left, made): (UInt32, UInt32) = (0, 0)
        let status = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                dae_inflate(
                    stream, input.baseAddress.map { $0 + start }, UInt32(count), &left,
                    output.baseAddress.map { $0 + filled }, UInt32(free), &made)
            }
        }
        let outcome: Outcome = status == 1 ? .ended : status < 0 ? .broken : .going
        return (count - Int(left), Int(made), outcome)
    }
}

// After the PNG specification (ISO/IEC 15948). What an image is drawn with by engines, such as gamma, is left aside: only
// its values count.

import ImageProbe

/// Reads a PNG of any kind.
enum PNGDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        var chunks = PNGChunkReader(bytes)
        guard let first = chunks.next(), first.name == "IHDR", let format = PNGFormat(bytes[first.body]),
            format.width == header.width, format.height == header.height
        else { throw .invalid("its header cannot be read") }
        var colours = PNGColours(of: format)
        var pixels: PNGPixels?
        while let chunk = chunks.next() {
            switch chunk.name {
            case "PLTE": colours.palette = Array(bytes[chunk.body])
            case "tRNS": colours.clear = Array(bytes[chunk.body])
            case "IDAT":
                if pixels == nil { pixels = try PNGPixels(format, colours, limits: limits) }
                try pixels?.take(bytes, chunk.body)
            case "IEND": return try finished(pixels)
            default: continue  // strings: every other one says nothing of the values
            }
        }
        return try finished(pixels)
    }

    /// Whether a pixel may be clear, as far as can be seen without the pixels.
    static func mayBeClear(_ bytes: [UInt8], _ header: ImageHeader) -> Bool {
        if header.channels.map({ $0 == 2 || $0 == 4 }) ?? true { return true }
        var chunks = PNGChunkReader(bytes)
        while let chunk = chunks.next(), chunk.name != "IDAT" {
            if chunk.name == "tRNS" { return true }
        }
        return false
    }

    private static func finished(_ pixels: PNGPixels?) throws(ImageFault) -> Raster {
        guard let pixels else { throw .truncated }
        return pixels.finished
    }
}

/// The chunks of a PNG file, as far as it is whole.
private struct PNGChunkReader {
    private let bytes: [UInt8]
    private var place = 8

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `nil` behind the last; the body of one that the file ends in is as long as the file.
    mutating func next() -> (name: String, body: Range<Int>)? {
        guard bytes.count >= 8, place <= bytes.count - 8 else { return nil }
        let count = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
        let start = place + 8
        let end = min(bytes.count, start + count)
        // Behind the body is its checksum.
        place = end + 4
        return (name, start..<end)
    }
}

/// What the header says.
struct PNGFormat {
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

        fileprivate var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .colour, .greyAlpha, .colourAlpha: [8, 16]
            }
        }
    }
    let width: Int
    let height: Int
    let depth: Int
    let kind: Kind
    let isInterlaced: Bool  // as the file has it

    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 13, let kind = Kind(rawValue: bytes[9]), bytes[12] <= 1 else { return nil }
        width = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
        depth = Int(bytes[8])
        self.kind = kind
        isInterlaced = bytes[12] == 1
        guard kind.depths.contains(depth), width > 0, height > 0 else { return nil }
    }

    /// Bytes of a row of so many pixels, without that of its filter; the sizes are within the limits.
    func rowBytes(of width: Int) -> Int { (width * kind.values * depth + 7) / 8 }

    /// Bytes from a value to the same of the pixel before, at least 1.
    var step: Int { max(1, kind.values * depth / 8) }
}

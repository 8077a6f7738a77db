// Layout after the GIF89a specification. Decoded is the first frame on the whole screen: what it does not cover is
// clear, as browsers show it, whatever the background colour says.

/// The logical screen descriptor of a GIF, and the palette behind it.
struct GIFHeader: ImageHeaderReader, ImageEndFinder, ImageDecoder {
    static let format = ImageFormat.gif

    private let width: Int
    private let height: Int
    private let flags: UInt8

    private init(_ file: inout ImageReader) throws(ImageFault) {
        let bytes = try file.bytes(11)
        (width, height, flags) = (bytes.little16(6), bytes.little16(8), bytes[10])
    }

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        let header = try GIFHeader(&file)
        // Bits of an index into the palette, less one.
        return image(width: header.width, height: header.height, channels: 3, bitDepth: Int(header.flags & 7) + 1)
    }

    /// Goes block by block to the trailer, which is one byte long and means something only where a block may begin.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        let header = try GIFHeader(&file)
        try file.skip(2)
        try skipPalette(header.flags, &file)
        while true {
            switch try file.byte() {
            case 0x3B: return
            case 0x21:
                try file.skip(1)
                try skipBlocks(&file)
            case 0x2C:
                try file.skip(8)
                try skipPalette(try file.byte(), &file)
                try file.skip(1)
                try skipBlocks(&file)
            case 0: continue  // left over by some writers
            default: throw .undecided
            }
        }
    }

    /// Bytes of the palette that the flags announce, 0 for none.
    fileprivate static func paletteSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func skipPalette(_ flags: UInt8, _ file: inout ImageReader) throws(ImageFault) {
        try file.skip(Int64(paletteSize(flags)))
    }

    private static func skipBlocks(_ file: inout ImageReader) throws(ImageFault) {
        while true {
            let size = try file.byte()
            if size == 0 { return }
            try file.skip(Int64(size))
        }
    }
}

// MARK: - Decoding

extension GIFHeader {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        var file = ImageReader(bytes)
        let screen = try GIFHeader(&file)
        let frame = try screen.firstFrame(&file)
        try limits.check(width: frame.width, height: frame.height, channels: 1)
        let coversScreen =
            frame.left == 0 && frame.top == 0 && frame.width >= screen.width && frame.height >= screen.height
        // A code of 12 bits stands for 4,095 indices at most.
        var raster = try Raster(
            width: screen.width, height: screen.height, channels: frame.clearIndex == nil && coversScreen ? 3 : 4,
            limits: limits, source: (there: bytes.count - Int(file.position), least: frame.width * frame.height / 2730))
        var pixels = GIFPixels(frame)
        var codes = LZWReader(codeSize: frame.codeSize)
        var (place, isCut) = (Int(file.position), false)
        // Blocks that each begin with their size, up to an empty one.
        blocks: while !pixels.isFull, !isCut {
            guard place < bytes.count, bytes[place] > 0 else {
                isCut = place >= bytes.count
                break
            }
            let end = place + 1 + Int(bytes[place])
            for byte in bytes[(place + 1)..<min(end, bytes.count)] where !pixels.isFull {
                let verdict = codes.take(byte)
                for index in codes.indices { pixels.write(index, to: &raster) }
                switch verdict {
                case .more: continue
                case .damaged:
                    raster.completeness = .damaged("its codes lead nowhere")
                    break blocks
                case .end: break blocks
                }
            }
            isCut = end > bytes.count
            place = end
        }
        guard pixels.count > 0 else { throw isCut ? .truncated : .invalid("it has no pixels") }
        if !pixels.isFull, raster.completeness == .whole { raster.completeness = .cut }
        return raster
    }

    /// What stands before the codes of the first frame; leaves the file where they begin.
    private func firstFrame(_ file: inout ImageReader) throws(ImageFault) -> GIFFrame {
        try file.skip(2)
        let shared = file.prefix(Self.paletteSize(flags))
        var clear: UInt8?
        while true {
            switch try file.byte() {
            case 0x2C: return try GIFFrame(&file, clearIndex: clear, sharedPalette: shared)
            case 0x21:
                let isGraphicControl = try file.byte() == 0xF9
                let start = file.position
                if isGraphicControl, try file.byte() == 4 {
                    let flags = try file.byte()
                    try file.skip(2)
                    let index = try file.byte()
                    clear = flags & 1 == 0 ? nil : index
                }
                try file.seek(start)
                try Self.skipBlocks(&file)
            case 0x3B: throw .invalid("it has no frame")
            default: throw .invalid("an unknown kind of block")
            }
        }
    }
}

/// The first frame of a GIF.
private struct GIFFrame {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    /// The index that stands for no colour.
    let clearIndex: UInt8?
    let palette: Palette
    /// Bits of the first codes, less one.
    let codeSize: Int

    init(_ file: inout ImageReader, clearIndex: UInt8?, sharedPalette: [UInt8]) throws(ImageFault) {
        let bytes = try file.bytes(9)
        (left, top, width, height) = (bytes.little16(0), bytes.little16(2), bytes.little16(4), bytes.little16(6))
        let flags = bytes[8]
        guard width > 0, height > 0 else { throw .invalid("its frame has no size") }
        isInterlaced = flags & 0x40 != 0
        self.clearIndex = clearIndex
        let colours = flags & 0x80 == 0 ? sharedPalette : file.prefix(GIFHeader.paletteSize(flags))
        guard !colours.isEmpty else { throw .invalid("it has no colours") }
        palette = Palette(colours)
        codeSize = Int(try file.byte())
        guard (1...8).contains(codeSize) else { throw .invalid("codes of \(codeSize) bits") }
    }
}

/// Puts the indices of a frame, as they come, where they belong.
private struct GIFPixels {
    private let frame: GIFFrame
    private var x = 0
    private var y = 0
    private var pass = 0
    private(set) var count = 0

    /// First row and step of each pass.
    private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]

    init(_ frame: GIFFrame) { self.frame = frame }

    var isFull: Bool { y >= frame.height }

    mutating func write(_ index: UInt8, to raster: inout Raster) {
        guard !isFull else { return }
        let (column, row) = (frame.left + x, frame.top + y)
        if column < raster.width, row < raster.height {
            let place = row * raster.rowBytes + column * raster.channels
            frame.palette.write(Int(index), to: &raster.bytes, at: place)
            if raster.channels == 4 { raster.bytes[place + 3] = index == frame.clearIndex ? 0 : 255 }
        }
        count += 1
        x += 1
        if x == frame.width { nextRow() }
    }

    private mutating func nextRow() {
        x = 0
        guard frame.isInterlaced else {
            y += 1
            return
        }
        y += Self.passes[pass].1
        while y >= frame.height, pass < 3 {
            pass += 1
            y = Self.passes[pass].0
        }
    }
}

/// Turns GIF's codes of growing width back into indices, as their bytes come.
private struct LZWReader {
    enum Verdict {
        case more
        case end
        case damaged
    }

    private static let most = 4096

    private let clear: Int
    private var width: Int
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// The next code that is given out.
    private var next: Int
    private var previous: Int?
    /// Of each code: the code before its last index, and that index.
    private var prefix: [UInt16]
    private var suffix: [UInt8]
    /// Those of the byte last taken.
    private(set) var indices: [UInt8] = []

    /// - Parameter codeSize: Bits of an index, 1...8.
    init(codeSize: Int) {
        clear = 1 << codeSize
        width = codeSize + 1
        next = clear + 2
        prefix = [UInt16](repeating: 0, count: Self.most)
        suffix = (0..<Self.most).map { UInt8(truncatingIfNeeded: $0) }
    }

    mutating func take(_ byte: UInt8) -> Verdict {
        indices.removeAll(keepingCapacity: true)
        bits |= UInt32(byte) << UInt32(bitCount)
        bitCount += 8
        while bitCount >= width {
            let code = Int(bits & (1 << UInt32(width) - 1))
            bits >>= UInt32(width)
            bitCount -= width
            let verdict = take(code: code)
            guard verdict == .more else { return verdict }
        }
        return .more
    }

    private mutating func take(code: Int) -> Verdict {
        if code == clear {
            width = clear.trailingZeroBitCount + 1
            next = clear + 2
            previous = nil
            return .more
        }
        if code == clear + 1 { return .end }
        guard let previous else {
            guard code < clear else { return .damaged }
            self.previous = code
            indices.append(suffix[code])
            return .more
        }
        guard code <= next, code < Self.most else { return .damaged }
        // A code that is only now given out stands for the text before and its own first index.
        let isNew = code == next
        var low = indices.count
        var rest = isNew ? previous : code
        while rest >= clear {
            indices.append(suffix[rest])
            rest = Int(prefix[rest])
        }
        let first = UInt8(truncatingIfNeeded: rest)
        indices.append(first)
        // The last one stands first.
        var high = indices.count - 1
        while low < high {
            indices.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
        if isNew { indices.append(first) }
        if next < Self.most {
            prefix[next] = UInt16(previous)
            suffix[next] = first
            next += 1
            if next == 1 << width, width < 12 { width += 1 }
        }
        self.previous = code
        return .more
    }
}

// After the GIF89a specification. The first frame on the whole screen: what it does not cover is clear, as browsers show
// it, whatever the background colour says.

enum GIFDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let frame = try GIFFrame(file)
        try limits.check(width: frame.width, height: frame.height, channels: 1)
        let channels = frame.clearIndex == nil && frame.coversScreen ? 3 : 4
        // A code of 12 bits stands for 4,095 indices at most.
        var raster = try Raster(
            width: frame.screenWidth, height: frame.screenHeight, channels: channels, limits: limits,
            source: (there: file.count - frame.start, least: frame.width * frame.height / 2730))
        var pixels = GIFPixels(frame)
        var codes = LZWReader(codeSize: frame.codeSize)
        var blocks = GIFBlocks(file, at: frame.start)
        reading: while !pixels.isFull, let byte = blocks.next() {
            switch codes.take(byte, put: { pixels.write($0, to: &raster) }) {
            case .more: continue
            case .damaged:
                raster.completeness = .damaged("its codes lead nowhere")
                break reading
            case .end: break reading
            }
        }
        guard pixels.count > 0 else { throw blocks.isCut ? .truncated : .invalid("it has no pixels") }
        if !pixels.isFull, raster.completeness == .whole { raster.completeness = .cut }
        return raster
    }
}

/// The bytes of blocks that each begin with their size, up to an empty one.
private struct GIFBlocks {
    private let file: FileBytes
    private(set) var place: Int
    private var left = 0
    /// Whether the file ends before the blocks do.
    private(set) var isCut = false

    init(_ file: FileBytes, at place: Int) {
        self.file = file
        self.place = place
    }

    mutating func next() -> UInt8? {
        if left == 0 {
            guard let size = file[place] else {
                isCut = true
                return nil
            }
            guard size > 0 else { return nil }
            left = Int(size)
            place += 1
        }
        guard let byte = file[place] else {
            isCut = true
            return nil
        }
        place += 1
        left -= 1
        return byte
    }
}

/// What stands before the pixels of a GIF's first frame.
private struct GIFFrame {
    let screenWidth: Int
    let screenHeight: Int
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    /// The index that stands for no colour.
    let clearIndex: UInt8?
    /// Red, green and blue of each index.
    let palette: [UInt8]
    let codeSize: Int
    /// Where the blocks of codes begin.
    let start: Int

    var coversScreen: Bool { left == 0 && top == 0 && width >= screenWidth && height >= screenHeight }

    init(_ file: FileBytes) throws(ImageFault) {
        guard let width = file.little16(6), let height = file.little16(8), let screen = file[10] else {
            throw .truncated
        }
        (screenWidth, screenHeight) = (width, height)
        var place = 13
        let shared = Self.palette(file, at: &place, flags: screen)
        var clear: UInt8?
        walk: while true {
            guard let mark = file[place] else { throw .truncated }
            switch mark {
            case 0x2C: break walk
            case 0x21:
                // Of a graphic control: the fourth byte behind the size, where the first says that it counts.
                if file[place + 1] == 0xF9, file[place + 2] == 4, let flags = file[place + 3] {
                    clear = flags & 1 == 0 ? nil : file[place + 6]
                }
                place = try Self.end(ofBlocks: place + 2, file)
            case 0x3B: throw .invalid("it has no frame")
            default: throw .invalid("an unknown kind of block")
            }
        }
        guard let left = file.little16(place + 1), let top = file.little16(place + 3),
            let frameWidth = file.little16(place + 5), let frameHeight = file.little16(place + 7),
            let flags = file[place + 9]
        else { throw .truncated }
        guard frameWidth > 0, frameHeight > 0 else { throw .invalid("its frame has no size") }
        (self.left, self.top, self.width, self.height) = (left, top, frameWidth, frameHeight)
        isInterlaced = flags & 0x40 != 0
        clearIndex = clear
        place += 10
        palette = Self.palette(file, at: &place, flags: flags) ?? shared ?? []
        guard !palette.isEmpty else { throw .invalid("it has no colours") }
        guard let codeSize = file[place] else { throw .truncated }
        guard (1...8).contains(codeSize) else { throw .invalid("codes of \(codeSize) bits") }
        self.codeSize = Int(codeSize)
        start = place + 1
    }

    /// `nil` where the flags say that there is none; as much as there is where the file ends.
    private static func palette(_ file: FileBytes, at place: inout Int, flags: UInt8) -> [UInt8]? {
        guard flags & 0x80 != 0 else { return nil }
        let size = 3 << (Int(flags & 7) + 1)
        defer { place += size }
        return Array(file.all.dropFirst(place).prefix(size))
    }

    private static func end(ofBlocks start: Int, _ file: FileBytes) throws(ImageFault) -> Int {
        var place = start
        while let size = file[place] {
            place += 1 + Int(size)
            if size == 0 { return place }
        }
        throw .truncated
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
            put(index, to: &raster, at: row * raster.rowBytes + column * raster.channels)
        }
        count += 1
        x += 1
        if x == frame.width { nextRow() }
    }

    private func put(_ index: UInt8, to raster: inout Raster, at place: Int) {
        let start = Int(index) * 3
        if start < frame.palette.count {
            for channel in 0..<3 { raster.bytes[place + channel] = frame.palette[start + channel] }
        }
        if raster.channels == 4 { raster.bytes[place + 3] = index == frame.clearIndex ? 0 : 255 }
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
    private var text: [UInt8] = []

    /// - Parameter codeSize: Bits of an index, 1...8.
    init(codeSize: Int) {
        clear = 1 << codeSize
        width = codeSize + 1
        next = clear + 2
        prefix = [UInt16](repeating: 0, count: Self.most)
        suffix = (0..<Self.most).map { UInt8(truncatingIfNeeded: $0) }
    }

    mutating func take(_ byte: UInt8, put: (UInt8) -> Void) -> Verdict {
        bits |= UInt32(byte) << UInt32(bitCount)
        bitCount += 8
        while bitCount >= width {
            let code = Int(bits & (1 << UInt32(width) - 1))
            bits >>= UInt32(width)
            bitCount -= width
            switch take(code: code, put: put) {
            case .more: continue
            case .end: return .end
            case .damaged: return .damaged
            }
        }
        return .more
    }

    private mutating func take(code: Int, put: (UInt8) -> Void) -> Verdict {
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
            put(suffix[code])
            return .more
        }
        guard code <= next, code < Self.most else { return .damaged }
        // A code that is only now given out stands for the text before and its own first index.
        let isNew = code == next
        spell(isNew ? previous : code)
        guard let first = text.last else { return .damaged }
        for index in text.reversed() { put(index) }
        if isNew { put(first) }
        if next < Self.most {
            prefix[next] = UInt16(previous)
            suffix[next] = first
            next += 1
            if next == 1 << width, width < 12 { width += 1 }
        }
        self.previous = code
        return .more
    }

    /// Last index first.
    private mutating func spell(_ code: Int) {
        text.removeAll(keepingCapacity: true)
        var code = code
        while code >= clear {
            text.append(suffix[code])
            code = Int(prefix[code])
        }
        text.append(UInt8(truncatingIfNeeded: code))
    }
}

// After the GIF89a specification. The first frame on the whole screen: what it does not cover is clear, as browsers show
// it, whatever the background colour says.

import ImageProbe

enum GIFDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let frame = try GIFFrame(file)
        try limits.check(width: frame.width, height: frame.height, channels: 1)
        let channels = frame.clearIndex == nil && frame.coversScreen ? 3 : 4
        var raster = try Raster(
            width: frame.screenWidth, height: frame.screenHeight, channels: channels, limits: limits)
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
struct GIFBlocks {
    private let file: FileBytes
    private(set) var place: Int
    private var left = 0
    /// Whether the file ends before the blocks do.
    private(set) var isCut = false  // a fact about the file

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

/// Puts the indices of a frame, as they come, where they belong.
struct GIFPixels {
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

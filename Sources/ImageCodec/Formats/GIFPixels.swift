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

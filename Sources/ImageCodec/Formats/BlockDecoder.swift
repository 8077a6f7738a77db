// After Direct3D's block compression: 4 × 4 pixels as two ends of a line of colours and, a pixel, a place on it.

/// How 4 × 4 pixels are pressed into one block.
enum BlockKind {
    /// Colours, of which one may be clear.
    case bc1
    /// Colours, and alpha of four bits.
    case bc2
    /// Colours, and alpha on a line of its own.
    case bc3
    /// One channel.
    case bc4
    /// Two channels, and a third that follows from them.
    case bc5

    var bytes: Int {
        switch self {
        case .bc1, .bc4: 8
        case .bc2, .bc3, .bc5: 16
        }
    }

    var channels: Int {
        switch self {
        case .bc1, .bc2, .bc3: 4
        case .bc4: 1
        case .bc5: 3
        }
    }
}

/// Unpacks blocks of one kind, one at a time.
struct BlockDecoder {
    private let kind: BlockKind
    /// The 16 pixels of the block last decoded, row by row.
    private(set) var values: [UInt8]
    /// Four colours of four channels.
    private var colours = [Int](repeating: 0, count: 16)
    private var line = [Int](repeating: 0, count: 8)

    init(_ kind: BlockKind) {
        self.kind = kind
        values = [UInt8](repeating: 0, count: 16 * kind.channels)
    }

    /// Whoever asks has seen that the block is there.
    mutating func decode(_ file: FileBytes, at place: Int) {
        switch kind {
        case .bc1: writeColours(file, at: place, mayBeClear: true)
        case .bc2:
            writeColours(file, at: place + 8, mayBeClear: false)
            for pixel in 0..<16 {
                let pair = file.all[place + pixel / 2]
                values[pixel * 4 + 3] = (pixel % 2 == 0 ? pair & 0xF : pair >> 4) * 17
            }
        case .bc3:
            writeColours(file, at: place + 8, mayBeClear: false)
            writeChannel(3, file, at: place)
        case .bc4: writeChannel(0, file, at: place)
        case .bc5:
            writeChannel(0, file, at: place)
            writeChannel(1, file, at: place + 8)
            for pixel in 0..<16 {
                values[pixel * 3 + 2] = Self.third(values[pixel * 3], values[pixel * 3 + 1])
            }
        }
    }

    /// The part of a direction that points out of the surface; half of 255 is nothing, 255 is 1.
    private static func third(_ red: UInt8, _ green: UInt8) -> UInt8 {
        let (x, y) = (Double(red) / 127.5 - 1, Double(green) / 127.5 - 1)
        return UInt8((max(0, 1 - x * x - y * y).squareRoot() * 127.5 + 127.5).rounded())
    }

    private mutating func writeColours(_ file: FileBytes, at place: Int, mayBeClear: Bool) {
        let (first, second) = (file.little(place, bytes: 2), file.little(place + 2, bytes: 2))
        setEnd(0, first)
        setEnd(1, second)
        let hasFour = !mayBeClear || first > second
        for channel in 0..<4 {
            let (a, b) = (colours[channel], colours[4 + channel])
            colours[8 + channel] = hasFour ? (2 * a + b) / 3 : (a + b) / 2
            colours[12 + channel] = hasFour ? (a + 2 * b) / 3 : 0
        }
        let indices = file.little(place + 4, bytes: 4)
        for pixel in 0..<16 {
            let index = Int(indices >> UInt32(pixel * 2) & 3)
            for channel in 0..<4 {
                values[pixel * 4 + channel] = UInt8(truncatingIfNeeded: colours[index * 4 + channel])
            }
        }
    }

    /// Five bits of red, six of green, five of blue; the highest bits again as the lowest.
    private mutating func setEnd(_ index: Int, _ colour: UInt32) {
        let (red, green, blue) = (Int(colour >> 11), Int(colour >> 5 & 0x3F), Int(colour & 0x1F))
        colours[index * 4] = red << 3 | red >> 2
        colours[index * 4 + 1] = green << 2 | green >> 4
        colours[index * 4 + 2] = blue << 3 | blue >> 2
        colours[index * 4 + 3] = 255
    }

    private mutating func writeChannel(_ channel: Int, _ file: FileBytes, at place: Int) {
        let (a, b) = (Int(file.all[place]), Int(file.all[place + 1]))
        line[0] = a
        line[1] = b
        let steps = a > b ? 7 : 5
        for step in 1..<steps { line[step + 1] = ((steps - step) * a + step * b) / steps }
        if steps == 5 {
            line[6] = 0
            line[7] = 255
        }
        var indices: UInt64 = 0
        for index in 0..<6 { indices |= UInt64(file.all[place + 2 + index]) << UInt64(index * 8) }
        for pixel in 0..<16 {
            let value = line[Int(indices >> UInt64(pixel * 3) & 7)]
            values[pixel * kind.channels + channel] = UInt8(truncatingIfNeeded: value)
        }
    }
}

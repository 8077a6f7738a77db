/// Hands out a TGA's pixels, packed or not, which may run on from row to row.
struct TGAPackets {
    private enum Packet {
        case run
        case literal
    }

    private let file: FileBytes
    private let pixel: TGAPixel
    private var place: Int
    private var packet = Packet.literal
    /// Pixels of the packet that are still to come.
    private var left = 0
    /// Handed out so far.
    private(set) var pixels = 0

    init(_ file: FileBytes, at place: Int, pixel: TGAPixel, isPacked: Bool) {
        self.file = file
        self.place = place
        self.pixel = pixel
        // Pixels that are not packed are one packet without a head.
        left = isPacked ? 0 : .max
    }

    /// Whether the next pixel is not there.
    var isAtEnd: Bool { place > file.count - pixel.bytes - (left == 0 ? 1 : 0) }

    /// Writes so many pixels, or as many as there are.
    mutating func write(_ count: Int, to output: inout [UInt8], at start: Int) {
        var target = start
        let end = start + count * pixel.channels
        while target < end, !isAtEnd {
            if left == 0 { readHead() }
            pixel.write(file, at: place, to: &output, at: target)
            target += pixel.channels
            pixels += 1
            left -= 1
            switch packet {
            case .literal: place += pixel.bytes
            case .run: if left == 0 { place += pixel.bytes }
            }
        }
    }

    private mutating func readHead() {
        let head = file.all[place]
        packet = head & 0x80 == 0 ? .literal : .run
        left = Int(head & 0x7F) + 1
        place += 1
    }
}

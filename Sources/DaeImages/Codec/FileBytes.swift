/// The bytes of a file; what would stand behind its end reads as `nil`.
struct FileBytes {
    let all: [UInt8]

    init(_ all: [UInt8]) { self.all = all }

    var count: Int { all.count }

    subscript(_ place: Int) -> UInt8? { all.indices.contains(place) ? all[place] : nil }

    func little16(_ place: Int) -> Int? {
        guard place >= 0, place <= count - 2 else { return nil }
        return Int(all[place]) | Int(all[place + 1]) << 8
    }

    func little32(_ place: Int) -> Int? {
        guard place >= 0, place <= count - 4 else { return nil }
        return Int(all[place]) | Int(all[place + 1]) << 8 | Int(all[place + 2]) << 16 | Int(all[place + 3]) << 24
    }

    /// A number of `bytes` (1...4), lowest first. Whoever asks has seen that it is there.
    func little(_ place: Int, bytes: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<bytes { value |= UInt32(all[place + index]) << UInt32(8 * index) }
        return value
    }

    func text(_ place: Int, count: Int) -> String? {
        guard place >= 0, place <= all.count - count else { return nil }
        return String(decoding: all[place..<(place + count)], as: UTF8.self)
    }
}

/// A channel among the bits of a pixel.
private struct BitField {
    private let shift: UInt32
    private let largest: UInt32

    /// `nil` where the ones of the mask do not stand together, or there are none.
    init?(mask: UInt32) {
        guard mask != 0 else { return nil }
        shift = UInt32(mask.trailingZeroBitCount)
        largest = mask >> shift
        guard largest & (largest &+ 1) == 0 else { return nil }
    }

    /// The channel's value to the nearest of 0...255.
    func value(in pixel: UInt32) -> UInt8 {
        let value = pixel >> shift & largest
        if largest == 255 { return UInt8(truncatingIfNeeded: value) }
        return UInt8(truncatingIfNeeded: (UInt64(value) * 255 + UInt64(largest / 2)) / UInt64(largest))
    }
}

/// Where the channels of a pixel of one number stand.
struct BitFields {
    private let fields: [BitField?]

    /// - Parameter masks: One a channel; 0 for one that is black, or opaque.
    /// - Throws: Where the ones of a mask do not stand together.
    init(masks: [UInt32]) throws(ImageFault) {
        var fields: [BitField?] = []
        for mask in masks {
            let field = BitField(mask: mask)
            guard mask == 0 || field != nil else { throw .unsupported("the bits of a channel do not stand together") }
            fields.append(field)
        }
        self.fields = fields
    }

    var count: Int { fields.count }

    func write(_ pixel: UInt32, to output: inout [UInt8], at place: Int) {
        for channel in fields.indices {
            output[place + channel] = fields[channel]?.value(in: pixel) ?? (channel == 3 ? 255 : 0)
        }
    }

    /// Red, green and blue of five bits each, and alpha of one.
    static let fifteenBits: [UInt32] = [0x7C00, 0x03E0, 0x001F, 0x8000]
    /// As most files for Windows have them.
    static let thirtyTwoBits: [UInt32] = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
}

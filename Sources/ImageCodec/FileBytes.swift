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

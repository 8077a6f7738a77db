/// 128 bits that tell arrays apart; not made to withstand who looks for two alike.
struct ContentHash: Hashable {
    private(set) var low: UInt64 = 0x9E37_79B9_7F4A_7C15
    private(set) var high: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    @inline(__always)
    mutating func add(_ word: UInt64) {
        Self.mix(&low, word)
        high = (high &+ word) &* 0xD6E8_FEB8_6659_FD93
        high = high << 31 | high >> 33
    }

    mutating func add(_ number: Int) { add(UInt64(truncatingIfNeeded: number)) }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        for byte in text.utf8 { add(UInt64(byte)) }
    }

    mutating func add(_ values: [Double]) {
        add(values.count)
        let values = values.span
        add(words: values.count) { values[$0].bitPattern }
    }

    mutating func add(_ values: [Int32]) {
        add(values.count)
        values.withUnsafeBytes { bytes in
            add(words: bytes.count / 8) { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        }
        if values.count % 2 == 1, let last = values.last { add(UInt64(UInt32(bitPattern: last))) }
    }

    /// Four in turn are hashed side by side: a processor multiplies for all of them at once, where one would have to wait
    /// for itself.
    @inline(__always)
    private mutating func add(words count: Int, _ word: (Int) -> UInt64) {
        var lanes = (low, high, ~low, ~high)
        let even = count & ~3
        var index = 0
        while index < even {
            Self.mix(&lanes.0, word(index))
            Self.mix(&lanes.1, word(index + 1))
            Self.mix(&lanes.2, word(index + 2))
            Self.mix(&lanes.3, word(index + 3))
            index += 4
        }
        if even > 0 {
            add(lanes.0)
            add(lanes.1)
            add(lanes.2)
            add(lanes.3)
        }
        while index < count {
            add(word(index))
            index += 1
        }
    }

    /// No two words lead from one state to the same.
    @inline(__always)
    private static func mix(_ state: inout UInt64, _ word: UInt64) {
        state = (state ^ word) &* 0x9FB2_1C65_1E98_DF25
        state ^= state >> 29
    }
}

/// 128 bits that tell arrays apart; not made to withstand who looks for two alike.
struct ContentHash: Hashable {
    private(set) var low: UInt64 = 0x9E37_79B9_7F4A_7C15
    private(set) var high: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    @inline(__always)
    mutating func add(_ word: UInt64) {
        low = (low ^ word) &* 0x9FB2_1C65_1E98_DF25
        low ^= low >> 29
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
        let values = values.span
        add(words: values.count / 2) {
            UInt64(UInt32(bitPattern: values[2 * $0])) << 32 | UInt64(UInt32(bitPattern: values[2 * $0 + 1]))
        }
        if values.count % 2 == 1 { add(UInt64(UInt32(bitPattern: values[values.count - 1]))) }
    }

    /// Four in turn go into hashes of their own: a processor multiplies for all of them at once, where one would have to
    /// wait for itself.
    @inline(__always)
    private mutating func add(words count: Int, _ word: (Int) -> UInt64) {
        var lanes = (ContentHash(), ContentHash(), ContentHash(), ContentHash())
        let even = count & ~3
        var index = 0
        while index < even {
            lanes.0.add(word(index))
            lanes.1.add(word(index + 1))
            lanes.2.add(word(index + 2))
            lanes.3.add(word(index + 3))
            index += 4
        }
        for lane in [lanes.0, lanes.1, lanes.2, lanes.3] where even > 0 {
            add(lane.low)
            add(lane.high)
        }
        while index < count {
            add(word(index))
            index += 1
        }
    }
}

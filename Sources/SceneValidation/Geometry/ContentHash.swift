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
        for index in values.indices { add(values[index].bitPattern) }
    }

    mutating func add(_ values: [Int32]) {
        add(values.count)
        let values = values.span
        var index = 0
        while index + 1 < values.count {
            add(UInt64(UInt32(bitPattern: values[index])) << 32 | UInt64(UInt32(bitPattern: values[index + 1])))
            index += 2
        }
        if index < values.count { add(UInt64(UInt32(bitPattern: values[index]))) }
    }
}

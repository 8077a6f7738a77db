/// Which positions a primitive uses: one bit each.
struct UsedPositions {
    /// Positions there are.
    let count: Int
    /// A bit each, those of the first in the lowest.
    var words: [UInt64]

    init(count: Int) {
        self.count = count
        words = Array(of: (count + 63) / 64, each: 0)
    }

    /// A bit each, those of the first in the lowest; nothing where all are used.
    var bits: [UInt64] { used == count ? [] : words }

    /// How many are used.
    var used: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    subscript(index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }
}

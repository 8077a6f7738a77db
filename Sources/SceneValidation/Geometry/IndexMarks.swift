import SceneModel

/// Which elements of a stream are used: one bit each.
struct IndexMarks {
    let count: Int
    /// Corners marked, each as often as it came.
    private(set) var corners = 0
    private var words: [UInt64]

    init(count: Int) {
        self.count = count
        // One by one: the library's own way takes longer than to write the few that most have.
        words = []
        words.reserveCapacity((count + 63) / 64)
        for _ in 0..<(count + 63) / 64 { words.append(0) }
    }

    var used: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    subscript(index: Int) -> Bool { (0..<count).contains(index) && words[index >> 6] >> UInt64(index & 63) & 1 == 1 }

    /// Indices that lead nowhere are passed over.
    ///
    /// - Parameters:
    ///   - list: Of all corners.
    ///   - step: Indices of a corner.
    mutating func mark(_ list: [Int32], offset: Int, step: Int) {
        let indices = list.span
        let limit = UInt32(clamping: count)
        var at = offset
        var marked = 0
        var words = words.mutableSpan
        while at < indices.count {
            let index = UInt32(bitPattern: indices[at])
            if index < limit {
                words[Int(index >> 6)] |= 1 &<< UInt64(index & 63)
                marked += 1
            }
            at += step
        }
        corners += marked
    }
}

/// A set of byte positions, kept as ranges that neither touch nor overlap, in order.
struct ByteRanges: Sendable, Hashable {
    private(set) var ranges: [Range<Int64>] = []

    /// How many positions are in it.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// The place of the first range that ends behind `position`.
    private func place(of position: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The end of the run that holds `position`; `nil` where it is not in the set.
    func end(of position: Int64) -> Int64? {
        let place = place(of: position)
        guard place < ranges.count, ranges[place].lowerBound <= position else { return nil }
        return ranges[place].upperBound
    }

    /// The first position from `position` on that is in the set; `nil` where there is none.
    func next(from position: Int64) -> Int64? {
        let place = place(of: position)
        return place < ranges.count ? max(position, ranges[place].lowerBound) : nil
    }

    /// The end of the last range that ends at `position` or before; `nil` where there is none.
    func end(before position: Int64) -> Int64? {
        let place = place(of: position)
        return place > 0 ? ranges[place - 1].upperBound : nil
    }

    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // Ranges that touch become one.
        let first = place(of: range.lowerBound - 1)
        var (last, whole) = (first, range)
        while last < ranges.count, ranges[last].lowerBound <= range.upperBound {
            whole = min(whole.lowerBound, ranges[last].lowerBound)..<max(whole.upperBound, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: [whole])
    }
}

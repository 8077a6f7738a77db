extension Array where Element: BitwiseCopyable {
    /// The same without room left over: an array that grew has room for up to twice its elements.
    consuming func fitted() -> [Element] {
        let least = 16
        guard capacity - count > Swift.max(least, count / 8) else { return self }
        var copy: [Element] = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: self)
        return copy
    }
}

extension Array {
    /// So many equal elements, where they are few: the library's own way asks the runtime for the type of what holds them,
    /// which takes longer than to write them.
    @inline(__always)
    init(of count: Int, each element: Element) {
        self = []
        reserveCapacity(count)
        for _ in 0..<count { append(element) }
    }
}

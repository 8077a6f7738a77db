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

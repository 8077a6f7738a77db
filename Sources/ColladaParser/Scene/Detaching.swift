// A scene outlives the document it was built of. Where its small blocks of memory lay among those of the document, each
// would keep a page in memory once the document is gone; so it has copies of what is small, and shares what is large.

extension Array where Element: BitwiseCopyable {
    /// The same in memory of its own where it is small; where it is large, the same memory.
    func detached() -> [Element] {
        let largest = 16 << 10
        guard count <= largest / MemoryLayout<Element>.stride else { return self }
        var copy: [Element] = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: self)
        return copy
    }
}

extension String {
    /// The same in memory of its own.
    func detached() -> String {
        let mostWithoutMemory = 15
        guard utf8.count > mostWithoutMemory else { return self }
        return utf8.withContiguousStorageIfAvailable { String(decoding: $0, as: UTF8.self) } ?? self
    }
}

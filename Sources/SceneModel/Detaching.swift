// A scene outlives the document it was built of. Where its small blocks of memory lay among those of the document, each
// would keep a page in memory once the document is gone; so it has copies of what is small, and shares what is large.

/// Detaches arrays of which some may be one and the same, which they then are again.
package struct Detacher {
    /// By where the array is that each was copied from, which is alive as long as its document.
    private var copies: [UnsafePointer<Double>: [Double]] = [:]

    package init() {}

    mutating func detached(_ values: [Double]) -> [Double] {
        guard values.isSmall, let place = values.withUnsafeBufferPointer(\.baseAddress) else { return values }
        if let known = copies[place], known.count == values.count { return known }
        let copy = values.detached()
        copies[place] = copy
        return copy
    }
}

// One for each kind: a generic one would be no whole for the compiler when it is called from another module.

extension [Double] {
    /// The same in memory of its own where it is small; where it is large, the same memory.
    package func detached() -> [Double] { copied() }
}

extension [Int32] {
    /// The same in memory of its own where it is small; where it is large, the same memory.
    package func detached() -> [Int32] { copied() }
}

extension Array where Element: BitwiseCopyable {
    @inline(__always)
    fileprivate func copied() -> [Element] {
        guard isSmall else { return self }
        return withUnsafeBufferPointer { Array($0) }
    }

    /// Whether it takes less than a page of memory.
    fileprivate var isSmall: Bool { count < 4096 / MemoryLayout<Element>.stride }
}

extension String {
    /// The same in memory of its own.
    package func detached() -> String {
        let mostWithoutMemory = 15
        guard utf8.count > mostWithoutMemory else { return self }
        return utf8.withContiguousStorageIfAvailable { String(decoding: $0, as: UTF8.self) } ?? self
    }

    /// The same in memory of its own, or in that of an id, which many exporters write as the name, too.
    package func detached(or id: String?) -> String {
        if let id, id == self { id } else { detached() }
    }
}

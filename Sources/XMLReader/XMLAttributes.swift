/// The attributes of one element as an event brings them; valid during the event only.
public struct XMLAttributes {
    @usableFromInline struct Entry {
        /// Its number only when it has no prefix.
        @usableFromInline var name: XMLName
        @usableFromInline var value: UnsafeRawBufferPointer

        init(name: XMLName, value: UnsafeRawBufferPointer) {
            self.name = name
            self.value = value
        }
    }
    @usableFromInline let entries: UnsafePointer<Entry>?
    public let count: Int
    /// Markup in which all values lie, from the first one to the end of the last; `nil` where they lie apart.
    public let written: UnsafeRawBufferPointer?

    init(_ entries: UnsafeBufferPointer<Entry>, written: UnsafeRawBufferPointer? = nil) {
        self.entries = entries.baseAddress
        count = entries.count
        self.written = written
    }

    /// The name of the attribute at `index`; `nil` where there is none. Its number only when it has no prefix.
    @inlinable @inline(__always)
    public func name(at index: Int) -> XMLName? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name
    }

    /// The number in the vocabulary of the name at `index`; `nil` of one that is not in it or has a prefix.
    @inlinable @inline(__always)
    public func number(at index: Int) -> Int? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name.number
    }

    /// The value of the attribute at `index` as UTF-8, entities resolved, white space normalised; empty where none is.
    @inlinable @inline(__always)
    public func value(at index: Int) -> UnsafeRawBufferPointer {
        guard let entries, index >= 0, index < count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return entries[index].value
    }
}

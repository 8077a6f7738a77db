/// The attributes of one element as an event brings them; valid during the event only.
public struct XMLAttributes {
    struct Entry {
        /// Its number only when it has no prefix.
        var name: XMLName
        var value: UnsafeRawBufferPointer
    }
    private let entries: UnsafePointer<Entry>?
    public let count: Int

    init(_ entries: UnsafeBufferPointer<Entry>) {
        self.entries = entries.baseAddress
        count = entries.count
    }

    /// The name of the attribute at `index`; `nil` where there is none. Its number only when it has no prefix.
    public func name(at index: Int) -> XMLName? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name
    }

    /// The number in the vocabulary of the name at `index`; `nil` of one that is not in it or has a prefix.
    public func number(at index: Int) -> Int? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name.number
    }

    /// The value of the attribute at `index` as UTF-8, entities resolved, white space normalised; empty where none is.
    public func value(at index: Int) -> UnsafeRawBufferPointer {
        guard let entries, index >= 0, index < count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return entries[index].value
    }
}

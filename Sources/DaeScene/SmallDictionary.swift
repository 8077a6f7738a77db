// Materials and effects have a handful of values each, and there are thousands of them: a table by hashes has several
// times the size of what is in it, and is slower than a look through the list.

/// A dictionary that is a plain list as long as it is short.
///
/// Public, for what is the package's alone is specialised in no other module: scenes took a tenth more instructions.
public struct SmallDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry: Sendable {
        // First, as its end often leaves room for the key.
        @usableFromInline var value: Value
        @usableFromInline let key: Key

        @inlinable init(_ key: Key, _ value: Value) {
            self.value = value
            self.key = key
        }
    }

    @usableFromInline enum Storage: Sendable {
        /// In the order in which they were added.
        case list([Entry])
        case table([Key: Value])
    }

    @usableFromInline var storage = Storage.list([])

    @inlinable static var longestList: Int { 16 }

    /// Nothing.
    @inlinable public init() {}

    /// The value of a key; `nil` without one.
    @inlinable public subscript(key: Key) -> Value? {
        get {
            switch storage {
            case .list(let entries):
                for index in entries.indices where entries[index].key == key { return entries[index].value }
                return nil
            case .table(let table): return table[key]
            }
        }
        set {
            switch storage {
            case .list(var entries):
                storage = .list([])
                let known = entries.firstIndex { $0.key == key }
                if let newValue {
                    if let known {
                        entries[known].value = newValue
                    } else {
                        entries.append(Entry(key, newValue))
                    }
                } else if let known {
                    entries.remove(at: known)
                }
                storage = entries.count > Self.longestList ? .table(Self.table(of: entries)) : .list(entries)
            case .table(var table):
                storage = .list([])
                table[key] = newValue
                storage = .table(table)
            }
        }
    }

    @inlinable static func table(of entries: [Entry]) -> [Key: Value] {
        var table: [Key: Value] = [:]
        for entry in entries { table[entry.key] = entry.value }
        return table
    }

    /// Makes room for a list of so many; for more it is made as they come.
    @inlinable public mutating func reserveCapacity(_ count: Int) {
        switch storage {
        case .list(var entries):
            storage = .list([])
            entries.reserveCapacity(Swift.min(count, Self.longestList))
            storage = .list(entries)
        case .table: break
        }
    }

    /// Keys in it.
    @inlinable public var count: Int {
        switch storage {
        case .list(let entries): entries.count
        case .table(let table): table.count
        }
    }

    /// Whether nothing is in it.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// In no order that says anything.
    @inlinable public var keys: [Key] { map(\.key) }

    /// Shows each value where it lies, in no order that says anything.
    @inlinable package func forEachValue(_ visit: (borrowing Value) -> Void) {
        switch storage {
        case .list(let entries):
            let entries = entries.span
            for index in entries.indices { visit(entries[index].value) }
        case .table(let table): for value in table.values { visit(value) }
        }
    }

    /// In that of ``keys``.
    @inlinable public var values: [Value] { map(\.value) }
}

extension SmallDictionary: Sequence {
    @inlinable public func makeIterator() -> IndexingIterator<[(key: Key, value: Value)]> {
        switch storage {
        case .list(let entries): entries.map { (key: $0.key, value: $0.value) }.makeIterator()
        case .table(let table): table.map { (key: $0.key, value: $0.value) }.makeIterator()
        }
    }
}

extension SmallDictionary: ExpressibleByDictionaryLiteral {
    /// Of values with the same key the last one counts.
    @inlinable public init(dictionaryLiteral elements: (Key, Value)...) {
        for (key, value) in elements { self[key] = value }
    }
}

extension SmallDictionary: Equatable where Value: Equatable {
    @inlinable public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

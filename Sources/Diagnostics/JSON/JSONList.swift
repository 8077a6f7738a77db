extension JSONValue {
    /// An object whose members stand in the order in which they are written: that of their keys. As a row of a long list
    /// it costs no hashing.
    public struct Row: Sendable, ExpressibleByDictionaryLiteral {
        // As the literal has them: with labels they would have to be copied.
        let members: [(String, JSONValue)]

        /// - Parameter elements: Best in the order of their keys, which are all different; else they are sorted.
        public init(dictionaryLiteral elements: (String, JSONValue)...) {
            for place in elements.indices.dropFirst() where elements[place - 1].0 >= elements[place].0 {
                members = elements.sorted { $0.0 < $1.0 }
                return
            }
            members = elements
        }

        public var json: JSONValue { .object(Dictionary(members) { _, last in last }) }
    }

    /// A list whose rows are made one by one while they are written.
    public struct List {
        public let name: String
        public let count: Int
        public let row: (Int) -> Row

        /// - Parameter row: Asked for 0..<`count`, in this order.
        public init(_ name: String, count: Int, row: @escaping (Int) -> Row) {
            self.name = name
            self.count = count
            self.row = row
        }

        public var json: JSONValue { .array((0..<count).map { row($0).json }) }
    }

    /// Bytes from which on a text that is made in pieces is handed on.
    private static let pieceSize = 1 << 16

    /// Makes the text of an object of `members` and `lists`, no two of which have one name, piece by piece: neither the
    /// rows nor the text need be there all at once.
    ///
    /// - Parameter take: Takes the next piece, UTF-8 and without a line end at the last one's end; says whether it wants
    ///   more.
    public static func write(
        _ style: Style, _ members: [String: JSONValue], lists: [List], to take: ([UInt8]) -> Bool
    ) {
        write(style, members, lists: lists, below: nil, to: take)
    }

    /// The same where the lists are in an object within the one that is written.
    ///
    /// - Parameter below: The inner object's name and its members beside the lists; `nil` for lists at the top.
    public static func write(
        _ style: Style, _ members: [String: JSONValue], lists: [List],
        below inner: (name: String, members: [String: JSONValue])?, to take: ([UInt8]) -> Bool
    ) {
        var writer = JSONWriter(style: style)
        var wantsMore = true
        func write(_ members: [String: JSONValue], _ lists: [List], _ level: Int, _ writer: inout JSONWriter) {
            writer.writeList((members.keys + lists.map(\.name)).sorted(), "{", "}", level) { writer, key in
                guard wantsMore else { return }
                writer.writeKey(key)
                guard let list = lists.first(where: { $0.name == key }) else {
                    return writer.write(members[key] ?? .null, level: level + 1)
                }
                writer.writeList(0..<list.count, "[", "]", level + 1) { writer, index in
                    guard wantsMore else { return }
                    writer.write(list.row(index), level: level + 2)
                    guard writer.bytes.count >= pieceSize else { return }
                    wantsMore = take(writer.bytes)
                    writer.bytes.removeAll(keepingCapacity: true)
                }
            }
        }
        if let inner {
            writer.writeList((members.keys + [inner.name]).sorted(), "{", "}", 0) { writer, key in
                guard wantsMore else { return }
                writer.writeKey(key)
                if key == inner.name {
                    write(inner.members, lists, 1, &writer)
                } else {
                    writer.write(members[key] ?? .null, level: 1)
                }
            }
        } else {
            write(members, lists, 0, &writer)
        }
        if wantsMore { _ = take(writer.bytes) }
    }
}

/// Many ids in one piece of memory, for what is seldom asked.
struct IDList: Sendable {
    /// A byte 0, which no id has, behind each.
    private var bytes: [UInt8] = []

    mutating func append(_ ids: some Sequence<String>) {
        for id in ids {
            bytes.append(contentsOf: id.utf8)
            bytes.append(0)
        }
    }

    mutating func append(_ other: IDList) { bytes += other.bytes }

    var ids: [String] {
        bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}

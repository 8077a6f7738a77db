/// Whether ids are among many, for what is seldom asked: of each no more than a hash.
struct IDList: Sendable {
    private var hashes: [UInt64] = []
    /// Those with other letters than ASCII's: two of them are the same where their characters are, however written.
    private var others: Set<String> = []
    /// The same for all, since lists are put together.
    private static let hash = IDHash()

    mutating func append(_ id: String) {
        if let hash = Self.hash.ofASCII(id.utf8.span.bytes) { hashes.append(hash) } else { others.insert(id) }
    }

    mutating func append(_ ids: some Sequence<String>) {
        for id in ids { append(id) }
    }

    mutating func append(_ other: IDList) {
        hashes += other.hashes
        others.formUnion(other.others)
    }

    func joined(with other: IDList) -> IDList {
        var joined = self
        joined.append(other)
        return joined
    }

    /// For many questions.
    var members: Members { Members(hashes: Set(hashes), others: others) }

    struct Members {
        fileprivate let hashes: Set<UInt64>
        fileprivate let others: Set<String>

        func contains(_ id: String) -> Bool {
            if let hash = IDList.hash.ofASCII(id.utf8.span.bytes) { hashes.contains(hash) } else { others.contains(id) }
        }
    }
}

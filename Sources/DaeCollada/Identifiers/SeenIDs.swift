// Every id of a document passes here once. Of each only a hash is kept, with its place.

import DaeSchema
import DaeXML

/// The first element of each id that a document has had so far.
struct SeenIDs: ~Copyable {
    struct First: BitwiseCopyable {
        let element: ElementName
        let position: XMLPosition
    }

    struct Entry: BitwiseCopyable {
        let hash: UInt64
        let first: First
    }

    private var entries = FlatList<Entry>()
    private var slots = HashSlots()
    private let hash = IDHash()

    /// Notes an element with an id.
    ///
    /// - Returns: The element that had it before.
    mutating func insert(_ id: UnsafeRawBufferPointer, of element: ElementName, at position: XMLPosition) -> First? {
        let hash = hash(id.bytes)
        if let place = slots.place(of: hash, where: { entries.at($0).pointee.hash == hash }) {
            return entries.at(place).pointee.first
        }
        guard slots.hasRoom(for: entries.count + 1) || makeRoom(for: entries.count + 1) else { return nil }
        slots.put(entries.count, hash)
        entries.append(Entry(hash: hash, first: First(element: element, position: position)))
        return nil
    }

    /// False beyond what slots can hold: a document that has so many ids takes tens of gigabytes.
    private mutating func makeRoom(for count: Int) -> Bool {
        let known = UnsafeBufferPointer(start: entries.at(0), count: entries.count)
        return slots.makeRoom(for: count, known.lazy.map { $0.hash })
    }
}

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

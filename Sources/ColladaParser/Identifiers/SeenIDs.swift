// Every id of a document passes here once. Of each only a hash is kept, with its place.

import XMLReader

/// The first element of each id that a document has had so far.
struct SeenIDs: ~Copyable {
    struct First {
        let element: ElementName
        let position: XMLPosition
    }

    /// One for each id, so it is packed, and the document left out, which is the same for all.
    private struct Packed: BitwiseCopyable {
        let hash: UInt64
        let line: UInt32
        let column: UInt32
        let byteLow: UInt32
        let byteHigh: UInt16
        let element: ElementName

        init(_ element: ElementName, at position: XMLPosition, _ hash: UInt64) {
            self.hash = hash
            self.element = element
            line = UInt32(clamping: position.line)
            column = UInt32(clamping: position.column)
            let byte = min(UInt64(clamping: position.byte), 1 << 48 - 1)
            byteLow = UInt32(truncatingIfNeeded: byte)
            byteHigh = UInt16(truncatingIfNeeded: byte >> 32)
        }

        func first(inDocumentOf other: XMLPosition) -> First {
            let byte = Int64(byteHigh) << 32 | Int64(byteLow)
            var position = XMLPosition(line: Int(line), column: Int(column), byte: byte)
            position.document = other.document
            return First(element: element, position: position)
        }
    }

    private let firsts = PiecedList<Packed>()
    private var slots = HashSlots()
    private let hash = IDHash()

    /// Notes an element with an id.
    ///
    /// - Returns: The element that had it before.
    mutating func insert(_ id: UnsafeRawBufferPointer, of element: ElementName, at position: XMLPosition) -> First? {
        let hash = hash(id.bytes)
        if let place = slots.place(of: hash, where: { firsts[$0].hash == hash }) {
            return firsts[place].first(inDocumentOf: position)
        }
        // Beyond what slots can hold nothing is kept; a document that has so many ids takes tens of gigabytes.
        let count = firsts.count + 1
        guard slots.hasRoom(for: count) || slots.makeRoom(for: count, hashes) else { return nil }
        slots.put(firsts.count, hash)
        firsts.append(Packed(element, at: position, hash))
        return nil
    }

    private var hashes: some Collection<UInt64> { (0..<firsts.count).lazy.map { [firsts] in firsts[$0].hash } }
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

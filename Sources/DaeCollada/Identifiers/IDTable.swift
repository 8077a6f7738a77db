import DaeSchema
import DaeXML

// Every id of a document goes through here once, and every reference again: bytes are hashed as they are, without a String
// made of a part of another.

/// What the ids of one document lead to.
struct IDTable<Value: BitwiseCopyable> {
    private var entries: [Entry] = []
    private var slots = HashSlots()
    /// Those with other letters than ASCII's, which are the same where their characters are, however they are written.
    private var others: [String: Value] = [:]
    private let hash = IDHash()

    private struct Entry: BitwiseCopyable {
        let value: Value
        let hash: UInt64
    }

    mutating func reserveCapacity(_ count: Int) {
        if !slots.hasRoom(for: count), makeRoom(for: count) { entries.reserveCapacity(count) }
    }

    /// False beyond what slots can hold: a document that has so many ids takes tens of gigabytes.
    private mutating func makeRoom(for count: Int) -> Bool {
        slots.makeRoom(for: count, entries.lazy.map { $0.hash })
    }

    subscript(id: String) -> Value? {
        guard let hash = hash.ofASCII(id.utf8.span.bytes) else { return others[id] }
        guard let place = place(of: hash) else { return nil }
        return entries[place].value
    }

    /// The value of the id that a reference names, whichever document that is of.
    subscript(idOf reference: ColladaDocument.Reference) -> Value? {
        self[reference.id]
    }

    /// Keeps a value where there is none yet.
    ///
    /// - Returns: The value that was there.
    @discardableResult
    mutating func insert(_ value: Value, for id: String) -> Value? {
        guard let hash = hash.ofASCII(id.utf8.span.bytes) else {
            if let known = others[id] { return known }
            others[id] = value
            return nil
        }
        if let place = place(of: hash) { return entries[place].value }
        guard slots.hasRoom(for: entries.count + 1) || makeRoom(for: entries.count + 1) else { return nil }
        slots.put(entries.count, hash)
        entries.append(Entry(value: value, hash: hash))
        return nil
    }

    private func place(of hash: UInt64) -> Int? {
        slots.place(of: hash) { entries[$0].hash == hash }
    }
}

/// Finds places in a list by 64-bit hashes, which the list keeps.
///
/// A slot has the place's number from 1 in its low bits, 0 for none, and bits of its hash above: most places that another
/// hash leads to are passed over without a look into the list, which would be another line of memory.
struct HashSlots {
    /// Behind one another from the slot that a hash says; as many as a power of two, or none.
    private var slots: [UInt32] = []
    /// As many as number the slots.
    private var bits: UInt32 = 0
    private static let mostBits: UInt32 = 30
    /// From here on memory counts for more than the time it takes to put all places into a larger room.
    private static let manyBits: UInt32 = 18

    /// - Parameter isIt: Whether a place of the list has the hash.
    @inline(__always)
    func place(of hash: UInt64, where isIt: (Int) -> Bool) -> Int? {
        guard !slots.isEmpty else { return nil }
        let mask = slots.count &- 1
        let marked = Self.mark(hash, above: bits)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if (slots[slot] ^ marked) &>> bits == 0 {
                let place = Int(slots[slot]) & mask &- 1
                if isIt(place) { return place }
            }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    /// Whether there is room for so many, of which at most three of four slots are taken.
    @inline(__always)
    func hasRoom(for places: Int) -> Bool { places <= slots.count / 4 * 3 }

    /// Makes room for so many.
    ///
    /// - Parameter hashes: The list's.
    /// - Returns: False where that is more than any document has ids.
    mutating func makeRoom(for places: Int, _ hashes: some Collection<UInt64>) -> Bool {
        var bits = max(4, self.bits)
        while (1 << Int(bits)) / 4 * 3 < places {
            // A little room is made larger at once: each time all places are put into it anew.
            bits += bits < Self.manyBits ? 2 : 1
            guard bits <= Self.mostBits else { return false }
        }
        self.bits = bits
        slots = Array(repeating: 0, count: 1 << Int(bits))
        var place = 0
        for hash in hashes {
            put(place, hash)
            place += 1
        }
        return true
    }

    /// Adds a place that has room and is not there.
    mutating func put(_ place: Int, _ hash: UInt64) {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = Self.mark(hash, above: bits) | UInt32(truncatingIfNeeded: place &+ 1)
    }

    private static func mark(_ hash: UInt64, above bits: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: hash &>> 32) &<< bits
    }
}

// Of ids only hashes are kept wherever that is enough: 64 bits under a key that no file knows tell the ids of any document
// apart, and no file can choose some that fall together.

/// Hashes of ids, under a key that each process has of its own: to ask the system for another one for each table takes
/// longer than a small document.
struct IDHash: Sendable {
    private let key = Self.ownKey
    private let factor = Self.ownFactor

    private static let ownKey = UInt64.random(in: .min ... .max)
    /// Odd, so that no word is lost in a product.
    private static let ownFactor = UInt64.random(in: .min ... .max) | 1

    /// The hash of an id's bytes.
    @inline(__always)
    func callAsFunction(_ id: RawSpan) -> UInt64 {
        var letters: UInt64 = 0
        return hash(id, &letters)
    }

    /// The same; `nil` where not all letters are ASCII's.
    @inline(__always)
    func ofASCII(_ id: RawSpan) -> UInt64? {
        var letters: UInt64 = 0
        let hash = hash(id, &letters)
        return letters & 0x8080_8080_8080_8080 == 0 ? hash : nil
    }

    /// - Parameter letters: Gets the bits of all of them.
    @inline(__always)
    private func hash(_ id: RawSpan, _ letters: inout UInt64) -> UInt64 {
        let count = id.byteCount
        var state = key
        var at = 0
        while at &+ 8 <= count {
            let word = id.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
            letters |= word
            state = fold(state ^ word)
            at &+= 8
        }
        // A bit above the last letters, of which there are seven at most, says how many they are.
        var rest: UInt64 = 1
        while at < count {
            rest = rest << 8 | UInt64(id.unsafeLoadUnaligned(fromByteOffset: at, as: UInt8.self))
            at &+= 1
        }
        letters |= rest
        return fold(state ^ rest)
    }

    @inline(__always)
    private func fold(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}

// Exporters give the same ids to the sources and samplers of each animation. The nearest one is meant: that of the same
// animation, else of the animations around it, from the inside out, with all within each.

/// What animations hold by id, where an id stands more than once.
struct NearestByID<Value> {
    private struct Key: Hashable {
        /// An animation with all within it; −1 for the document.
        let scope: Int
        let id: String
    }
    private var values: [Key: Value] = [:]
    /// The animation around each, by its place.
    private let parents: [Int]

    /// Animations around one that are looked at: no exporter nests them as deep.
    private static var depthLimit: Int { 16 }

    /// - Parameter children: Of each animation those within it.
    init(children: some Collection<[Int]>) {
        var parents = [Int](repeating: -1, count: children.count)
        for (parent, list) in children.enumerated() {
            for child in list where parents.indices.contains(child) { parents[child] = parent }
        }
        self.parents = parents
    }

    /// Of two in one place the first counts, in the order in which they are added.
    mutating func add(_ value: Value, _ id: String, in animation: Int) {
        for scope in scopes(around: animation) + [-1] {
            let key = Key(scope: scope, id: id)
            if values[key] != nil { continue }
            values[key] = value
        }
    }

    /// In an animation or one around it.
    func near(_ id: String, _ animation: Int) -> Value? {
        for scope in scopes(around: animation) {
            if let value = values[Key(scope: scope, id: id)] { return value }
        }
        return nil
    }

    /// The first of the document.
    func first(_ id: String) -> Value? { values[Key(scope: -1, id: id)] }

    /// The animation itself and those around it.
    private func scopes(around animation: Int) -> [Int] {
        var scopes: [Int] = []
        var scope = animation
        while scope >= 0, scope < parents.count, scopes.count < Self.depthLimit {
            scopes.append(scope)
            scope = parents[scope]
        }
        return scopes
    }
}

// Every id of a document passes here once. Of each only a hash is kept, with its place.

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

// Every id of a document goes through here once, and every reference again: bytes are hashed as they are, without a String
// made of a part of another.

/// What the ids of one document lead to.
///
/// A class since every reference looks into it: a struct in a list of them is copied for each look.
final class IDTable<Value: BitwiseCopyable> {
    @exclusivity(unchecked) private var entries = FlatList<Entry>()
    @exclusivity(unchecked) private var slots = HashSlots()
    /// Those with other letters than ASCII's, which are the same where their characters are, however they are written.
    @exclusivity(unchecked) private var others: [String: Value] = [:]
    private let hash = IDHash()

    private struct Entry: BitwiseCopyable {
        let value: Value
        let hash: UInt64
    }

    deinit { entries.free() }

    func reserveCapacity(_ count: Int) {
        if !slots.hasRoom(for: count) { _ = slots.makeRoom(for: count, hashes) }
    }

    private var hashes: some Collection<UInt64> {
        (0..<entries.count).lazy.map { [entries] in entries.at($0).pointee.hash }
    }

    subscript(id: String) -> Value? { self[id.utf8.span, id] }

    /// The value of an id that is a part of some text.
    ///
    /// - Parameter text: Makes the id where its bytes are not enough.
    subscript(id: Span<UInt8>, text: @autoclosure () -> String) -> Value? {
        guard let hash = hash.ofASCII(id.bytes) else { return others[text()] }
        guard let place = place(of: hash) else { return nil }
        return entries.at(place).pointee.value
    }

    /// The value of an id in UTF-8.
    subscript(id: UnsafeRawBufferPointer) -> Value? {
        guard let hash = hash.ofASCII(id.bytes) else { return others[String(xml: id)] }
        guard let place = place(of: hash) else { return nil }
        return entries.at(place).pointee.value
    }

    /// The value of the id that a reference names, whichever document that is of.
    subscript(idOf reference: ColladaDocument.Reference) -> Value? {
        self[reference.id]
    }

    /// Keeps a value where there is none yet.
    ///
    /// - Returns: The value that was there.
    @discardableResult
    func insert(_ value: Value, for id: String) -> Value? {
        guard let hash = hash.ofASCII(id.utf8.span.bytes) else {
            if let known = others[id] { return known }
            others[id] = value
            return nil
        }
        if let place = place(of: hash) { return entries.at(place).pointee.value }
        // Beyond what slots can hold nothing is kept; a document that has so many ids takes tens of gigabytes.
        let count = entries.count + 1
        guard slots.hasRoom(for: count) || slots.makeRoom(for: count, hashes) else { return nil }
        slots.put(entries.count, hash)
        entries.append(Entry(value: value, hash: hash))
        return nil
    }

    private func place(of hash: UInt64) -> Int? {
        slots.place(of: hash) { entries.at($0).pointee.hash == hash }
    }
}

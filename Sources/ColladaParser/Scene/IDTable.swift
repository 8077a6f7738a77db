// Every id of a document goes through here once, and every reference again: bytes are hashed as they are, without a String
// made of a part of another. Of each id only a hash is kept: 64 bits under a key that is made anew for each table tell the
// ids of any document apart, and no file can choose some that fall together.

/// What the ids of one document lead to.
struct IDTable<Value> {
    private var entries: [Entry] = []
    /// Places in ``entries`` from 1, 0 for none, at the hash of the id or behind; a power of two of them.
    private var slots: [UInt32] = []
    /// Those with other letters than ASCII's, which are the same where their characters are, however they are written.
    private var others: [String: Value] = [:]
    private let key = UInt64.random(in: .min ... .max)
    /// Odd, so that no word is lost in a product.
    private let factor = UInt64.random(in: .min ... .max) | 1

    private struct Entry {
        let value: Value
        let hash: UInt64
    }

    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
        grow(to: count)
    }

    subscript(id: String) -> Value? { self[id.utf8.span, id] }

    /// The value of an id that is a part of some text.
    ///
    /// - Parameter text: Makes the id where its bytes are not enough.
    subscript(id: Span<UInt8>, text: @autoclosure () -> String) -> Value? {
        guard let hash = hash(of: id) else { return others[text()] }
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
        guard let hash = hash(of: id.utf8.span) else {
            if let known = others[id] { return known }
            others[id] = value
            return nil
        }
        if let place = place(of: hash) { return entries[place].value }
        grow(to: entries.count + 1)
        // Beyond what a slot can hold nothing is kept; a document has fewer bytes than that.
        guard let place = UInt32(exactly: entries.count + 1) else { return nil }
        entries.append(Entry(value: value, hash: hash))
        put(place, hash)
        return nil
    }

    private func place(of hash: UInt64) -> Int? {
        guard !slots.isEmpty else { return nil }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if entries[place].hash == hash { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func put(_ place: UInt32, _ hash: UInt64) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = place
    }

    /// At most three of four slots are taken.
    private mutating func grow(to count: Int) {
        guard count > slots.count / 4 * 3 else { return }
        var size = 16
        while size / 4 * 3 < count { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for place in entries.indices {
            guard let number = UInt32(exactly: place + 1) else { break }
            put(number, entries[place].hash)
        }
    }

    /// `nil` where not all letters are ASCII's.
    private func hash(of id: Span<UInt8>) -> UInt64? {
        var state = key ^ UInt64(truncatingIfNeeded: id.count)
        var letters: UInt8 = 0
        var at = 0
        while at < id.count {
            var word: UInt64 = 0
            let end = min(at + 8, id.count)
            while at < end {
                letters |= id[at]
                word = word << 8 | UInt64(id[at])
                at += 1
            }
            state = fold(state ^ word)
        }
        return letters < 0x80 ? fold(state) : nil
    }

    private func fold(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}

// Every id of a document passes here once. Of each only a hash is kept, with its place: 64 bits under a key that is made
// anew for each document tell the ids of any document apart, and no file can choose some that fall together.

import XMLReader

/// The first element of each id that a document has had so far.
struct SeenIDs {
    struct First {
        let element: ElementName
        let position: XMLPosition
    }

    /// One for each id, so it is packed, and the document left out, which is the same for all.
    private struct Packed {
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

    private var firsts: [Packed] = []
    /// Places in ``firsts`` from 1, 0 for none, at the hash of the id or behind; a power of two of them.
    private var slots: [UInt32] = []
    private let key = UInt64.random(in: .min ... .max)
    /// Odd, so that no word is lost in a product.
    private let factor = UInt64.random(in: .min ... .max) | 1

    /// Notes an element with an id.
    ///
    /// - Returns: The element that had it before.
    mutating func insert(_ id: UnsafeRawBufferPointer, of element: ElementName, at position: XMLPosition) -> First? {
        if firsts.count >= slots.count / 2 { grow() }
        let hash = hash(of: id)
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let first = firsts[Int(slots[slot]) - 1]
            if first.hash == hash { return first.first(inDocumentOf: position) }
            slot = (slot + 1) & mask
        }
        // Beyond what a slot can hold nothing is kept; a document has fewer bytes than that.
        guard let place = UInt32(exactly: firsts.count + 1) else { return nil }
        firsts.append(Packed(element, at: position, hash))
        slots[slot] = place
        return nil
    }

    /// At most half of the slots are taken.
    private mutating func grow() {
        let size = max(64, slots.count * 2)
        slots = Array(repeating: 0, count: size)
        for place in firsts.indices {
            guard let number = UInt32(exactly: place + 1) else { break }
            var slot = Int(truncatingIfNeeded: firsts[place].hash) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = number
        }
    }

    private func hash(of id: UnsafeRawBufferPointer) -> UInt64 {
        var state = fold(key ^ UInt64(truncatingIfNeeded: id.count))
        var at = 0
        while at + 8 <= id.count {
            state = fold(state ^ id.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at += 8
        }
        var rest: UInt64 = 0
        while at < id.count {
            rest = rest << 8 | UInt64(id[at])
            at += 1
        }
        return fold(state ^ rest)
    }

    private func fold(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}

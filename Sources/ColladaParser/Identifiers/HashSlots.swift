import Glibc

/// Finds places in a list by 64-bit hashes, which the list keeps.
///
/// A slot has the place's number from 1 in its low bits, 0 for none, and bits of its hash above: most places that another
/// hash leads to are passed over without a look into the list, which would be another line of memory.
// With memory of its own: an array is counted for each look at it.
struct HashSlots: ~Copyable {
    /// Behind one another from the slot that a hash says; `nil` before there is room for any.
    private var slots: UnsafeMutablePointer<UInt32>?
    /// A power of two, or 0.
    private var count = 0
    /// As many as number the slots.
    private var bits: UInt32 = 0
    private static let mostBits: UInt32 = 30
    /// From here on memory counts for more than the time it takes to put all places into a larger room.
    private static let manyBits: UInt32 = 18

    deinit { free(slots) }

    /// So many that are 0.
    private static func room(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        guard let room = calloc(count, MemoryLayout<UInt32>.stride) else {
            preconditionFailure("there is no memory left")  // allowed: as where the language's own room is got
        }
        return room.assumingMemoryBound(to: UInt32.self)
    }

    /// - Parameter isIt: Whether a place of the list has the hash.
    @inline(__always)
    func place(of hash: UInt64, where isIt: (Int) -> Bool) -> Int? {
        guard let slots else { return nil }
        let mask = count &- 1
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
    func hasRoom(for places: Int) -> Bool { places <= count / 4 * 3 }

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
        count = 1 << Int(bits)
        free(slots)
        slots = Self.room(count)
        var place = 0
        for hash in hashes {
            put(place, hash)
            place += 1
        }
        return true
    }

    /// Adds a place that has room and is not there.
    mutating func put(_ place: Int, _ hash: UInt64) {
        guard let slots else { return }
        let mask = count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = Self.mark(hash, above: bits) | UInt32(truncatingIfNeeded: place &+ 1)
    }

    private static func mark(_ hash: UInt64, above bits: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: hash &>> 32) &<< bits
    }
}

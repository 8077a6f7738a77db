/// Values one behind the other that are made once for a process and never change; so their memory is never given back.
///
/// Unchecked because it is written before the list is there, and by nobody after.
struct FixedList<Element: BitwiseCopyable>: @unchecked Sendable {
    let count: Int
    private let base: UnsafePointer<Element>

    init(_ elements: [Element]) {
        let base = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        for index in elements.indices { (base + index).initialize(to: elements[index]) }
        self.base = UnsafePointer(base)
        count = elements.count
    }

    /// The one at a place, which must be there.
    @inline(__always)
    func at(_ index: Int32) -> UnsafePointer<Element> { base + Int(index) }

    @inline(__always)
    subscript(index: Int32) -> Element { base[Int(index)] }
}

/// An entry of a ``NameSlots`` list.
protocol NameSlot: BitwiseCopyable {
    /// -1 for an empty one.
    var name: Int32 { get }
    static var empty: Self { get }
}

/// Where a few names are looked up by number: each lies where its lowest bits say, or a little behind it.
struct NameSlots: BitwiseCopyable {
    /// Into a list of many such.
    private let first: Int32
    private let mask: Int32

    /// Puts entries of different names behind those of others.
    init<Slot: NameSlot>(_ entries: [Slot], in slots: inout [Slot]) {
        // At least one stays empty, and so ends a search; half of them, so that it ends soon.
        var capacity = 1
        while capacity < 2 * entries.count { capacity *= 2 }
        first = Int32(slots.count)
        mask = Int32(capacity - 1)
        slots += [Slot](repeating: .empty, count: capacity)
        for entry in entries {
            var at = entry.name & mask
            while slots[Int(first + at)].name >= 0 { at = (at + 1) & mask }
            slots[Int(first + at)] = entry
        }
    }

    /// - Parameter name: At least 0.
    @inline(__always)
    func find<Slot: NameSlot>(_ name: Int32, in slots: FixedList<Slot>) -> UnsafePointer<Slot>? {
        var at = name & mask
        while true {
            let slot = slots.at(first &+ at)
            if slot.pointee.name == name { return slot }
            if slot.pointee.name < 0 { return nil }
            at = (at &+ 1) & mask
        }
    }
}

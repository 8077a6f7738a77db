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
    ///
    /// - Parameter before: Slots of the list that stand before `slots`.
    init<Slot: NameSlot>(_ entries: [Slot], in slots: inout [Slot], behind before: Int = 0) {
        // At least one stays empty, and so ends a search; half of them, so that it ends soon.
        var capacity = 1
        while capacity < 2 * entries.count { capacity *= 2 }
        let start = slots.count
        first = Int32(before + start)
        mask = Int32(capacity - 1)
        slots += [Slot](repeating: .empty, count: capacity)
        for entry in entries {
            var at = entry.name & mask
            while slots[start + Int(at)].name >= 0 { at = (at + 1) & mask }
            slots[start + Int(at)] = entry
        }
    }

    /// - Parameters:
    ///   - name: At least 0.
    ///   - slots: The beginning of the list.
    @inline(__always)
    func find<Slot: NameSlot>(_ name: Int32, in slots: UnsafePointer<Slot>) -> UnsafePointer<Slot>? {
        var at = name & mask
        while true {
            let slot = slots + Int(first &+ at)
            if slot.pointee.name == name { return slot }
            if slot.pointee.name < 0 { return nil }
            at = (at &+ 1) & mask
        }
    }
}

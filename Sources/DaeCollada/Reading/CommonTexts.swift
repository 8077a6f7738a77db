// Ids stand in a document again wherever something refers to them, and a scene may refer to each of its materials from
// many nodes: those that need memory of their own share it where they come again soon.

/// Texts that were met lately, so that one that comes again shares its memory.
struct CommonTexts {
    /// Each at the low bits of its hash, until another one takes its place; a power of two of them.
    private var slots: [Slot] = []
    private var kept = 0
    private let hash = IDHash()
    /// In bytes. Shorter ones need no memory of their own, longer ones seldom come again.
    private static let lengths = 16...256
    /// What is referred to lies mostly near; what lies far is dearer to look at than a new text.
    private static let mostSlots = 1 << 10

    /// With the hash, so that another text is recognised without a look at its memory.
    private struct Slot {
        var hash: UInt64
        var text: String
    }

    /// The text of some UTF-8.
    mutating func text(_ bytes: UnsafeRawBufferPointer) -> String {
        guard Self.lengths.contains(bytes.count) else { return String(xml: bytes) }
        if kept >= slots.count / 2, slots.count < Self.mostSlots {
            // What was met comes in again as it is met again.
            slots = Array(of: max(16, 4 * slots.count), each: Slot(hash: 0, text: ""))
            kept = 0
        }
        let hash = hash(bytes.bytes)
        let slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        if slots[slot].hash == hash {
            // Taken out once: each look at it counts it.
            let known = slots[slot].text
            if bytes.isUTF8(of: known) { return known }
        }
        let text = String(xml: bytes)
        slots[slot] = Slot(hash: hash, text: text)
        kept += 1
        return text
    }
}

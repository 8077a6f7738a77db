// Ids stand in a document again wherever something refers to them, and a scene may refer to each of its materials from
// many nodes: those that need memory of their own are kept once.

/// Texts that were met lately, so that one that comes again shares its memory.
struct CommonTexts {
    /// Each at the hash of its letters, until another one takes its place; a power of two of them.
    private var slots: [String] = []
    private var kept = 0
    private let hash = IDHash()
    /// In bytes. Shorter ones need no memory of their own, longer ones seldom come again.
    private static let lengths = 16...256
    /// What is referred to lies mostly near; more would be further from the processor than a new text.
    private static let mostSlots = 1 << 12

    /// The text of some UTF-8.
    mutating func text(_ bytes: UnsafeRawBufferPointer) -> String {
        guard Self.lengths.contains(bytes.count) else { return String(xml: bytes) }
        if kept >= slots.count / 2, slots.count < Self.mostSlots {
            // What was met comes in again as it is met again.
            slots = Array(repeating: "", count: max(64, 4 * slots.count))
            kept = 0
        }
        let slot = Int(truncatingIfNeeded: hash(bytes.bytes)) & (slots.count - 1)
        if bytes.isUTF8(of: slots[slot]) { return slots[slot] }
        let text = String(xml: bytes)
        slots[slot] = text
        kept += 1
        return text
    }
}

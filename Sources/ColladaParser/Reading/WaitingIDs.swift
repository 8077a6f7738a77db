// Where an id is looked up is somewhere in a large table. The memory is asked for when the id is met, and looked at some
// elements later, when it has come.

/// The elements that began last and have an id that is still to be noted, in order; a few.
struct WaitingIDs {
    struct Element: BitwiseCopyable {
        let record: Int
        /// Of its id.
        let hash: UInt64
    }

    private var elements = InlineArray<4, Element>(repeating: Element(record: 0, hash: 0))
    private var count = 0

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == elements.count }

    /// - Precondition: It is not full.
    mutating func add(_ element: Element) {
        elements[count] = element
        count &+= 1
    }

    mutating func removeAll() { count = 0 }

    func forEach(_ visit: (Element) -> Void) {
        for place in 0..<count { visit(elements[place]) }
    }
}

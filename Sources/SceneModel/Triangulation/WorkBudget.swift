/// Steps that a polygon may cost: boxes and corners looked at.
struct WorkBudget: Sendable {
    private(set) var spent = 0
    let limit: Int

    /// Some twenty times what well-behaved polygons of that many nodes need.
    init(nodes: Int) {
        limit = 400 * (nodes + 64) * (Int.bitWidth - nodes.leadingZeroBitCount)
    }

    var isSpent: Bool { spent > limit }

    mutating func spend(_ steps: Int) { spent += steps }
}

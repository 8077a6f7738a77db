/// Steps that a polygon may cost: boxes and corners looked at.
struct WorkBudget: Sendable {
    private(set) var spent = 0
    let limit: Int

    /// For cutting: some ten times what well-behaved polygons of that many nodes need.
    init(cutting nodes: Int) { self.init(nodes: nodes, share: 100) }

    /// For looking whether sides cross, which needles side by side make slow and which changes no triangle.
    init(lookingAt nodes: Int) { self.init(nodes: nodes, share: 30) }

    private init(nodes: Int, share: Int) {
        limit = share * (nodes + 64) * (Int.bitWidth - nodes.leadingZeroBitCount)
    }

    var isSpent: Bool { spent > limit }

    mutating func spend(_ steps: Int) { spent += steps }
}

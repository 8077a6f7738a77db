/// What of a polygon's sides crosses beyond what rounding does.
struct ClearCrossings: OptionSet {
    let rawValue: UInt8

    static let withinOuterRing = ClearCrossings(rawValue: 1)
    /// A hole's side crosses another one, of whatever ring.
    static let withHole = ClearCrossings(rawValue: 2)
    static let all: ClearCrossings = [.withinOuterRing, .withHole]
}

extension FlatPolygon {
    /// - Parameters:
    ///   - tree: Of all sides; see ``arrangeSides(in:)``.
    ///   - depth: How far the ends of each side lie from the other one, at least.
    func crossings(_ tree: BoxTree, depth: Double, _ budget: inout WorkBudget) -> ClearCrossings {
        var found: ClearCrossings = []
        let outer = rings[0]
        for node in points.indices {
            let end = points[Int(next[node])]
            // A triangle without an area: only boxes on its line are met.
            var walk = BoxTree.Walk(BoxTree.Window(points[node], end, end))
            while let other = tree.next(&walk) {
                let kind: ClearCrossings =
                    outer.contains(node) && outer.contains(Int(other)) ? .withinOuterRing : .withHole
                guard Int(other) > node, !found.contains(kind), crosses(node, Int(other), depth) else { continue }
                found.insert(kind)
            }
            budget.spend(walk.steps)
            if budget.isSpent || found == .all { break }
        }
        return found
    }

    private func crosses(_ first: Int, _ second: Int, _ depth: Double) -> Bool {
        let (a, b) = (points[first], points[Int(next[first])])
        let (c, d) = (points[second], points[Int(next[second])])
        return parts(c, d, by: a, b, depth) && parts(a, b, by: c, d, depth)
    }

    /// Whether two points lie on either side of a line, each further from it than `depth`.
    private func parts(_ c: FlatPoint, _ d: FlatPoint, by a: FlatPoint, _ b: FlatPoint, _ depth: Double) -> Bool {
        let (ofC, ofD) = (orientation(a, b, c), orientation(a, b, d))
        guard (ofC < 0 && ofD > 0) || (ofC > 0 && ofD < 0) else { return false }
        let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
        return min(abs(ofC), abs(ofD)) > depth * length
    }
}

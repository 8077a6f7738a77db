extension FlatPolygon {
    /// Whether a hole begins outside the outer ring or within another hole, has no area, or the holes leave none over.
    /// What only touches is sound.
    ///
    /// - Parameter tree: Of all sides; see ``arrangeSides(in:)``.
    func hasOddHole(_ tree: BoxTree, depth: Double, _ budget: inout WorkBudget) -> Bool {
        guard rings.count > 1 else { return false }
        var left = abs(measure(rings[0]).area) * (1 - PolygonProbe.rounding)
        for hole in rings.indices.dropFirst() {
            let size = measure(rings[hole])
            left -= abs(size.area)
            if left <= 0 || abs(size.area) <= depth * size.length { return true }
        }
        for hole in rings.indices.dropFirst() {
            if budget.isSpent { return false }
            if isStray(hole, tree, depth, &budget) { return true }
        }
        return false
    }

    private func measure(_ ring: Range<Int>) -> (area: Double, length: Double) {
        let origin = points[ring.lowerBound]
        var (area, length) = (0.0, 0.0)
        for node in ring {
            let (from, to) = (points[node], points[Int(next[node])])
            area += (from.x - origin.x) * (to.y - origin.y) - (from.y - origin.y) * (to.x - origin.x)
            length += ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
        }
        return (area / 2, length)
    }

    /// By the rings that a ray to the left from within the hole leaves an odd number of times.
    private func isStray(_ hole: Int, _ tree: BoxTree, _ depth: Double, _ budget: inout WorkBudget) -> Bool {
        let eye = inside(rings[hole])
        var around: Set<Int> = []
        var walk = BoxTree.Walk(
            BoxTree.Window(BoxTree.Box(low: FlatPoint(-.infinity, eye.y), high: FlatPoint(eye.x + depth, eye.y))))
        defer { budget.spend(walk.steps) }
        while let node = tree.next(&walk) {
            let ring = ring(of: Int(node))
            let (from, to) = (points[Int(node)], points[Int(next[Int(node)])])
            let (low, high) = from.y < to.y ? (from, to) : (to, from)
            guard ring != hole, low.y <= eye.y, eye.y < high.y else { continue }
            let x = low.x + (high.x - low.x) * ((eye.y - low.y) / (high.y - low.y))
            if abs(x - eye.x) <= depth { return false }
            guard x < eye.x else { continue }
            if around.remove(ring) == nil { around.insert(ring) }
        }
        return around != [0]
    }

    /// A little inwards from the leftmost corner, where every ring bends outwards.
    private func inside(_ ring: Range<Int>) -> FlatPoint {
        let leftmost = ring.reduce(ring.lowerBound) { points[$1].precedes(points[$0]) ? $1 : $0 }
        let (before, here) = (points[Int(previous[leftmost])], points[leftmost])
        let after = points[Int(next[leftmost])]
        let share = 0.01
        return FlatPoint(
            here.x + share * ((before.x - here.x) + (after.x - here.x)) / 2,
            here.y + share * ((before.y - here.y) + (after.y - here.y)) / 2)
    }

    private func ring(of node: Int) -> Int {
        var (low, high) = (0, rings.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if node < rings[middle].upperBound { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension FlatPolygon {
    /// Corners from which a tree is cheaper than looking at all.
    static let treeThreshold = 80

    /// Whether the outer ring turns right anywhere; corners at one place count as one.
    var outerRingIsConcave: Bool {
        let last = rings[0].upperBound - 1
        var here = points[last]
        var before = points[rings[0].last { points[$0] != here } ?? last]
        for node in rings[0] where points[node] != here {
            if orientation(before, here, points[node]) < 0 { return true }
            (before, here) = (here, points[node])
        }
        return false
    }

    /// Puts each side into the tree, under the number of the node it starts at.
    func arrangeSides(in tree: inout BoxTree) {
        tree.clear(limit: points.count)
        for node in points.indices {
            tree.stage(Int32(truncatingIfNeeded: node), BoxTree.Box(around: points[node], points[Int(next[node])]))
        }
        tree.build()
    }

    /// Whether two sides cross, each within the other; sides that only touch do not.
    func hasCrossing(_ tree: BoxTree, _ budget: inout WorkBudget) -> Bool {
        for node in points.indices {
            let end = points[Int(next[node])]
            // A triangle without an area: only boxes on its line are met.
            var walk = BoxTree.Walk(BoxTree.Window(points[node], end, end))
            while let other = tree.next(&walk) {
                if Int(other) > node, crosses(node, Int(other)) { return true }
            }
            budget.spend(walk.steps)
            if budget.isSpent { return false }
        }
        return false
    }

    /// The same by looking at each pair.
    func hasCrossing(_ budget: inout WorkBudget) -> Bool {
        for node in points.indices {
            let box = BoxTree.Box(around: points[node], points[Int(next[node])])
            for other in points.indices.dropFirst(node + 1) {
                let near = BoxTree.Box(around: points[other], points[Int(next[other])])
                if box.meets(near), crosses(node, other) { return true }
            }
        }
        budget.spend(points.count * points.count / 2)
        return false
    }

    private func crosses(_ first: Int, _ second: Int) -> Bool {
        let (a, b) = (points[first], points[Int(next[first])])
        let (c, d) = (points[second], points[Int(next[second])])
        let (ofC, ofD) = (orientation(a, b, c), orientation(a, b, d))
        guard (ofC < 0 && ofD > 0) || (ofC > 0 && ofD < 0) else { return false }
        let (ofA, ofB) = (orientation(c, d, a), orientation(c, d, b))
        return (ofA < 0 && ofB > 0) || (ofA > 0 && ofB < 0)
    }
}

/// Which child may follow which: a machine with one state between any two children, at most one way for each name.
package struct ContentAutomaton: Sendable {
    struct Edge: Sendable {
        /// `nil` for an element of any name.
        let name: SchemaName?
        let declaration: ElementDeclaration.ID
        let target: Int
        /// Index into `children`.
        let child: Int
    }
    struct State: Sendable {
        /// Sorted by name; an edge for any name stands last.
        var edges: [Edge] = []
        /// Whether the content may end here.
        var isAccepting = false  // a fact of the state, none of its phases
        /// The states that one child leads to, each once.
        var targets: [Int] = []
    }
    /// The first is where a content begins.
    let states: [State]
    /// Every child there is, sorted by name, with the declaration it has.
    let children: [(name: SchemaName, declaration: ElementDeclaration.ID)]
    /// Whether two edges of a state bore one name: the table would then not say which is meant. Held by a test.
    let isAmbiguous: Bool

    func edge(from state: Int, named name: SchemaName?) -> Edge? {
        let edges = states[state].edges
        if let name, let found = Self.index(of: name, in: edges) { return edges[found] }
        if let last = edges.last, last.name == nil { return last }
        return nil
    }

    func child(named name: SchemaName) -> Int? {
        var low = 0
        var high = children.count
        while low < high {
            let middle = (low + high) / 2
            if children[middle].name.index < name.index { low = middle + 1 } else { high = middle }
        }
        return low < children.count && children[low].name == name ? low : nil
    }

    private static func index(of name: SchemaName, in edges: [Edge]) -> Int? {
        var low = 0
        var high = edges.count
        while low < high {
            let middle = (low + high) / 2
            if let other = edges[middle].name, other.index < name.index { low = middle + 1 } else { high = middle }
        }
        return low < edges.count && edges[low].name == name ? low : nil
    }

    /// The names that may come next, as a person reads them in the grammar.
    func expected(in state: Int, _ models: ContentModels) -> [String] {
        states[state].edges.map { edge in edge.name.map(models.text) ?? "any element" }.sorted()
    }
}

// MARK: - Ways

extension ContentAutomaton {
    /// The shortest way from a state to one that `isGoal` holds of, as the states passed on it, both ends included.
    func way(from start: Int, to isGoal: (State) -> Bool) -> [Int]? {
        var before = [Int](repeating: -1, count: states.count)
        before[start] = start
        var queue = [start]
        var next = 0
        while next < queue.count {
            let state = queue[next]
            next += 1
            if isGoal(states[state]) {
                var way = [state]
                while let last = way.last, last != start { way.append(before[last]) }
                return way.reversed()
            }
            for target in states[state].targets where before[target] < 0 {
                before[target] = state
                queue.append(target)
            }
        }
        return nil
    }

    /// Whether a child may come twice in one content.
    func repeats(_ child: Int) -> Bool {
        let name = children[child].name
        for state in states {
            guard let edge = Self.index(of: name, in: state.edges) else { continue }
            let again = way(from: state.edges[edge].target) { Self.index(of: name, in: $0.edges) != nil }
            if again != nil { return true }
        }
        return false
    }
}

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
        var isAccepting = false
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

// From particles to the machine. Nodes stand between particles; what leads from one to the next is a step of one child
// or, where a particle may be left out or repeated, nothing at all. So the machine grows with the text of the content,
// and many alternatives share the node they lead to.

struct ContentAutomatonBuilder {
    private struct Node {
        var steps: [(name: SchemaName?, declaration: ElementDeclaration.ID, target: Int)] = []
        var free: [Int] = []
    }
    private var nodes = [Node(), Node()]
    /// The numbers of the context's elements, by their texts.
    private let numbers: [String: Int]

    /// What names in a content stand for.
    struct Context {
        let version: SchemaVersion
        let groups: GrammarRows
        /// Each name once: in one content it has one declaration, wherever it stands.
        let elements: [Element]
        /// How many names there are.
        let nameCount: Int
    }

    struct Element {
        let text: String
        let name: SchemaName
        let declaration: ElementDeclaration.ID
    }

    private init(_ context: Context) {
        numbers = Dictionary(uniqueKeysWithValues: zip(context.elements.lazy.map(\.text), 0...))
    }

    static func automaton(of particle: GrammarParticle, _ context: Context) -> ContentAutomaton {
        var builder = ContentAutomatonBuilder(context)
        builder.add(particle, from: 0, to: 1, context)
        return builder.automaton(context)
    }

    // MARK: - Nodes

    private mutating func node() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    private mutating func add(_ particle: GrammarParticle, from: Int, to: Int, _ context: Context) {
        guard particle.versions.includes(context.version) else {
            nodes[from].free.append(to)
            return
        }
        let occurrence = particle.occurrence
        var at = from
        for index in 0..<occurrence.least {
            let next = index == occurrence.least - 1 && occurrence.most == occurrence.least ? to : node()
            addOnce(particle.term, from: at, to: next, context)
            at = next
        }
        guard let most = occurrence.most else {
            // A node of its own to come back to: nothing else may lead there.
            let loop = node()
            nodes[at].free.append(loop)
            addOnce(particle.term, from: loop, to: loop, context)
            nodes[loop].free.append(to)
            return
        }
        for index in occurrence.least..<max(most, occurrence.least) {
            let next = index == most - 1 ? to : node()
            nodes[at].free.append(to)
            addOnce(particle.term, from: at, to: next, context)
            at = next
        }
    }

    private mutating func addOnce(_ term: GrammarParticle.Term, from: Int, to: Int, _ context: Context) {
        switch term {
        case .element(let element):
            guard let number = numbers[element.name] else { return }
            nodes[from].steps.append((context.elements[number].name, context.elements[number].declaration, to))
        case .any: nodes[from].steps.append((nil, .anything, to))
        case .group(let name):
            if let group = context.groups.group(name) { add(group, from: from, to: to, context) }
        case .sequence(let parts):
            let parts = parts.filter { $0.versions.includes(context.version) }
            var at = from
            for (index, part) in parts.enumerated() {
                let next = index == parts.count - 1 ? to : node()
                add(part, from: at, to: next, context)
                at = next
            }
            if parts.isEmpty { nodes[from].free.append(to) }
        case .choice(let parts):
            for part in parts where part.versions.includes(context.version) {
                add(part, from: from, to: to, context)
            }
        }
    }

    // MARK: - States

    /// One state for each node that a child leads to, with the steps of all nodes that are had from there for nothing.
    private func automaton(_ context: Context) -> ContentAutomaton {
        var stateOfNode = [Int](repeating: -1, count: nodes.count)
        stateOfNode[0] = 0
        var nodeOfState = [0]
        var states: [ContentAutomaton.State] = []
        var isAmbiguous = false
        // By name, the one for any element last: the target in the state at hand, and the number among the children.
        var targets = [Int](repeating: -1, count: context.nameCount + 1)
        let children = context.elements.sorted { $0.name.index < $1.name.index }
            .map { (name: $0.name, declaration: $0.declaration) }
        var childNumbers = [Int](repeating: 0, count: context.nameCount + 1)
        for (number, child) in children.enumerated() { childNumbers[child.name.index] = number }
        while states.count < nodeOfState.count {
            var state = ContentAutomaton.State()
            for node in closure(of: nodeOfState[states.count]) {
                if node == 1 { state.isAccepting = true }
                for step in nodes[node].steps {
                    let key = step.name?.index ?? context.nameCount
                    if targets[key] >= 0 {
                        if targets[key] != step.target { isAmbiguous = true }
                        continue
                    }
                    targets[key] = step.target
                    if stateOfNode[step.target] < 0 {
                        stateOfNode[step.target] = nodeOfState.count
                        nodeOfState.append(step.target)
                    }
                    let target = stateOfNode[step.target]
                    if !state.targets.contains(target) { state.targets.append(target) }
                    state.edges.append(
                        ContentAutomaton.Edge(
                            name: step.name, declaration: step.declaration, target: target, child: childNumbers[key]))
                }
            }
            state.edges.sort { ($0.name?.index ?? .max) < ($1.name?.index ?? .max) }
            for edge in state.edges { targets[edge.name?.index ?? context.nameCount] = -1 }
            states.append(state)
        }
        return ContentAutomaton(states: states, children: children, isAmbiguous: isAmbiguous)
    }

    private func closure(of start: Int) -> [Int] {
        var isFound = [Bool](repeating: false, count: nodes.count)
        isFound[start] = true
        var found = [start]
        var next = 0
        while next < found.count {
            for node in nodes[found[next]].free where !isFound[node] {
                isFound[node] = true
                found.append(node)
            }
            next += 1
        }
        return found
    }
}

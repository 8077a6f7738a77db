// From particles to the machine. Nodes stand between particles; what leads from one to the next is a step of one child
// or, where a particle may be left out or repeated, nothing at all. So the machine grows with the text of the content,
// and many alternatives share the node they lead to.

struct ContentAutomatonBuilder {
    private struct Node {
        var steps: [(name: SchemaName?, declaration: ElementDeclaration.ID, target: Int)] = []
        var free: [Int] = []
    }
    private var nodes = [Node(), Node()]

    /// What names in a content stand for.
    struct Context {
        let version: SchemaVersion
        let groups: [String: GrammarParticle]
        /// By name: in one content a name has one declaration, wherever it stands.
        let elements: [String: (name: SchemaName, declaration: ElementDeclaration.ID)]
        let wildcard: ElementDeclaration.ID
    }

    static func automaton(of particle: GrammarParticle, _ context: Context) -> ContentAutomaton {
        var builder = ContentAutomatonBuilder()
        builder.add(particle, from: 0, to: 1, context)
        return builder.automaton()
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
            guard let (name, declaration) = context.elements[element.name] else { return }
            nodes[from].steps.append((name, declaration, to))
        case .any: nodes[from].steps.append((nil, context.wildcard, to))
        case .group(let name):
            if let group = context.groups[name] { add(group, from: from, to: to, context) }
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
    private func automaton() -> ContentAutomaton {
        var stateOfNode = [0: 0]
        var nodeOfState = [0]
        var states: [ContentAutomaton.State] = []
        var declarations: [SchemaName: ElementDeclaration.ID] = [:]
        var isAmbiguous = false
        while states.count < nodeOfState.count {
            var state = ContentAutomaton.State()
            var known: [SchemaName?: Int] = [:]
            for node in closure(of: nodeOfState[states.count]) {
                if node == 1 { state.isAccepting = true }
                for step in nodes[node].steps {
                    if let other = known.updateValue(step.target, forKey: step.name) {
                        if other != step.target { isAmbiguous = true }
                        continue
                    }
                    let target = stateOfNode[step.target] ?? nodeOfState.count
                    if target == nodeOfState.count {
                        stateOfNode[step.target] = target
                        nodeOfState.append(step.target)
                    }
                    if let name = step.name { declarations[name] = step.declaration }
                    state.edges.append(
                        ContentAutomaton.Edge(
                            name: step.name, declaration: step.declaration, target: target, child: 0))
                }
            }
            state.targets = Set(state.edges.map(\.target)).sorted()
            states.append(state)
        }
        let children = declarations.sorted { $0.key.index < $1.key.index }.map { (name: $0.key, declaration: $0.value) }
        let childNumbers = Dictionary(uniqueKeysWithValues: zip(children.map(\.name), 0...))
        for index in states.indices {
            states[index].edges = states[index].edges.map { edge in
                ContentAutomaton.Edge(
                    name: edge.name, declaration: edge.declaration, target: edge.target,
                    child: edge.name.flatMap { childNumbers[$0] } ?? 0)
            }
            .sorted { ($0.name?.index ?? .max) < ($1.name?.index ?? .max) }
        }
        return ContentAutomaton(states: states, children: children, isAmbiguous: isAmbiguous)
    }

    private func closure(of start: Int) -> [Int] {
        var seen: Set<Int> = [start]
        var found = [start]
        var next = 0
        while next < found.count {
            for node in nodes[found[next]].free where seen.insert(node).inserted { found.append(node) }
            next += 1
        }
        return found
    }
}

// Holding the children of one open element against its content model, one by one as they come. The work for a child
// does not depend on how many came before it.

/// How far the content of one open element has come.
package struct ContentProgress: Sendable {
    package let type: ElementType.ID
    /// The state of the type's automaton; 0 for every other content.
    fileprivate(set) var state = 0
    /// Which of the first 64 children were seen, by their number in the automaton.
    fileprivate(set) var seen: UInt64 = 0
    /// What was passed over, and has not come since.
    fileprivate(set) var owed: [MissingChild] = []

    package init(_ type: ElementType.ID) {
        self.type = type
    }

    /// - Parameter state: Of the type's automaton.
    init(_ type: ElementType.ID, state: Int, seen: UInt64, owed: [MissingChild]) {
        self.type = type
        self.state = state
        self.seen = seen
        self.owed = owed
    }
}

/// A child that a content needs and does not have: one of these.
package struct MissingChild: Sendable, Equatable {
    /// Sorted by name.
    package let alternatives: [String]
}

/// What a child is at the place where it stands.
package enum ChildVerdict: Sendable {
    /// As the model has it.
    case expected(ElementDeclaration)
    /// Something that the model needs was passed over; ``ContentModels/missing(_:)`` gives it at the end, unless it has
    /// come out of order by then.
    case early(ElementDeclaration)
    /// Allowed within this parent, but not after what came before it.
    case late(ElementDeclaration)
    /// Allowed once, and there already.
    case repeated(ElementDeclaration)
    /// Not allowed within this parent at all.
    case unknown
    /// Anything may stand here. Checked by the declaration that the schema has for it at the top; where it has none,
    /// anything may stand within it too.
    case free(ElementDeclaration)

    /// By what the child's own attributes and content are to be checked; `nil` for not at all.
    package var declaration: ElementDeclaration? {
        switch self {
        case .expected(let declaration), .early(let declaration), .late(let declaration), .repeated(let declaration),
            .free(let declaration):
            declaration
        case .unknown: nil
        }
    }
}

/// What children come to that stand where the model has them not, by type, state and name: looked for once each.
struct Detours: Sendable {
    fileprivate struct Key: Hashable {
        let type: ElementType.ID
        let state: Int
        let name: SchemaName
    }
    fileprivate enum Detour {
        case unknown
        /// It may stand further on; these are passed over on the way there.
        case ahead(ContentAutomaton.Edge, passing: [MissingChild])
        case behind(child: Int, repeats: Bool)
    }
    fileprivate var known: [Key: Detour] = [:]
}

extension ContentModels {
    /// Takes the next child.
    ///
    /// - Parameters:
    ///   - name: `nil` for a name that the schema does not have, and for one in another namespace.
    ///   - isLenient: Whether an element that the schema left empty by mistake has what it was meant to.
    package func take(
        _ name: SchemaName?, into progress: inout ContentProgress, lenient isLenient: Bool
    ) -> ChildVerdict {
        var detours = Detours()
        return take(name, into: &progress, lenient: isLenient, &detours)
    }

    func take(
        _ name: SchemaName?, into progress: inout ContentProgress, lenient isLenient: Bool, _ detours: inout Detours
    ) -> ChildVerdict {
        let type = self[progress.type]
        switch type.content {
        case .anything: return .free(name.flatMap(global) ?? self[.anything])
        case .children(let machine): return take(name, machine.automaton, &progress, &detours)
        case .empty:
            guard isLenient, let machine = type.lostContent else { return .unknown }
            return take(name, machine.automaton, &progress, &detours)
        case .simple: return .unknown
        }
    }

    /// The names that may come next, sorted; after a child that was late, repeated or unknown those in whose place it
    /// stood. Empty where nothing may come; `any element` stands for all names.
    package func expected(_ progress: ContentProgress, lenient isLenient: Bool) -> [String] {
        switch self[progress.type].content {
        case .anything: ["any element"]
        case .children(let machine): machine.automaton.expected(in: progress.state, self)
        case .empty:
            isLenient ? self[progress.type].lostContent?.automaton.expected(in: progress.state, self) ?? [] : []
        case .simple: []
        }
    }

    /// What the content still needs when its element ends; those that were passed over first.
    ///
    /// An element that the schema left empty by mistake needs nothing.
    package func missing(_ progress: ContentProgress) -> [MissingChild] {
        guard case .children(let machine) = self[progress.type].content else { return [] }
        let automaton = machine.automaton
        let rest = automaton.way(from: progress.state) { $0.isAccepting } ?? []
        return (progress.owed + steps(of: rest, automaton)).uniqued
    }

    private func take(
        _ name: SchemaName?, _ automaton: ContentAutomaton, _ progress: inout ContentProgress, _ detours: inout Detours
    ) -> ChildVerdict {
        if let edge = automaton.edge(from: progress.state, named: name) {
            enter(edge, &progress)
            guard edge.name != nil else { return .free(name.flatMap(global) ?? self[.anything]) }
            return .expected(self[edge.declaration])
        }
        guard let name else { return .unknown }
        let key = Detours.Key(type: progress.type, state: progress.state, name: name)
        let detour = detours.known[key] ?? detour(from: progress.state, name, automaton)
        detours.known[key] = detour
        switch detour {
        case .unknown: return .unknown
        case .ahead(let edge, let steps):
            for step in steps where !progress.owed.contains(step) { progress.owed.append(step) }
            enter(edge, &progress)
            return .early(self[edge.declaration])
        case .behind(let child, let repeats):
            let declaration = self[automaton.children[child].declaration]
            let text = text(name)
            if let paid = progress.owed.firstIndex(where: { $0.alternatives.contains(text) }) {
                progress.owed.remove(at: paid)
                progress.see(child)
                return .late(declaration)
            }
            if progress.hasSeen(child), !repeats { return .repeated(declaration) }
            progress.see(child)
            return .late(declaration)
        }
    }

    private func detour(from state: Int, _ name: SchemaName, _ automaton: ContentAutomaton) -> Detours.Detour {
        guard let child = automaton.child(named: name) else { return .unknown }
        if let way = automaton.way(from: state, to: { $0.edges.contains { $0.child == child } }),
            let edge = way.last.flatMap({ automaton.edge(from: $0, named: name) })
        {
            return .ahead(edge, passing: steps(of: way, automaton))
        }
        return .behind(child: child, repeats: automaton.repeats(child))
    }

    private func enter(_ edge: ContentAutomaton.Edge, _ progress: inout ContentProgress) {
        progress.state = edge.target
        progress.see(edge.child)
    }

    /// What leads from each state of a way to the next.
    private func steps(of way: [Int], _ automaton: ContentAutomaton) -> [MissingChild] {
        zip(way, way.dropFirst()).map { from, to in
            let names = automaton.states[from].edges.filter { $0.target == to }.compactMap(\.name)
            return MissingChild(alternatives: names.map(text).sorted())
        }
    }
}

extension ContentProgress {
    fileprivate mutating func see(_ child: Int) {
        if child < 64 { seen |= 1 << UInt64(child) }
    }
    fileprivate func hasSeen(_ child: Int) -> Bool { child < 64 && seen & (1 << UInt64(child)) != 0 }
}

extension [MissingChild] {
    /// Each once, where it stands first.
    fileprivate var uniqued: [MissingChild] {
        // A few: as many as states that a content passes on its way to the end.
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// The machines of the contents that one document has, one behind the other as flat lists.
struct SchemaStates {
    struct Edge: NameSlot {
        let name: Int32
        let declaration: Int32
        /// The declaration's.
        let type: Int32
        let target: Int32
        /// The child's among the first 64.
        let bit: UInt64

        static var empty: Edge { Edge(name: -1, declaration: 0, type: 0, target: 0, bit: 0) }
    }
    private struct Row: BitwiseCopyable {
        let edges: NameSlots
        let isAccepting: Bool
        /// Where a child of any other name leads; -1 where none may stand.
        let rest: Int32
    }

    private let models: ContentModels
    private let isLenient: Bool
    private var rows: [Row] = []
    private var edges: [Edge] = []
    /// By type, where its content begins; -1 where there are no children, -2 where nobody has asked.
    private var firsts: [Int32]

    private static let unasked: Int32 = -2

    init(_ models: ContentModels, lenient isLenient: Bool) {
        self.models = models
        self.isLenient = isLenient
        firsts = [Int32](repeating: Self.unasked, count: models.types.count)
    }

    /// The state in which the content of a type begins; -1 where there are no children.
    @inline(__always)
    mutating func first(of type: Int32) -> Int32 {
        let known = firsts[Int(type)]
        return known == Self.unasked ? add(type) : known
    }

    /// The same of a type that was asked for before, as those of open elements were.
    func known(of type: Int32) -> Int32 { firsts[Int(type)] }

    @inline(__always)
    func isAccepting(_ state: Int32) -> Bool { state < 0 || rows[Int(state)].isAccepting }

    /// The way from a state by the child of a name; `nil` where there is none, or only that of any name.
    @inline(__always)
    func edge(from state: Int32, _ name: Int32) -> Edge? {
        guard state >= 0, name >= 0 else { return nil }
        return rows[Int(state)].edges.find(name, in: edges)
    }

    /// Where a child leads that ``edge(from:_:)`` has no way for; -1 where none may stand.
    @inline(__always)
    func rest(from state: Int32) -> Int32 { state < 0 ? -1 : rows[Int(state)].rest }

    // MARK: - Making

    @inline(never)
    private mutating func add(_ type: Int32) -> Int32 {
        let machine: ContentMachine?
        switch models.types[Int(type)].content {
        case .children(let content): machine = content
        case .empty: machine = isLenient ? models.types[Int(type)].lostContent : nil
        case .simple, .anything: machine = nil
        }
        let first = machine.map { add($0.automaton) } ?? -1
        firsts[Int(type)] = first
        return first
    }

    private mutating func add(_ automaton: ContentAutomaton) -> Int32 {
        let first = Int32(rows.count)
        for state in automaton.states {
            let rest = state.edges.last { $0.name == nil }.map { first + Int32($0.target) } ?? -1
            let entries = state.edges.compactMap { edge in
                edge.name.map { name in
                    Edge(
                        name: Int32(name.index), declaration: Int32(edge.declaration.index),
                        type: Int32(models.declarations[edge.declaration.index].type.index),
                        target: first + Int32(edge.target), bit: edge.child < 64 ? 1 << UInt64(edge.child) : 0)
                }
            }
            rows.append(Row(edges: NameSlots(entries, in: &edges), isAccepting: state.isAccepting, rest: rest))
        }
        return first
    }
}

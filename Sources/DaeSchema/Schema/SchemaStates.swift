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

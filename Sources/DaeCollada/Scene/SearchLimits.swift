import DaeDiagnostics

// A search for a sid walks through all that is below an element, and a document can make every address do so. So the
// steps are counted, for all of a document's searches of one kind together, and what is left out is reported once.

/// How much of what a document asks for is done at most. Tests lower the limits.
struct SearchLimits {
    /// Elements that addresses of kinematics pass.
    var kinematics = 2_000_000
    /// Nodes and transforms that addresses through instances pass.
    var nodes = 4_000_000
    /// Names of physics models that instance each other.
    var physics = 2_000_000
    /// Nodes that the joints of skins are looked for among; eight times those of the scene if that is more.
    var joints = 1_000_000
    /// Inputs that textures' coordinates are looked for among, for each material and mesh that come together.
    var texcoords = 5_000_000
    /// Symbols and bindings that are held against each other where an instance does not bind all that its mesh asks for.
    var bindings = 1_000_000
    /// Channels, where those of an effect count once for each of its materials; beyond it only for the first of them.
    var channels = 1_000_000
    /// How often the numbers of all samplers are converted into other units and axes.
    var convertedCurves = 4
    /// Extras of effects that materials with extras of their own have, counted for each material.
    var lentExtras = 1_000_000
}

/// Steps of one kind of work, counted against the most that are allowed.
struct WorkBudget {
    let limit: Int
    private var done = 0
    /// Whether more was asked for than is allowed.
    private(set) var isExhausted = false

    init(_ limit: Int) { self.limit = limit }

    /// Whether as much was done as is allowed.
    var isSpent: Bool { done >= limit }

    /// Whether a step more may be begun; how much it was is counted behind it.
    mutating func mayGoOn() -> Bool {
        if isSpent { isExhausted = true }
        return !isSpent
    }

    mutating func count(_ steps: Int) { done += steps }

    /// Counts steps before they are made.
    ///
    /// - Returns: Whether they may be made.
    mutating func admits(_ steps: Int) -> Bool {
        done += steps
        if done > limit { isExhausted = true }
        return done <= limit
    }
}

extension FindingLog {
    /// Tells that a limit was reached.
    ///
    /// - Parameter work: What there is more of than the limit, as the start of a sentence.
    mutating func reportLimit(_ limit: Int, _ work: String) {
        add(
            .workLimitExceeded, "\(work) \(limit), the most allowed; what is beyond is left out",
            arguments: [.init("limit", "\(limit)")])
    }

    /// Tells that a budget was exhausted, where it was.
    mutating func reportLimit(of budget: WorkBudget, _ work: String) {
        if budget.isExhausted { reportLimit(budget.limit, work) }
    }
}

// Elements that instance one another may lead back to where they stand.

/// Finds cycles depth first.
struct CycleSearch {
    private enum Visit { case new, open, done }
    private var visits: [Visit]

    init(count: Int) { visits = Array(repeating: .new, count: count) }

    /// Walks on from an element, unless it was met before.
    ///
    /// - Parameters:
    ///   - edges: How many an element has.
    ///   - target: Where the edge of a number leads; `nil` for nowhere.
    ///   - found: Gets each edge that leads back to an element on the way to it.
    @inline(__always)
    mutating func walk(
        from start: Int, edges: (_ element: Int) -> Int, target: (_ element: Int, _ edge: Int) -> Int?,
        found: (_ element: Int, _ edge: Int) -> Void
    ) {
        guard visits[start] == .new else { return }
        visits[start] = .open
        var stack = [(element: start, next: 0)]
        while let (element, next) = stack.last {
            guard next < edges(element) else {
                visits[element] = .done
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            guard let target = target(element, next) else { continue }
            switch visits[target] {
            case .new:
                visits[target] = .open
                stack.append((target, 0))
            case .open: found(element, next)
            case .done: break
            }
        }
    }
}

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

/// Owns a flow and the flows inside it; they end with it.
///
/// What is required is small; the extension is what another language would put into a base class.
public protocol Coordinator: Sendable {
    /// The flows inside this one that have begun and not ended, in the order they were begun.
    var children: [any Coordinator] { get async }

    /// Runs the flow to its end.
    ///
    /// Once the task it is called in is cancelled, it ends its children, waits for them, and returns soon.
    func start() async
}

extension Coordinator {
    /// None: most flows are leaves.
    public var children: [any Coordinator] { get async { [] } }

    /// Starts children side by side, in order, and returns when all have ended.
    ///
    /// They run as child tasks, so cancelling this flow cancels them; no further one is begun then.
    ///
    /// - Parameters:
    ///   - count: Children in all.
    ///   - limit: Children at work at once, at least 1.
    ///   - begin: Makes the child of an index, from 0; called one after the other. `nil`: no further one is begun.
    ///   - ended: Told of each child that has ended, in the order they end; while it runs no further one is begun.
    public func startChildren<Child: Coordinator>(
        count: Int, atMost limit: Int, begin: (_ index: Int) async -> Child?,
        ended: (_ index: Int, _ child: Child) async -> Void
    ) async {
        await withTaskGroup(of: (index: Int, child: Child).self) { group in
            var rest = 0..<max(0, count)
            for _ in 0..<min(max(1, limit), rest.count) {
                await startNext(of: &rest, in: &group, begin)
            }
            while let (index, child) = await group.next() {
                await startNext(of: &rest, in: &group, begin)
                await ended(index, child)
            }
        }
    }

    private func startNext<Child: Coordinator>(
        of rest: inout Range<Int>, in group: inout TaskGroup<(index: Int, child: Child)>,
        _ begin: (Int) async -> Child?
    ) async {
        guard !Task.isCancelled, let index = rest.popFirst() else { return }
        guard let child = await begin(index) else {
            rest = rest.upperBound..<rest.upperBound
            return
        }
        group.addTask {
            await child.start()
            return (index, child)
        }
    }
}

/// Many assets, a few at a time; the outcomes come in the order the sources were given.
///
/// One that fails does not stop the others. Cancelled, it cancels those at work, begins no further one, and returns
/// when all have ended; those that had begun still give their outcome.
public actor BatchCoordinator: Coordinator {
    /// How one source ended.
    public struct Outcome: Sendable, Hashable {
        /// Of the source, from 0.
        public let index: Int
        /// As it is shown to people (``AssetSource/display(_:)``).
        public let source: String
        /// Under this name the pipeline has the product, until it is removed.
        public let asset: AssetID
        /// A settled state.
        public let state: AssetState
    }

    private enum Slot {
        case ended(Outcome)
        /// The asset was removed before it settled.
        case removed
    }

    private let sources: [String]
    private let limit: Int
    private let pipeline: AssetPipeline
    private let deliver: @Sendable (Outcome) async -> Void
    private var running: [Int: AssetCoordinator] = [:]
    /// Ended, but an earlier one has not.
    private var held: [Int: Slot] = [:]
    private var delivered = 0

    /// - Parameters:
    ///   - limit: Assets at work at once, at least 1.
    ///   - deliver: Called once for each source that was begun, in their order, one after the other; while it runs no
    ///     further asset is begun. May remove the asset, so that long batches hold few products.
    public init(
        _ sources: [String], in pipeline: AssetPipeline, atMost limit: Int,
        deliver: @escaping @Sendable (Outcome) async -> Void
    ) {
        self.sources = sources
        self.pipeline = pipeline
        self.limit = limit
        self.deliver = deliver
    }

    public var children: [any Coordinator] { running.sorted { $0.key < $1.key }.map(\.value) }

    /// For one call.
    public func start() async {
        await startChildren(count: sources.count, atMost: limit, begin: begin, ended: ended)
    }

    private func begin(_ index: Int) async -> AssetCoordinator? {
        // Only a pipeline that has ended refuses new assets; there is nothing more to begin then.
        guard let asset = try? await pipeline.perform(.add(source: sources[index])) else { return nil }
        let child = pipeline.coordinator(of: asset)
        running[index] = child
        return child
    }

    private func ended(_ index: Int, _ child: AssetCoordinator) async {
        let state = await pipeline.state(of: child.asset)
        running[index] = nil
        held[index] =
            state.map {
                .ended(
                    Outcome(index: index, source: AssetSource.display(sources[index]), asset: child.asset, state: $0))
            } ?? .removed
        while let slot = held.removeValue(forKey: delivered) {
            delivered += 1
            switch slot {
            case .ended(let outcome): await deliver(outcome)
            case .removed: break
            }
        }
    }
}

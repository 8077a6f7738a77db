import Daedalus

/// Measures how long an asset is in each stage.
struct StageClock {
    private let metrics: ServiceMetrics
    private var stage: AssetStage?
    private var since = AssetOperations.Instant.systemTime()
    private let began = AssetOperations.Instant.systemTime()

    init(_ metrics: ServiceMetrics) { self.metrics = metrics }

    /// Milliseconds from its start.
    var elapsed: Int64 { AssetOperations.Instant.systemTime() - began }

    mutating func move(to state: AssetState) {
        guard state.stage != stage else { return }
        let now = AssetOperations.Instant.systemTime()
        if let stage { metrics.observe(.stageDuration, ("stage", stage.rawValue), milliseconds: now - since) }
        (stage, since) = (state.stage, now)
        guard state.isSettled else { return }
        metrics.count(.settled, ("state", state.wireName))
        if let failure = state.failure { metrics.count(.failures, ("code", failure.code.rawValue)) }
    }
}

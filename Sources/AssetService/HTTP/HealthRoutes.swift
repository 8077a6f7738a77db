import Daedalus
import Hummingbird
import Logging

/// What a supervisor asks.
struct HealthRoutes: Sendable {
    let tools: ServiceTools

    func add(to router: Router<some RequestContext>) {
        let readiness = Readiness(store: tools.store, log: tools.log)
        // Alive as long as it answers.
        router.get("healthz") { _, _ in Response.json(["status": "ok"]) }
        router.get("readyz") { _, _ in
            if tools.phase.isStopping {
                throw Problem(.serviceUnavailable, nil, "The service is being stopped.", retryAfter: 5)
            }
            guard await readiness.holds() else {
                throw Problem(.serviceUnavailable, nil, "The database cannot be written.", retryAfter: 5)
            }
            return Response.json(["status": "ok"])
        }
    }
}

/// Whether the database takes what is written. Everybody may ask that as often as they like, so it is tried once a second at
/// most.
private actor Readiness {
    private let store: any JobStore
    private let log: Logger
    private var known: (holds: Bool, at: ContinuousClock.Instant)?
    private var trial: Task<Bool, Never>?

    init(store: any JobStore, log: Logger) { (self.store, self.log) = (store, log) }

    func holds() async -> Bool {
        if let known, ContinuousClock.now - known.at < .seconds(1) { return known.holds }
        if let trial { return await trial.value }
        // Not the caller's task, which ends with its client.
        let (store, log) = (store, log)
        let trial = Task {
            do { try await store.check() } catch {
                log.error("not ready: \(error)")
                return false
            }
            return true
        }
        self.trial = trial
        let holds = await trial.value
        self.trial = nil
        known = (holds, .now)
        return holds
    }
}

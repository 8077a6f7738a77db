import Daedalus
import Hummingbird

/// What a supervisor asks.
struct HealthRoutes: Sendable {
    let tools: ServiceTools

    func add(to router: Router<some RequestContext>) {
        // Alive as long as it answers.
        router.get("healthz") { _, _ in Response.json(["status": "ok"]) }
        router.get("readyz") { _, _ in
            if tools.phase.isStopping {
                throw Problem(.serviceUnavailable, nil, "The service is being stopped.", retryAfter: 5)
            }
            do { try await tools.store.check() } catch {
                throw Problem(.serviceUnavailable, nil, "The database cannot be written.", retryAfter: 5)
            }
            return Response.json(["status": "ok"])
        }
    }
}

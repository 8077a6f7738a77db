import Daedalus
import Logging
import ServiceLifecycle

/// Removes assets whose time is over, and keeps the counts of requests. Both go on after a restart from what is kept.
struct ServiceKeeper: Service {
    let tools: ServiceTools

    /// Assets of one transaction at most, behind which others wait.
    private static let batch = 100
    /// Seconds between two looks at what expired, and of them between two times that counts are kept.
    private static let (pause, flushes) = (1, 5)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var looks = 0
            while !Task.isCancelled {
                looks += 1
                do { try await removeExpired() } catch is CancellationError { break } catch {
                    tools.log.error("removing what expired: \(error)")
                }
                if looks.isMultiple(of: Self.flushes) { await keepCounts() }
                try? await Task.sleep(for: .seconds(Self.pause))
            }
        }
        await keepCounts()
    }

    /// Not in the task that is cancelled.
    private func keepCounts() async {
        let tools = tools
        do { try await Task { try await tools.quotas.flush(tools.access) }.value } catch {
            tools.log.error("counts of requests: \(error)")
        }
    }

    private func removeExpired() async throws {
        var hasMore = true
        while hasMore, !Task.isCancelled {
            let removal = try await tools.store.removeExpired(limit: Self.batch)
            hasMore = removal.hasMore
            for id in removal.removed { tools.log.info("expired", metadata: ["asset": "\(id)"]) }
            let tools = tools
            await Task { await tools.finish(removal) }.value
        }
    }
}

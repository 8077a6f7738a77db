import Daedalus
import Logging
import ServiceLifecycle

/// Looks after uploads that nobody goes on with.
struct UploadKeeper: Service {
    private let tools: ServiceTools

    init(_ tools: ServiceTools) { self.tools = tools }

    func run() async throws {
        let pause = min(tools.settings.uploadTime, 5)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await ResumableUploads(tools: tools).tidy() } catch is CancellationError { return } catch {
                    tools.log.error("uploads: \(error)")
                }
                try? await Task.sleep(for: .seconds(pause))
            }
        }
    }
}

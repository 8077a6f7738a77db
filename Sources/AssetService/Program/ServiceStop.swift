import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Ends the service: by the first signal in good order and in time, by the second at once.
struct ServiceStop {
    let tools: ServiceTools
    let owner: String

    /// Waits for signals as long as the service runs.
    func listen(_ signals: UnixSignalsSequence, stopping group: ServiceGroup) async {
        for await signal in signals {
            guard tools.phase.stop() else {
                tools.log.warning("stopped at once", metadata: ["signal": "\(signal)"])
                // Workers end when nobody holds their pipe, and the next start takes up the claims.
                _exit(128 + signal.rawValue)
            }
            tools.log.info(
                "stopping",
                metadata: ["signal": "\(signal)", "seconds": .stringConvertible(tools.settings.stopSeconds)])
            tools.bell.ring()
            await group.triggerGracefulShutdown()
            Task { await end() }
        }
    }

    /// Ends what did not end in time.
    private func end() async {
        try? await Task.sleep(for: .seconds(tools.settings.stopSeconds + 3))
        tools.log.warning("stopped at the deadline")
        try? await tools.store.release(owner: owner)
        _exit(0)
    }
}

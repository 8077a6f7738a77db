import DaeCore

/// Hints that something was notified on a channel: it may be more than one thing, or, after a new connection, nothing.
///
/// A thread of its own has one connection, and makes a new one, with growing pauses, for as long as somebody listens.
package struct PostgreSQLListener: Sendable {
    private let address: PostgreSQLAddress
    private let settings: PostgreSQLSettings
    private let channel: String

    package init(
        _ address: PostgreSQLAddress, channel: String, _ settings: PostgreSQLSettings = PostgreSQLSettings()
    ) {
        self.address = address
        self.channel = channel
        self.settings = settings
    }

    /// One hint when it listens, and after each break; hints that nobody has taken yet are one.
    ///
    /// - Parameter report: Is told why there is no connection; it is tried again all the same.
    package func hints(report: @escaping @Sendable (any Error) -> Void = { _ in }) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let stop = StopFlag()
        continuation.onTermination = { _ in stop.set() }
        let name = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let isStarted = DetachedThread.start {
            var failures = 0
            while !stop.isSet {
                do {
                    let connection = try PostgreSQLConnection(address, settings, stop: stop)
                    try connection.script("LISTEN \"\(name)\"")
                    failures = 0
                    continuation.yield()
                    while !stop.isSet {
                        if try connection.hasNotification(within: .seconds(60)) { continuation.yield() }
                    }
                } catch {
                    if stop.isSet { return }
                    report(error)
                }
                failures += 1
                Reruns.sleep(Reruns.pause(100, doubled: failures), stop)
            }
        }
        if !isStarted {
            report(PostgreSQLError.noFreeConnection("the system gives no thread"))
            continuation.finish()
        }
        return stream
    }
}

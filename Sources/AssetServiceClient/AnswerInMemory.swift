import Download
import Synchronization

/// An answer whose body is held in memory.
struct AnswerInMemory: Sendable {
    let body: [UInt8]
    /// `nil` for an answer of success.
    let problem: ServiceProblem?

    /// The most that is taken: what a service says in JSON of one asset is far below.
    private static let limit = 512 << 20

    private enum Extent {
        case within
        /// More came than is taken.
        case beyond
    }

    private struct Collected {
        var head: HTTPAnswerHead?
        var body: [UInt8] = []
        var extent = Extent.within
    }

    /// - Parameter limit: Bytes of the body.
    static func fetch(
        _ exchange: HTTPExchange, by http: HTTPClient, limit: Int = limit
    ) async throws(AssetServiceError) -> AnswerInMemory {
        let collector = Collector(limit: limit)
        do throws(DownloadError) {
            try await http.run(exchange, to: collector.receiver)
        } catch {
            // It was ended from here, though nobody cancelled it.
            if collector.contents.extent == .beyond { throw .notUnderstood("more than \(limit) bytes") }
            // Who refuses an upload closes the connection while it is still being sent.
            guard !error.isCancelled, let head = collector.contents.head, head.status >= 400 else {
                throw AssetServiceError(error)
            }
        }
        let contents = collector.contents
        let body = contents.body
        guard let head = contents.head else { throw .notUnderstood("nothing") }
        guard !(200...299).contains(head.status) else { return AnswerInMemory(body: body, problem: nil) }
        return AnswerInMemory(
            body: body,
            problem: ServiceProblem(status: head.status, phrase: head.phrase, body: body, retryAfter: head.retryAfter))
    }

    /// A class because the transfer's thread fills what the task reads.
    private final class Collector: Sendable {
        private let collected = Mutex(Collected())
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        var contents: Collected { collected.withLock { $0 } }

        var receiver: HTTPClient.Receiver {
            .init(
                head: { head in self.collected.withLock { $0.head = head } },
                body: { bytes in
                    self.collected.withLock { collected in
                        guard bytes.count <= self.limit - collected.body.count else {
                            collected.extent = .beyond
                            return false
                        }
                        collected.body.append(contentsOf: bytes)
                        return true
                    }
                })
        }
    }
}

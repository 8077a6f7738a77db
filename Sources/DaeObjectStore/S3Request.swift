import DaeCore
import DaeDownload
import Synchronization

/// What an object's bytes come from.
package enum S3Content: Sendable {
    case bytes([UInt8])
    case file(String)

    func source() throws(S3Error) -> any ByteSource {
        switch self {
        case .bytes(let bytes): return MemoryByteSource(bytes)
        case .file(let path):
            do throws(ByteSourceError) { return try FileByteSource(path: path) } catch {
                throw .file("cannot read \(path.printable()): \(error.reason)")
            }
        }
    }
}

/// A request to a store before it is signed.
struct S3Request: Sendable {
    var method = RequestMethod.get
    /// Whole, with the location's prefix; `nil` for the bucket itself.
    var key: String?
    var query: [SignatureV4.Field] = []
    var headers: [SignatureV4.Field] = []
    var range: Range<Int64>?
    var content = S3Content.bytes([])
    /// Of the content.
    var sha256 = SHA256Digest(hashing: [])

    func exchange(_ url: String) throws(S3Error) -> HTTPExchange {
        switch method {
        case .get: HTTPExchange(url)
        case .head: HTTPExchange(url, .head)
        case .delete: HTTPExchange(url, .delete)
        case .put: HTTPExchange(url, .put(RequestBody(try content.source())))
        case .post: HTTPExchange(url, .post(RequestBody(try content.source()), type: "application/octet-stream"))
        }
    }
}

/// A whole answer, or as much of a refusal's as is read.
struct S3Answer: Sendable {
    let head: HTTPAnswerHead
    var body: [UInt8] = []
}

/// Takes the body of a success on the transfer's own thread, which it may block; what it throws ends the transfer.
struct S3Sink: Sendable {
    /// Called once, whatever is asked again.
    var head: @Sendable (HTTPAnswerHead) -> Void
    var body: @Sendable (UnsafeRawBufferPointer) throws(S3Error) -> Void
    /// Bytes a second, below which the store stands still; where it may be the reader who is slow this is little.
    var slowestRate = 1000
}

/// Receives the answer to one request. A class because the transfer's thread fills what the task reads.
final class S3Arrival: Sendable {
    private struct State {
        var answer: S3Answer?
        /// Bytes that went to the sink.
        var taken: Int64 = 0
        /// Why the sink could not take more.
        var failure: S3Error?
    }

    private let state = Mutex(State())
    private let limit: Int
    private let sink: S3Sink?
    private let accepts: @Sendable (HTTPAnswerHead) -> Bool

    /// - Parameters:
    ///   - limit: Bytes of a body that is kept here; what is beyond is dropped.
    ///   - sink: Takes the body of an answer that is accepted.
    init(
        limit: Int, sink: S3Sink? = nil, accepting accepts: @escaping @Sendable (HTTPAnswerHead) -> Bool = { _ in true }
    ) {
        (self.limit, self.sink, self.accepts) = (limit, sink, accepts)
    }

    var answer: S3Answer? { state.withLock { $0.answer } }
    var taken: Int64 { state.withLock { $0.taken } }
    var failure: S3Error? { state.withLock { $0.failure } }

    var receiver: HTTPClient.Receiver {
        .init(
            head: { [self] head in
                state.withLock { $0.answer = S3Answer(head: head) }
                if let sink, accepts(head) { sink.head(head) }
            },
            body: { [self] bytes in
                guard let head = answer?.head else { return false }
                guard let sink, accepts(head) else { return keep(bytes) }
                state.withLock { $0.taken += Int64(bytes.count) }
                do throws(S3Error) { try sink.body(bytes) } catch {
                    state.withLock { $0.failure = error }
                    return false
                }
                return true
            })
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            let room = limit - (state.answer?.body.count ?? limit)
            state.answer?.body.append(contentsOf: bytes.prefix(room))
            return bytes.count <= room
        }
    }
}

import Daedalus
import Hummingbird
import Synchronization

/// A request's body that is hashed while it is read.
struct DigestedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let digest: BodyDigest

    func makeAsyncIterator() -> Iterator { Iterator(rest: body.makeAsyncIterator(), digest: digest) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: RequestBody.AsyncIterator
        let digest: BodyDigest

        mutating func next() async throws -> ByteBuffer? {
            let buffer = try await rest.next()
            digest.take(buffer)
            return buffer
        }
    }
}

/// The digest of what was read of a body. A class because its reader and who asks for it share it.
final class BodyDigest: Sendable {
    private struct State: ~Copyable {
        var hasher: SHA256Hasher? = SHA256Hasher()
        var digest: SHA256Digest?
    }

    private let state = Mutex(State())

    /// - Parameter buffer: `nil` at the end of the body.
    func take(_ buffer: ByteBuffer?) {
        state.withLock { state in
            if let buffer {
                state.hasher?.update(Array(buffer: buffer))
            } else if let hasher = state.hasher.take() {
                state.digest = hasher.finish()
            }
        }
    }

    /// `nil` where the body was not read to its end.
    var finished: SHA256Digest? { state.withLock { $0.digest } }
}

/// An answer's body as bytes. A class because the writer is given away.
final class CollectedBody: ResponseBodyWriter, Sendable {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws { collected.withLock { $0 += Array(buffer: buffer) } }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

import DaeCore
import DaeDownload
import Dispatch
import Synchronization

/// The bytes of an object as they come; to be read once. The store waits while a few pieces, of half a MiB at most, have not
/// been taken. The transfer ends when nobody has this any more.
package struct S3Body: AsyncSequence, Sendable {
    fileprivate enum Item: Sendable {
        case head(HTTPAnswerHead)
        case bytes([UInt8])
    }

    private static let capacity = 4

    private let items: AsyncThrowingStream<Item, any Error>
    /// For as many pieces as may wait.
    private let room: DispatchSemaphore

    init(_ connection: S3Connection, _ request: S3Request, _ sha256: SHA256Digest?) {
        // A semaphore must not go with less than it began with.
        let room = DispatchSemaphore(value: 0)
        for _ in 0..<Self.capacity { room.signal() }
        let (items, ours) = AsyncThrowingStream<Item, any Error>.makeStream()
        (self.items, self.room) = (items, room)
        let send: @Sendable (Item) throws(S3Error) -> Void = { item throws(S3Error) in
            room.wait()
            if case .terminated = ours.yield(item) { throw .cancelled }
        }
        let task = Task {
            let hasher = sha256.map { _ in S3Hasher() }
            var sink = S3Sink(head: { try? send(.head($0)) }) { bytes throws(S3Error) in
                hasher?.update(bytes)
                try send(.bytes(Array(bytes)))
            }
            sink.slowestRate = 1
            do throws(S3Error) {
                _ = try await connection.send(request, to: sink)
                guard hasher?.finish() == sha256 else { throw .checksumMismatch(key: request.key ?? "") }
                ours.finish()
            } catch { ours.finish(throwing: error) }
        }
        ours.onTermination = { _ in
            task.cancel()
            room.signal()
        }
    }

    func head() async throws(S3Error) -> HTTPAnswerHead {
        var iterator = makeAsyncIterator()
        guard case .head(let head) = try await iterator.item() else { throw .unexpected("a body without a head") }
        return head
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var items: AsyncThrowingStream<Item, any Error>.Iterator
        fileprivate let room: DispatchSemaphore

        fileprivate mutating func item(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(S3Error) -> Item? {
            do {
                let item = try await items.next(isolation: isolation)
                if item != nil { room.signal() }
                if item == nil, Task.isCancelled { throw S3Error.cancelled }
                return item
            } catch { throw error as? S3Error ?? .cancelled }
        }

        package mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        package mutating func next(isolation: isolated (any Actor)?) async throws(S3Error) -> [UInt8]? {
            guard case .bytes(let bytes) = try await item(isolation: isolation) else { return nil }
            return bytes
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(items: items.makeAsyncIterator(), room: room) }
}

/// What a transfer's thread does with the bytes, for the task that waits. A class because both share it.
final class S3Hasher: Sendable {
    private let hasher = Mutex(SHA256Hasher())

    func update(_ bytes: UnsafeRawBufferPointer) { hasher.withLock { $0.update(bytes) } }

    /// Of all bytes so far; begins anew.
    func finish() -> SHA256Digest {
        hasher.withLock { hasher in
            let done = hasher
            hasher = SHA256Hasher()
            return done.finish()
        }
    }
}

import ByteSource
import Download
import Glibc
import Synchronization

/// A file that is being fetched: written beside its place, and put there when it is whole. A class because it owns the
/// descriptor; what was not finished is gone with it.
final class ArrivingTarget: Sendable {
    private enum Phase {
        /// No answer yet, or the last one broke off.
        case waiting
        case writing
        /// An answer that is not the file, of which some bytes are kept.
        case refused(HTTPAnswerHead, [UInt8])
        case failed(AssetServiceError)
        case finished
    }

    private struct Contents {
        var phase = Phase.waiting
        var size: Int64 = 0
        var tag: String?
    }

    private let path: String
    private let partial: String
    private let descriptor: Int32
    private let contents = Mutex(Contents())
    private let progress: @Sendable (Int64) -> Void

    /// Of what explains a refusal.
    private static let problemLimit = 64 << 10

    init(_ path: String, progress: @escaping @Sendable (Int64) -> Void) throws(AssetServiceError) {
        self.path = path
        self.progress = progress
        (partial, descriptor) = PartialFiles.create {
            let partial = "\(path).partial-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
            return (partial, open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        }
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        // Still there only when `finish` was not reached.
        PartialFiles.remove(partial)
    }

    private static func failure(_ path: String) -> AssetServiceError {
        .cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }

    /// Bytes that are here.
    var size: Int64 { contents.withLock { $0.size } }

    /// Waits for another answer: what the last one was counts no more.
    ///
    /// - Returns: Where the request goes on; `nil` for the beginning.
    func nextRequest() -> (from: Int64, tag: String)? {
        contents.withLock { contents in
            contents.phase = .waiting
            guard contents.size > 0, let tag = contents.tag, !tag.hasPrefix("W/") else { return nil }
            return (contents.size, tag)
        }
    }

    var problem: ServiceProblem? {
        contents.withLock { contents in
            guard case .refused(let head, let body) = contents.phase else { return nil }
            return ServiceProblem(status: head.status, phrase: head.phrase, body: body, retryAfter: head.retryAfter)
        }
    }

    var failure: AssetServiceError? {
        contents.withLock { if case .failed(let error) = $0.phase { error } else { nil } }
    }

    var receiver: HTTPClient.Receiver { .init(head: { self.begin($0) }, body: { self.take($0) }) }

    private func begin(_ head: HTTPAnswerHead) {
        contents.withLock { contents in
            switch head.status {
            case 206 where head.partStart == contents.size: contents.phase = .writing
            case 200:
                // The whole, since it is the first request or there are other bytes now.
                contents.size = 0
                contents.tag = head.etag
                contents.phase = ftruncate(descriptor, 0) == 0 ? .writing : .failed(Self.failure(path))
            default: contents.phase = .refused(head, [])
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let size: Int64? = contents.withLock { contents in
            switch contents.phase {
            case .writing:
                guard write(bytes, at: contents.size) else {
                    contents.phase = .failed(Self.failure(path))
                    return nil
                }
                contents.size += Int64(bytes.count)
                return contents.size
            case .refused(let head, let body):
                contents.phase = .refused(head, body + bytes.prefix(Self.problemLimit - body.count))
                return contents.size
            case .waiting, .failed, .finished: return nil
            }
        }
        guard let size else { return false }
        progress(size)
        return true
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        var rest = bytes[...]
        var offset = off_t(offset)
        while !rest.isEmpty {
            let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
            offset += off_t(count)
        }
        return true
    }

    /// Puts the file in its place.
    func finish() throws(AssetServiceError) {
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw Self.failure(path) }
        contents.withLock { $0.phase = .finished }
    }
}

// A client that got no answer cannot know whether it was heard. With a key it may ask again.

import Daedalus
import Hummingbird
import Logging
import Synchronization

/// Answers a request that bears the key of an earlier one as that was answered.
struct IdempotencyMiddleware: RouterMiddleware {
    let tools: ServiceTools

    /// Bytes of an answer that are kept at most; ours are far shorter.
    private static let answerLimit = 1 << 18

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard let name = HeaderName("idempotency-key"), let key = request.headers[name], Self.applies(request) else {
            return try await next(request, context)
        }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Problem(.badRequest, nil, "Idempotency-Key: expected 1 to 255 visible ASCII characters.")
        }
        let keyed = KeyedRequest(
            client: context.client.owner, key: key, line: "\(request.method.rawValue) \(request.uri.string)")
        switch try await tools.access.begin(keyed, now: AssetOperations.Instant.systemTime()) {
        case .begun(let once):
            var context = context
            context.once = once
            return try await answer(keyed, request, context, next)
        case .running:
            throw Problem(.conflict, nil, "The first request with this Idempotency-Key is not done yet.", retryAfter: 1)
        case .answered(let line, let digest, let answer):
            guard line == keyed.line, try await Self.digest(request.body, limit: tools.settings.contentLimit) == digest
            else {
                throw Problem.keyOfAnother
            }
            return answer.response
        }
    }

    private struct TooLong: Error {}

    private static func applies(_ request: Request) -> Bool {
        guard request.method == .post else { return false }
        let parts = request.uri.path.split(separator: "/")
        return parts == ["v1", "assets"] || parts.count == 4 && parts[1] == "assets" && parts[3] == "actions"
    }

    private func answer(
        _ keyed: KeyedRequest, _ request: Request, _ context: ServiceContext,
        _ next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let store = tools.access
        let heart = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(KeyedRequest.lease / 3))
                try? await store.renew(keyed, now: AssetOperations.Instant.systemTime())
            }
        }
        defer { heart.cancel() }
        let digest = BodyDigest()
        do {
            var request = request
            request.body = RequestBody(asyncSequence: DigestedBody(body: request.body, digest: digest))
            let response = try await next(request, context)
            guard let body = digest.finished, response.body.contentLength ?? .max <= Self.answerLimit,
                let answer = try await KeyedRequest.Answer(response)
            else {
                try? await store.forget(keyed)
                return response
            }
            try await store.finish(keyed, body: body, answer)
            return Response(
                status: response.status, headers: response.headers,
                body: .init(byteBuffer: ByteBuffer(string: answer.body)))
        } catch {
            // What failed did nothing, and may be sent again.
            try? await store.forget(keyed)
            throw error
        }
    }

    private static func digest(_ body: RequestBody, limit: Int64) async throws -> SHA256Digest? {
        let digest = BodyDigest()
        var bytes: Int64 = 0
        do {
            try await DigestedBody(body: body, digest: digest).take { buffer in
                bytes += Int64(buffer.readableBytes)
                guard bytes <= limit else { throw TooLong() }
            }
        } catch is TooLong { return nil }
        return digest.finished
    }
}

extension KeyedRequest.Answer {
    /// `nil` for one that is no text.
    fileprivate init?(_ response: Response) async throws {
        let writer = CollectedBody()
        try await response.body.write(writer)
        guard let body = String(validating: writer.bytes, as: UTF8.self) else { return nil }
        self.init(
            status: response.status.code, location: response.headers[.location], type: response.headers[.contentType],
            body: body)
    }

    fileprivate var response: Response {
        var headers: HTTPFields = [.cacheControl: "no-store"]
        headers[.location] = location
        headers[.contentType] = type
        if let name = HeaderName("idempotency-replayed") { headers[name] = "true" }
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(string: body)))
    }
}

/// A request's body that is hashed while it is read.
private struct DigestedBody: AsyncSequence, Sendable {
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
private final class BodyDigest: Sendable {
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
private final class CollectedBody: ResponseBodyWriter, Sendable {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws { collected.withLock { $0 += Array(buffer: buffer) } }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

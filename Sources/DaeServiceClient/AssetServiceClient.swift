import DaeCore
public import DaeDiagnostics
public import DaeDownload
public import DaePipeline
import Synchronization

/// A client of the HTTP service `daed`.
///
/// Copies share their connections, and one may have many requests under way. Cancelling a task ends its transfer at once.
/// A request that the service puts off (429 or 503 with `Retry-After`) is made again, within ``patience``.
public struct AssetServiceClient: Sendable {
    /// `http://host:port`, without a slash at its end.
    public let server: String
    /// Seconds in all that a request waits where the service asks it to come back later.
    public var patience: Int64 = 60
    /// How a broken stream of events or a broken transfer of a file is taken up again.
    public var retries = RetryPolicy()
    let http: HTTPClient

    /// - Parameters:
    ///   - server: Such as `http://127.0.0.1:8080`, or with a path where a proxy puts the service below one.
    ///   - token: Where the service asks for one.
    ///   - options: Of every request; a token given here counts less.
    /// - Throws: ``AssetServiceError/invalidServer(_:)``.
    public init(
        _ server: String, token: BearerToken? = nil, options: RequestOptions = RequestOptions()
    ) throws(AssetServiceError) {
        do throws(DownloadError) {
            self.server = try HTTPClient.base(server)
        } catch { throw .invalidServer(error.message) }
        var options = options
        if let token { options.bearerToken = token }
        http = HTTPClient(options)
    }
}

// MARK: - Assets

extension AssetServiceClient {
    /// Uploads a file, streamed from the disk.
    ///
    /// - Parameters:
    ///   - name: Under which the service keeps it; the file's own without.
    ///   - labels: Names with values by which it is found again.
    ///   - expires: When the service removes it, in milliseconds since 1970; `nil` for its own rule.
    ///   - progress: Told the bytes sent so far, on the transfer's own thread.
    public func add(
        file path: String, name: String? = nil, labels: [String: String] = [:], expires: Int64? = nil,
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(AssetServiceError) -> ServedAsset {
        let own = path.split(separator: "/").last.map(String.init) ?? path
        let url = server + Self.upload(name ?? own, labels, expires)
        return try await asset { () throws(AssetServiceError) in
            do throws(DownloadError) {
                let body = try RequestBody(file: path, progress: progress)
                return HTTPExchange(url, .post(body, type: "application/octet-stream"))
            } catch { throw .unreachable(error) }
        }
    }

    /// Uploads bytes that are here already; the rest as for a file.
    public func add(
        _ bytes: [UInt8], name: String, labels: [String: String] = [:], expires: Int64? = nil
    ) async throws(AssetServiceError) -> ServedAsset {
        let url = server + Self.upload(name, labels, expires)
        return try await asset { () throws(AssetServiceError) in
            HTTPExchange(url, .post(RequestBody(bytes), type: "application/octet-stream"))
        }
    }

    private static func upload(_ name: String, _ labels: [String: String], _ expires: Int64?) -> String {
        let words = words(labels) + (expires.map { ["expires=\($0)"] } ?? [])
        return "/v1/assets?" + (["name=" + PercentEncoding.encode(name)] + words).joined(separator: "&")
    }

    private static func words(_ labels: [String: String]) -> [String] {
        labels.sorted { $0.key < $1.key }.map { "label=" + PercentEncoding.encode("\($0)=\($1)") }
    }

    /// Has the service download an address.
    ///
    /// - Parameters:
    ///   - sha256: What the file must hash to, as 64 hexadecimal digits; `nil` where nobody knows.
    ///   - headers: The service sends them with its requests, to the origin of the address alone, and shows them to nobody.
    public func add(
        url: String, name: String? = nil, labels: [String: String] = [:], expires: Int64? = nil, sha256: String? = nil,
        headers: [RequestHeader] = []
    ) async throws(AssetServiceError) -> ServedAsset {
        var order: [String: JSONValue] = ["url": .string(url)]
        if let name { order["name"] = .string(name) }
        if !labels.isEmpty { order["labels"] = .object(labels.mapValues { .string($0) }) }
        if let expires { order["expires"] = .integer(expires) }
        if let sha256 { order["sha256"] = .string(sha256) }
        if !headers.isEmpty {
            let values = headers.map { ($0.name, JSONValue.string($0.value)) }
            order["headers"] = .object(Dictionary(values) { _, last in last })
        }
        return try await asset(posting: .object(order), to: "/v1/assets")
    }

    /// What the service tells of an asset now.
    public func asset(_ id: AssetID) async throws(AssetServiceError) -> ServedAsset {
        let url = server + "/v1/assets/" + id.text
        return try await asset { () throws(AssetServiceError) in HTTPExchange(url) }
    }

    /// One page of the assets.
    ///
    /// - Parameters:
    ///   - state: Only those in it, by its name on the wire, such as `failed`.
    ///   - labels: Only those with all of these.
    ///   - after: What ``ServedAssets/next`` of the page before says.
    ///   - limit: 1 to 500.
    public func assets(
        state: String? = nil, labels: [String: String] = [:], after: Int64? = nil, limit: Int? = nil
    ) async throws(AssetServiceError) -> ServedAssets {
        let given = [
            state.map { "state=" + PercentEncoding.encode($0) }, after.map { "after=\($0)" },
            limit.map { "limit=\($0)" },
        ]
        let words = (given.compactMap(\.self) + Self.words(labels)).joined(separator: "&")
        let url = server + "/v1/assets" + (words.isEmpty ? "" : "?" + words)
        let json = try await json { () throws(AssetServiceError) in HTTPExchange(url) }
        guard let elements = json["assets"]?.elements else { throw .notUnderstood("a list without assets") }
        var assets: [ServedAsset] = []
        for element in elements { assets.append(try ServedAsset(element)) }
        return ServedAssets(assets: assets, next: json["next"]?.integer)
    }

    /// Has an action performed that the asset's state allows; gives the asset as it is then, `nil` where it was removed.
    @discardableResult
    public func perform(_ action: AssetAction) async throws(AssetServiceError) -> ServedAsset? {
        switch action {
        case .add(let source): return try await add(source)
        case .retry(let id), .cancel(let id), .convert(let id):
            let order: JSONValue = ["version": 1, "action": .string(action.kind.rawValue)]
            return try await asset(posting: order, to: "/v1/assets/\(id.text)/actions")
        case .remove(let id):
            try await remove(id)
            return nil
        }
    }

    /// Has the service take a source: a file of this machine and bytes are uploaded, an address it downloads itself.
    private func add(_ source: AssetSource) async throws(AssetServiceError) -> ServedAsset {
        switch source.kind {
        case .typed: return try await add(url: source.text)
        case .url(let web): return try await add(url: web.address)
        case .path(let path): return try await add(file: path)
        case .reader(let reader):
            let bytes: [UInt8]
            do throws(ByteSourceError) { bytes = try reader.bytes() } catch {
                throw .notUnderstood(error.description)
            }
            return try await add(bytes, name: source.text)
        }
    }

    /// Removes an asset and, where no other has the same bytes, what was kept of them.
    public func remove(_ id: AssetID) async throws(AssetServiceError) {
        let url = server + "/v1/assets/" + id.text
        _ = try await bytes { () throws(AssetServiceError) in HTTPExchange(url, .delete) }
    }

    /// Removes assets that have all of some labels.
    ///
    /// - Parameters:
    ///   - state: Only those in it, by its name on the wire.
    ///   - limit: 1 to 1000.
    /// - Returns: How many were removed, and whether there are others.
    @discardableResult
    public func removeAll(
        labels: [String: String], state: String? = nil, limit: Int = 1000
    ) async throws(AssetServiceError) -> (removed: Int, hasMore: Bool) {
        let words = Self.words(labels) + (state.map { ["state=" + PercentEncoding.encode($0)] } ?? [])
        let url = server + "/v1/assets?" + (["limit=\(limit)"] + words).joined(separator: "&")
        let json = try await json { () throws(AssetServiceError) in HTTPExchange(url, .delete) }
        guard let removed = json["removed"]?.integer, case .bool(let hasMore)? = json["more"] else {
            throw .notUnderstood("a removal without a number")
        }
        return (Int(clamping: removed), hasMore)
    }
}

// MARK: - Requests

extension AssetServiceClient {
    typealias Making = () throws(AssetServiceError) -> HTTPExchange

    private func asset(_ make: Making) async throws(AssetServiceError) -> ServedAsset {
        try ServedAsset(try await json(make))
    }

    private func asset(posting order: JSONValue, to path: String) async throws(AssetServiceError) -> ServedAsset {
        let body = order.text(.compact)
        let url = server + path
        return try await asset { () throws(AssetServiceError) in
            HTTPExchange(url, .post(RequestBody(body), type: "application/json"))
        }
    }

    func json(_ make: Making) async throws(AssetServiceError) -> JSONValue {
        let body = try await bytes(make)
        do { return try JSONValue(text: body) } catch {
            throw .notUnderstood("no JSON in line \(error.line): \(error.message)")
        }
    }

    /// The body of an answer of success, in memory.
    ///
    /// - Parameter make: Called anew for each try, since a body is read once.
    func bytes(_ make: Making) async throws(AssetServiceError) -> [UInt8] {
        var left = patience
        while true {
            let answer = try await AnswerInMemory.fetch(try make(), by: http)
            guard let problem = answer.problem else { return answer.body }
            guard let pause = problem.pause, pause <= left else { throw .refused(problem) }
            left -= max(1, pause)
            try await Self.wait(.seconds(max(1, pause)))
        }
    }

    static func wait(_ duration: Duration) async throws(AssetServiceError) {
        do { try await Task.sleep(for: duration) } catch { throw .cancelled }
    }
}

extension ServiceProblem {
    /// Seconds after which the same request is made again; `nil` where another answer is not to be expected.
    var pause: Int64? { status == 429 || status == 503 ? retryAfter : nil }
}

extension AssetServiceError {
    init(_ error: DownloadError) { self = error.isCancelled ? .cancelled : .unreachable(error) }
}

/// Why the service did not do what was asked for.
public enum AssetServiceError: Error, Sendable {
    /// The server's address makes no sense.
    case invalidServer(String)
    /// The service was not reached, or the connection broke; or a file to be sent cannot be read.
    case unreachable(DownloadError)
    /// The service said no.
    case refused(ServiceProblem)
    /// What answered is no service of this kind, or a newer one.
    case notUnderstood(String)
    /// What was fetched cannot be written.
    case cannotWrite(path: String, reason: String)
    /// An asset ended otherwise than as `ready`.
    case failed(AssetState.Failure)
    /// By the caller.
    case cancelled
}

extension AssetServiceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidServer(let reason): reason
        case .unreachable(let error): error.message
        case .refused(let problem): problem.description
        case .notUnderstood(let reason): "the answer is none of this service: \(reason)"
        case .cannotWrite(let path, let reason): "\(path): cannot be written: \(reason)"
        case .failed(let failure): "\(failure.message) [\(failure.code.rawValue)]"
        case .cancelled: "cancelled"
        }
    }
}

/// Why the service refused a request, in its own words. Source: RFC 9457.
public struct ServiceProblem: Sendable, Hashable {
    /// Of HTTP.
    public let status: Int
    /// The finding code; `nil` for what is no matter of an asset.
    public let code: FindingCode?
    /// The kind of problem, for people.
    public let title: String
    /// What is wrong this time and what was expected.
    public let detail: String
    /// Which occurrence it is; `nil` where the service does not say.
    package let instance: String?
    /// By which the service's log knows the request.
    package let requestID: String?
    /// Seconds after which asking again may help.
    package let retryAfter: Int64?

    /// - Parameter body: Of the answer; what is no problem in JSON leaves the title alone.
    init(status: Int, phrase: String, body: [UInt8], retryAfter: Int64?) {
        let json = try? JSONValue(text: body)
        self.status = status
        self.retryAfter = retryAfter
        code = json?["code"]?.string.flatMap { FindingCode(rawValue: $0) }
        title = json?["title"]?.string ?? phrase
        detail = json?["detail"]?.string ?? ""
        instance = json?["instance"]?.string
        requestID = json?["requestId"]?.string
    }
}

extension ServiceProblem: CustomStringConvertible {
    public var description: String {
        let name = code.map { " [\($0.rawValue)]" } ?? ""
        return "the service answered \(status) \(title)\(detail.isEmpty ? "" : ": " + detail)\(name)"
    }
}

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

/// An asset as the service tells of it.
public struct ServedAsset: Sendable {
    /// Its name in the service.
    public let id: AssetID
    /// Under which it was added.
    public let name: String
    /// Of its bytes, in hexadecimal digits; `nil` until they are there.
    public let sha256: String?
    /// Of the file; `nil` until it is whole.
    public let bytes: Int64?
    /// Where it is on its way.
    public let state: AssetState
    /// Of the present stage, 0...1; `nil` where it cannot be known.
    package let progress: Double?
    /// Those that this library knows.
    package let availableActions: [AssetAction.Kind]
    /// Milliseconds since 1970.
    package let created: Int64
    package let changed: Int64
    /// Names with values that it was given.
    public let labels: [String: String]
    /// When the service removes it, in milliseconds since 1970; `nil` for never.
    public let expires: Int64?
    /// Paths on the server, by what they lead to.
    package let links: [String: String]

    init(_ json: JSONValue) throws(AssetServiceError) {
        guard let id = json["id"]?.string.flatMap({ AssetID($0) }), let name = json["name"]?.string,
            let written = json["state"]
        else { throw .notUnderstood("an asset without id, name or state") }
        do { state = try written.decoded(AssetState.self) } catch { throw .notUnderstood("a state: \(error)") }
        self.id = id
        self.name = name
        sha256 = json["sha256"]?.string
        bytes = json["bytes"]?.integer
        progress = json["progress"]?.real
        availableActions =
            json["availableActions"]?.elements?.compactMap {
                $0.string.flatMap { AssetAction.Kind(rawValue: $0) }
            } ?? []
        created = json["created"]?.integer ?? 0
        changed = json["changed"]?.integer ?? 0
        expires = json["expires"]?.integer
        var labels: [String: String] = [:]
        if case .object(let members) = json["labels"] { labels = members.compactMapValues(\.string) }
        self.labels = labels
        var links: [String: String] = [:]
        if case .object(let members) = json["links"] { links = members.compactMapValues(\.string) }
        self.links = links
    }
}

/// Assets, the newest first, as many as were asked for at most.
public struct ServedAssets: Sendable {
    /// Those of this page.
    public let assets: [ServedAsset]
    /// Where the next page begins; `nil` behind the last.
    public let next: Int64?
}

/// A file of a bundle.
public struct ServedFile: Sendable, Hashable {
    /// In the bundle.
    public let path: String
    /// In bytes, unpacked; `nil` where the service does not say.
    public let size: Int64?
}

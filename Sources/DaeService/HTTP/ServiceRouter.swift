import CServiceFiles
import DaeCore
import Daedalus
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// All that the service answers.
struct ServiceRouter: Sendable {
    let tools: ServiceTools
    let derivations: Derivations
    let proxies: TrustedProxies

    init(tools: ServiceTools, derivations: Derivations) throws {
        (self.tools, self.derivations) = (tools, derivations)
        proxies = try TrustedProxies(tools.settings.trustedProxies)
    }

    func router() -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: MetricsMiddleware(metrics: tools.metrics))
        router.add(middleware: ProblemMiddleware(tools, proxies))
        router.add(middleware: BrowserGuard(tools.settings))
        router.add(middleware: AccessMiddleware(tools))
        HealthRoutes(tools: tools).add(to: router)
        PageRoutes(tools: tools).add(to: router)
        let group = router.group("v1")
        let assets = AssetRoutes(tools: tools, derivations: derivations)
        assets.add(to: group)
        AssetDetailRoutes(tools: tools, assets: assets).add(to: group)
        UsageRoutes(tools: tools).add(to: group)
        WebhookRoutes(tools: tools).add(to: group)
        let results = ResultRoutes(tools: tools, assets: assets, derivations: derivations)
        results.add(to: group)
        FileRoutes(tools: tools, results: results).add(to: group)
        EventRoutes(tools: tools, assets: assets).add(to: group)
        LinkRoutes(tools: tools, assets: assets).add(to: group)
        TokenRoutes(tools: tools).add(to: group)
        SessionRoutes(tools: tools, proxies: proxies).add(to: group)
        OpenAPIRoutes(base: tools.base).add(to: group)
        UploadRoutes(tools: tools).add(to: group)
        // Behind all others: it answers what they do not.
        MethodRoutes.add(to: router)
        return router
    }
}

/// What is known of one request beside the request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where it comes from.
    var address: String?
    /// Names it in its answer and in the log.
    var requestID = ""
    /// Of the connection.
    let channel: any Channel
    private let known = KnownClient()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress
    }

    /// Known to those who handed the request on, too.
    var client: Client {
        get { known.client.withLock { $0 } }
        nonmutating set { known.client.withLock { $0 = newValue } }
    }
}

extension RequestContext {
    /// The pattern of the path that answered, of which there are few; `none` where there was no such path.
    func route(of status: HTTPResponse.Status) -> String {
        guard let path = endpointPath, status != .notFound || path != "NotFound" else { return "none" }
        return path
    }
}

/// A class because all copies of a context share it.
private final class KnownClient: Sendable {
    let client = Mutex(Client.stranger)
}

enum RequestID {
    /// The client's own where it is well formed, else a new one.
    static func of(_ request: Request) -> String {
        guard let name = HeaderName("x-request-id"), let text = request.headers[name],
            (8...128).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed)
        else { return AssetID.random().text }
        return text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// What a supervisor asks.
struct HealthRoutes: Sendable {
    let tools: ServiceTools

    func add(to router: Router<some RequestContext>) {
        let readiness = Readiness(tools)
        // Alive as long as it answers.
        router.get("healthz") { _, _ in Response.json(["status": "ok"]) }
        router.get("readyz") { _, _ in
            if tools.phase.isStopping {
                throw Problem(.serviceUnavailable, nil, "The service is being stopped.", retryAfter: 5)
            }
            if let fault = await readiness.fault() {
                throw Problem(.serviceUnavailable, nil, fault, retryAfter: 5)
            }
            return Response.json(["status": "ok"])
        }
    }
}

/// Whether the database and the store of bytes can be used. Everybody may ask that as often as they like, so it is tried
/// once a second at most.
private actor Readiness {
    private let store: JobStore
    private let objects: any ObjectStore
    private let log: Logger
    private var known: (fault: String?, at: ContinuousClock.Instant)?
    private var trial: Task<String?, Never>?

    /// Who asks waits no longer.
    private static let patience = Duration.seconds(3)

    init(_ tools: ServiceTools) { (store, objects, log) = (tools.store, tools.objects, tools.log) }

    /// What keeps the service from its work; `nil` where nothing does.
    func fault() async -> String? {
        if let known, ContinuousClock.now - known.at < .seconds(1) { return known.fault }
        if let trial { return await trial.value }
        // Not the caller's task, which ends with its client.
        let (store, objects, log) = (store, objects, log)
        let trial = Task {
            await withTaskGroup(of: String?.self) { group -> String? in
                group.addTask {
                    do { try await store.check() } catch is CancellationError { return nil } catch {
                        log.error("not ready: \(error)")
                        return "The database cannot be written."
                    }
                    return nil
                }
                group.addTask {
                    // Whether it is there does not matter.
                    do {
                        _ = try await objects.head(.blob(SHA256Digest(hashing: [])))
                    } catch is CancellationError { return nil } catch {
                        log.error("not ready: \(error)")
                        return "The store of bytes cannot be read."
                    }
                    return nil
                }
                group.addTask {
                    guard (try? await Task.sleep(for: Self.patience)) != nil else { return nil }
                    log.error("not ready: no answer for \(Self.patience)")
                    return "The database or the store of bytes does not answer."
                }
                defer { group.cancelAll() }
                // The first fault, or none once both have answered.
                for _ in 0..<2 {
                    if let fault = await group.next() ?? nil { return fault }
                }
                return nil
            }
        }
        self.trial = trial
        let fault = await trial.value
        self.trial = nil
        known = (fault, .now)
        return fault
    }
}

/// Says of a path that is known which methods it has, where it was asked for another.
private enum MethodRoutes {
    private static let all = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"].compactMap {
        HTTPRequest.Method($0)
    }

    static func add(to router: Router<some RequestContext>) {
        var methods: [String: (path: RouterPath, known: [HTTPRequest.Method])] = [:]
        for route in router.routes {
            methods[route.path.description, default: (route.path, [])].known.append(route.method)
        }
        for (path, known) in methods.values {
            // Made by the router itself.
            let answered = known.contains(.get) ? known + [.head] : known
            let names = Set(answered.map(\.rawValue)).sorted().joined(separator: ", ")
            for method in all where !answered.contains(method) {
                router.on(path, method: method) { request, _ -> Response in
                    var problem = Problem(
                        .methodNotAllowed, nil, "\(request.method.rawValue) is not possible here; possible: \(names).")
                    problem.headers[.allow] = names
                    throw problem
                }
            }
        }
    }
}

private struct OpenAPIRoutes: Sendable {
    let base: BasePath

    func add(to group: RouterGroup<some RequestContext>) {
        group.get("openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: .init(byteBuffer: ByteBuffer(string: OpenAPI.text(below: base))))
        }
    }
}

/// The description of the API by OpenAPI 3.1, which `/v1/openapi.json` gives and `daed openapi` prints. What it says is in
/// `Sources/CServiceFiles/openapi.json`; the tests hold every answer that they get against it.
enum OpenAPI {
    static let text = String(cString: daed_openapi_document())

    static func text(below base: BasePath) -> String {
        text.replacing(
            "\"servers\": [\n    {\"url\": \"/\"}", with: "\"servers\": [\n    {\"url\": \"\(base.link("/"))\"}",
            maxReplacements: 1)
    }
}

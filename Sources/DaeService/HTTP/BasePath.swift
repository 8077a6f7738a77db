import Daedalus
import Hummingbird

// A proxy may show the service below a path of its own, and hand requests on with that path or without it. Both are
// answered alike: the routes, and what a signed link is signed for, are those without it.

/// What stands before each path in the addresses that the service gives out.
struct BasePath: Sendable {
    /// Empty where nothing does; else without a slash at its end.
    private let prefix: String

    /// - Parameter text: Such as `/models`, or `/`.
    init(_ text: String) { prefix = text == "/" ? "" : text }

    static let expectation = "expected / or a path such as /models: letters, digits and -._~, no slash at its end."

    /// Whether a text can be one. What the service itself has at the root cannot begin it.
    static func canBe(_ text: String) -> Bool {
        if text == "/" { return true }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard text.hasPrefix("/"), text.utf8.count <= 200, let first = parts.first else { return false }
        return !["v1", "page", "viewer", "healthz", "readyz"].contains(first) && parts.allSatisfy(isSegment)
    }

    private static func isSegment(_ text: Substring) -> Bool {
        !text.isEmpty && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }

    /// The address of a path of the service, as clients may ask for it.
    func link(_ path: String) -> String { prefix + path }

    enum Target: Equatable {
        case path(String)
        /// The base path without the slash that addresses on the page need.
        case bare(location: String)
    }

    /// What a request is for.
    func target(_ text: String) -> Target {
        guard !prefix.isEmpty, text.hasPrefix(prefix) else { return .path(text) }
        let rest = text.dropFirst(prefix.count)
        switch rest.first {
        case "/": return .path(String(rest))
        case nil, "?": return .bare(location: "\(prefix)/\(rest)")
        default: return .path(text)
        }
    }

    /// Puts it into the header fields of an answer that hold addresses.
    func apply(to response: inout Response) {
        guard !prefix.isEmpty else { return }
        for name in ["location", "asset-location"].compactMap({ HeaderName($0) }) {
            if let path = response.headers[name], path.hasPrefix("/") { response.headers[name] = link(path) }
        }
        if let name = HeaderName("link"), let text = response.headers[name] {
            response.headers[name] = text.replacing("</", with: "<\(prefix)/")
        }
    }
}

/// Answers below the base path. It stands before the router, which knows its routes without it.
struct BasePathResponder<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServiceContext {
    let base: BasePath
    let inner: Inner

    func respond(to request: Request, context: ServiceContext) async throws -> Response {
        switch base.target(request.head.path ?? "/") {
        case .path(let path):
            var head = request.head
            head.path = path
            var response = try await inner.respond(to: Request(head: head, body: request.body), context: context)
            base.apply(to: &response)
            return response
        case .bare(let location):
            var response = Response(status: .permanentRedirect, headers: [.location: location])
            SecurityHeaders.apply(to: &response)
            return response
        }
    }
}

import DaeCore
import Daedalus
import Hummingbird
import Logging

/// The page for people: one document, what it is made of, and what findings mean. Nothing in it is anybody's secret: what
/// it shows it asks the API for, as whoever has signed in.
struct PageRoutes: Sendable {
    private let tools: ServiceTools
    private let viewer: ViewerFiles

    init(tools: ServiceTools) {
        self.tools = tools
        viewer = ViewerFiles(tools.settings.viewer)
        if viewer.isEmpty {
            let place =
                tools.settings.viewer.isEmpty ? "beside the program" : "in '\(tools.settings.viewer)' (--viewer)"
            tools.log.notice("no 3D viewer is \(place), so the page shows pictures; scripts/tools/fetch-viewer gets it")
        }
    }

    /// Nothing but what is served here, and neither scripts nor styles within a document; a model's images are `blob:`.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self' blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

    func add(to router: Router<ServiceContext>) {
        router.get("/") { request, context in try await document(request, context) }
        router.get("page/:file") { request, context in
            try Self.answer(PageFiles.all[try context.parameters.require("file")], request)
        }
        router.get("viewer/:file") { request, context in
            try Self.answer(viewer[try context.parameters.require("file")], request)
        }
        let catalogue = StaticFile(Self.catalogue, type: "application/json")
        router.get("v1/findings") { request, _ in catalogue.response(to: request) }
    }

    /// Whether everybody may ask for it.
    static func isPublic(_ method: HTTPRequest.Method, _ parts: [Substring]) -> Bool {
        guard method == .get || method == .head else { return false }
        return parts.isEmpty || parts == ["v1", "findings"]
            || parts.count == 2 && (parts[0] == "page" || parts[0] == "viewer")
    }

    private static func answer(_ file: StaticFile?, _ request: Request) throws -> Response {
        guard let file else { throw Problem(.notFound, nil, "There is nothing at '\(request.uri.path.prefix(200))'.") }
        return file.response(to: request)
    }

    private static var catalogue: [UInt8] {
        let all: JSONValue = ["findings": .array(FindingCode.allCases.map(\.catalogueJSON))]
        return all.text(.compact) + [UInt8(ascii: "\n")]
    }

    // MARK: - Without scripts

    private static let place = "<!-- The list, for browsers without scripts. -->"

    private func document(_ request: Request, _ context: ServiceContext) async throws -> Response {
        guard let shell = PageFiles.all["index.html"] else { throw Problem(.notFound, nil, "There is no page.") }
        let list: String
        let parameters = request.uri.queryParameters
        if parameters["asset"] != nil, parameters["signature"] != nil {
            list = "<p>A model is shared by this link; to see it takes a browser that runs scripts.</p>"
        } else if context.client.allows(.read) {
            let after = parameters["after"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
            list = try await PlainList(tools, after: after, for: context.client).text
        } else {
            list = "<p>A token is needed here; to sign in with one takes a browser that runs scripts.</p>"
        }
        let text = String(buffer: shell.body).replacing(Self.place, with: list, maxReplacements: 1)
        var response = StaticFile(Array(text.utf8), type: shell.type).response(to: request)
        if let name = HeaderName("content-security-policy") { response.headers[name] = Self.policy }
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

/// A page of the list as plain HTML.
private struct PlainList {
    let text: String

    init(_ tools: ServiceTools, after: Int64?, for client: Client) async throws {
        let page = try await tools.store.assets(AssetQuery(after: after))
        let rows = try page.assets.map { Self.row(try tools.changes.newest(of: $0).seen(by: client)) }
        guard !rows.isEmpty else {
            text = "<p>\(after == nil ? "No models yet." : "There are no more models.")</p>"
            return
        }
        let next = page.next.map { "<p><a href=\"./?after=\($0)\">Older models</a></p>\n" } ?? ""
        text = """
            <table>
            <thead><tr><th>Model</th><th>State</th><th>What</th><th>Take</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            \(next)
            """
    }

    /// The links are relative, so that they hold behind a proxy, too.
    private static func row(_ asset: AssetRecord) -> String {
        let path = "v1/assets/\(asset.id.text)"
        let line = AssetStatePresentation(asset.state, source: asset.source).line
        let links = asset.state.isReady ? ["report?format=md", "model.glb", "original"] : []
        let taken = links.map { "<a href=\"\(path)/\($0)\">\($0.prefix { $0 != "?" })</a>" }.joined(separator: " ")
        return "<tr><td><a href=\"\(path)\">\(asset.name.escapedForHTML)</a></td><td>\(asset.state.kind.rawValue)</td>"
            + "<td>\(line.escapedForHTML)</td><td>\(taken)</td></tr>"
    }
}

import Daedalus
import Hummingbird

/// One page of the assets that fit, the newest first.
struct AssetList {
    private let query: AssetQuery
    /// The filters, as the next page is asked for with them.
    private let filters: [(name: String, value: String)]

    private static let states = ["downloading", "unzipping", "parsing", "ready", "failed"]

    init(_ request: Request) throws(Problem) {
        let parameters = request.uri.queryParameters
        var query = AssetQuery()
        var filters: [(name: String, value: String)] = []
        if let text = parameters["limit"] {
            guard let limit = Int(text), (1...500).contains(limit) else {
                throw .parameter("limit", text, expected: "1 to 500")
            }
            query.limit = limit
        }
        if let text = parameters["after"] {
            guard let after = Int64(text), after > 0 else {
                throw .parameter("after", text, expected: "what `next` of a page says")
            }
            query.after = after
        }
        if let text = parameters["state"] {
            guard Self.states.contains(String(text)) else {
                throw .parameter("state", text, expected: Self.states.joined(separator: ", "))
            }
            query.state = String(text)
            filters.append(("state", String(text)))
        }
        if let text = parameters["sha256"] {
            guard let digest = SHA256Digest(hex: text) else {
                throw .parameter("sha256", text, expected: "64 hexadecimal digits")
            }
            query.digest = digest.hex
            filters.append(("sha256", digest.hex))
        }
        if let text = parameters["name"] {
            // The database ends a text at a NUL, and would find more than was asked for.
            guard (1...200).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw .parameter("name", text, expected: "1 to 200 bytes that a name contains, none of them NUL")
            }
            query.name = String(text)
            filters.append(("name", String(text)))
        }
        (self.query, self.filters) = (query, filters)
    }

    func response(_ tools: ServiceTools, for client: Client) async throws -> Response {
        let page = try await tools.store.assets(query)
        let next = page.next.map(link)
        var headers: HTTPFields = [:]
        if let next, let name = HeaderName("link") { headers[name] = "<\(next)>; rel=\"next\"" }
        return .json(
            [
                "assets": .array(try page.assets.map { try $0.seen(by: client).json() }), "next": JSONValue(page.next),
                "links": ["next": JSONValue(next)],
            ], headers: headers)
    }

    private func link(after number: Int64) -> String {
        let all = [("limit", String(query.limit)), ("after", String(number))] + filters
        return "/v1/assets?" + all.map { "\($0)=\(PercentText.encoded($1))" }.joined(separator: "&")
    }
}

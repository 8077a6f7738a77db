import DaeCore
import Daedalus
import Hummingbird

/// The one page: what there is and how it stands, so that a person sees that the service lives.
private struct HomePage {
    let assets: [AssetRecord]
    let counts: ServiceCounts
    /// As the one who asks knows the service: host and port.
    let authority: String

    /// Neither scripts nor anything of another origin: the answer's policy forbids them, too.
    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="refresh" content="5">
        <title>daed</title>
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
        table { border-collapse: collapse; width: 100%; }
        th, td { border-bottom: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top; }
        td:last-child { overflow-wrap: anywhere; }
        td:first-child { overflow-wrap: break-word; min-width: 12rem; }
        .failed { color: #b00020; }
        </style>
        </head>
        <body>
        <h1>daed</h1>
        <p>\(summary)</p>
        \(table)
        </body>
        </html>

        """
    }

    static let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

    private var summary: String {
        let states = counts.states.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let all = states.isEmpty ? "No assets yet." : states.joined(separator: ", ") + "."
        return "\(all) \(counts.running) at work, \(counts.queued) waiting."
    }

    private var table: String {
        guard !assets.isEmpty else {
            return "<p>Upload one: <code>curl --data-binary @model.zip "
                + "'http://\(authority.escapedForHTML)/v1/assets?name=model.zip'</code></p>"
        }
        return "<table>\n<thead><tr><th>Asset</th><th>State</th><th>What</th></tr></thead>\n<tbody>\n"
            + assets.map(row).joined() + "</tbody>\n</table>"
    }

    private func row(_ asset: AssetRecord) -> String {
        let name = "<a href=\"\(asset.path.dropFirst())\">\(asset.name.escapedForHTML)</a>"
        let isFailed = asset.state.failure != nil
        let title = AssetStatePresentation(asset.state, source: asset.source).line
        return "<tr><td>\(name)</td><td\(isFailed ? " class=\"failed\"" : "")>\(asset.state.kind.rawValue)</td>"
            + "<td>\(title.escapedForHTML)</td></tr>\n"
    }
}

struct HomeRoutes: Sendable {
    let tools: ServiceTools

    func add(to router: Router<some RequestContext>) {
        router.get("/") { request, _ in
            let page = HomePage(
                assets: try await tools.store.assets(AssetQuery(limit: 100)).assets.map {
                    tools.changes.newest(of: $0)
                },
                counts: try await tools.store.counts(), authority: request.head.authority ?? "localhost")
            var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
            if let name = HeaderName("content-security-policy") { headers[name] = HomePage.policy }
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: page.text)))
        }
    }
}

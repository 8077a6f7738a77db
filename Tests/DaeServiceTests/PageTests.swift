import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The page as the service hands it out; what it does in a browser `scripts/gates/check-page` tries.
@Suite(.timeLimit(.minutes(10))) struct PageTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
    }

    private static let sources = Repository.root + "/Sources/CServiceFiles/page"

    @Test func allFilesAreServedAsTheyAre() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.sources)
        #expect(names.count > 10)
        let types = ["html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
        for name in names {
            let answer = try client.get("/page/" + name)
            let bytes = try Data(contentsOf: URL(filePath: "\(Self.sources)/\(name)"))
            #expect(answer.body == Array(bytes), "\(name)")
            let type = types[String(name.split(separator: ".").last ?? "")]
            #expect(answer.headers["content-type"]?.hasPrefix(type ?? "none") == true, "\(name)")
            let tag = try #require(answer.headers["etag"])
            #expect(tag.hasPrefix("\""))
            let again = try client.get("/page/" + name, headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
            let head = try client.send("HEAD", "/page/" + name)
            #expect(head.status == 200 && head.headers["etag"] == tag && head.body.isEmpty)
        }
        for path in ["/page/none.js", "/page/..%2fopenapi.json", "/viewer/none.js", "/page/"] {
            #expect(try client.get(path).status == 404, "\(path)")
        }
        #expect(try client.send("POST", "/page/app.js").status == 405)
    }

    /// What a page is made of by text that others wrote is made of elements and texts; nothing is compiled.
    @Test func noScriptMakesMarkupOrCode() throws {
        let markup = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc",
            "createContextualFragment", "setAttributeNS", "style=", "javascript:\"",
        ]
        for name in PageTests.scripts {
            let text = try String(contentsOfFile: "\(Self.sources)/\(name)", encoding: .utf8)
            for word in markup { #expect(!text.contains(word), "\(name): \(word)") }
            // Behind a proxy the page does not lie at the top.
            for word in ["\"/v1", "`/v1", "\"/page", "\"/viewer", "href=\"/", "src=\"/"] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
        }
    }

    private static let scripts: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []).filter {
            $0.hasSuffix(".js") || $0.hasSuffix(".html")
        }

    @Test func itsPolicyForbidsWhatItDoesNotNeed() throws {
        let policy = try #require(try client.get("/").headers["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.contains("require-trusted-types-for 'script'"))
        for word in ["unsafe", "data:", "*", "http"] { #expect(!policy.contains(word), "\(word)") }
    }

    @Test func withoutScriptsItListsAndLinks() throws {
        let name = "%3Cscript%3Ealert(1)%22onerror%3D.zip"
        let first = try client.upload(try Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try client.outcome(of: first)
        let failed = try client.upload(Array("no model".utf8), name: name)
        _ = try client.outcome(of: failed)
        let text = try client.get("/").text
        #expect(text.contains("<a href=\"v1/assets/\(first)\">walker.zip</a>"))
        #expect(text.contains("<a href=\"v1/assets/\(first)/model.glb\">model.glb</a>"))
        #expect(text.contains("&lt;script&gt;"))
        #expect(!text.contains("<script>"))
        #expect(!text.contains("\"onerror"))
        for number in 0..<50 { _ = try client.upload(Array("no model".utf8), name: "\(number).zip") }
        let page = try client.get("/").text
        #expect(page.components(separatedBy: "<tr><td>").count == 51)
        let link = try #require(
            page.components(separatedBy: "href=\"./?after=").dropFirst().first?.prefix { $0 != "\"" })
        let next = try client.get("/?after=\(link)").text
        #expect(next.contains("walker.zip</a>") && next.components(separatedBy: "<tr><td>").count == 3)
        #expect(try client.get("/?after=x").status == 200)
    }

    @Test func whereTokensAreAskedForItHoldsNothing() throws {
        let id = try client.upload(try Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        let run = try ServiceProcess.run(["token", "add", "reader", "--data", folder.path])
        let token = run.text.dropLast()
        for path in ["/", "/?asset=\(id)", "/page/app.js", "/v1/findings"] {
            let answer = try client.get(path)
            #expect(answer.status == 200 && !answer.text.contains("walker"), "\(path)")
        }
        #expect(try client.get("/").text.contains("A token is needed here"))
        let shared = try client.get("/?asset=\(id)&expires=1&key=a&signature=b").text
        #expect(shared.contains("shared by this link") && !shared.contains("A token is needed"))
        #expect(try client.get("/", headers: ["Authorization": "Bearer \(token)"]).text.contains("walker.zip</a>"))
        #expect(try client.get("/v1/findings").json?["findings"]?.elements.count ?? 0 > 100)
    }

    @Test func whatAConversionChangedIsToldOfEachModel() throws {
        let id = try client.upload(try Repository.fixture("bundles/chair.zip"), name: "chair.zip")
        _ = try client.outcome(of: id)
        let changes = "/v1/assets/\(id)/changes"
        // Made with the model, and of its own form.
        let quads = try #require(try client.get(changes).json?["changes"]?.elements)
        #expect(quads.contains { $0["change"] == "triangulated" && $0["isLoss"] == .bool(false) })
        #expect(try client.get("/v1/assets/\(id)/model.glb").status == 200)
        let stl = try #require(try client.get(changes + "?format=stl").json)
        #expect(stl["isLossless"] == .bool(false))
        #expect(stl["changes"]?.elements.contains { $0["change"] == "dropped" && $0["class"] == "material" } == true)
        for format in ["usdz", "obj.zip", "glb&compact=1"] {
            #expect(try client.get("\(changes)?format=\(format)").status == 200, "\(format)")
        }
        #expect(try client.get(changes + "?format=fbx").status == 400)
        // One that was made before there was such an account is made again.
        let name = "model.glb.changes.json"
        let files = try Repository.files(below: folder.path).filter { $0.hasSuffix(name) }
        try #require(files.count == 1)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(files[0])")
        #expect(try client.get(changes).json?["changes"]?.elements == quads)
    }

    // MARK: - Shared by a link

    @Test func aLinkToThePageShowsOneAsset() throws {
        let id = try client.upload(try Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        let other = try client.upload(try Repository.fixture("bundles/lamp.zae"), name: "lamp.zae")
        for asset in [id, other] { _ = try client.outcome(of: asset) }
        let run = try ServiceProcess.run(["token", "add", "reader", "--data", folder.path])
        let reader = ["Authorization": "Bearer " + run.text.dropLast()]
        let order = Array(#"{"expiresIn": 600}"#.utf8)
        let links = try client.send("POST", "/v1/assets/\(id)/links", headers: reader, body: order).json?["links"]
        let page = try #require(links?["page"]?.string)
        #expect(page.hasPrefix("/?asset=\(id)&expires="))
        #expect(try client.get(page).status == 200)
        let proof = try #require(page.components(separatedBy: "&expires=").last.map { "expires=" + $0 })
        let asset = "/v1/assets/\(id)"
        let shown = [
            "", "/inspect", "/tree", "/files", "/changes", "/files/walker.dae", "/thumbnail.png", "/model.glb",
            "/report",
            "/original",
        ]
        for path in shown {
            #expect(try client.get("\(asset)\(path)?\(proof)").status == 200, "\(path)")
            #expect(try client.get("\(asset)\(path)?\(proof)0").status == 403, "\(path)")
            #expect(try client.send("DELETE", "\(asset)\(path)?\(proof)").status == 401, "\(path)")
        }
        for path in [
            "/v1/assets", "/v1/assets/\(other)", "/v1/assets/\(other)/original", "/v1/events", "\(asset)/links",
            "\(asset)/*",
        ] {
            #expect(try client.get("\(path)?\(proof)").status == 403, "\(path)")
        }
        // A link to one file stays a link to that.
        let file = try #require(links?["original"]?.string?.split(separator: "?").last)
        #expect(try client.get("\(asset)/inspect?\(file)").status == 403)
        #expect(try client.send("POST", "\(asset)/actions?\(proof)", body: order).status == 401)
    }

    @Test func aStreamEndsWithItsLink() throws {
        let id = try client.upload(try Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        let order = Array(#"{"expiresIn": 2}"#.utf8)
        let links = try client.send("POST", "/v1/assets/\(id)/links", body: order).json?["links"]
        let proof = try #require(
            links?["page"]?.string?.components(separatedBy: "&expires=").last.map { "expires=" + $0 })
        let connection = try LoopbackClient(port: service.port)
        connection.send("GET /v1/assets/\(id)/events?\(proof) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(connection.read(12) == Array("HTTP/1.1 200".utf8))
        #expect(connection.rest().end != .silent)
        #expect(try client.get("/v1/assets/\(id)?\(proof)").json?["detail"] == "The link has expired.")
    }
}

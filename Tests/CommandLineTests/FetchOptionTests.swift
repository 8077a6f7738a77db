import Glibc
import TestSupport
import Testing

/// Images and documents on the web: named without `--fetch`, asked for with it. The server is a real one.
@Suite struct FetchOptionTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let document: String

    init() throws {
        let png = try Repository.fixture("images/stripes.png")
        server = try LoopbackServer([
            "/tex/stripes.png": { _, connection in connection.respond(body: png) },
            "/moved.png": { _, connection in connection.redirect(to: "/tex/stripes.png") },
            "/away.png": { _, connection in connection.redirect(to: "file:///etc/hostname") },
            "/page.png": { _, connection in
                connection.respond("200 OK", ["Content-Type: text/html"], body: Array("<!doctype html><p>Log in".utf8))
            },
            "/huge.png": { _, connection in connection.sendHead("200 OK", ["Content-Length: 300000000"]) },
        ])
        folder = try TemporaryFolder()
        document = folder.path + "/scene.dae"
    }

    private func write(_ paths: [String]) throws {
        let images = paths.enumerated().map {
            "<image id='i\($0)'><init_from>\(server.url($1))</init_from></image>"
        }
        try folder.write(
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_images>\(images.joined())</library_images><library_visual_scenes><visual_scene id='s'><node id='n'/></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
            to: "scene.dae")
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(arguments, environment: ["DAE_CACHE": folder.path + "/cache", "no_proxy": "*"])
    }

    private var targets: [String] { server.requests.map(\.target) }

    @Test func nothingIsAskedForUnlessTold() throws {
        try write(["/tex/stripes.png"])
        for command in ["inspect", "validate", "resolve"] {
            let outcome = try run([command, document])
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        #expect(try run(["inspect", document]).text.contains("ON THE WEB"))
        #expect(try run(["inspect", document]).text.contains("/tex/stripes.png   not fetched\n"))
        #expect(targets == [])
    }

    @Test func aConversionTakesAlongWhatWasFetched() throws {
        let model = modelDocument(image: "../tex/stripes.png")
        let server = try LoopbackServer([
            "/models/a.dae": { _, connection in connection.respond(body: Array(model.utf8)) },
            "/tex/stripes.png": { [png = try Repository.fixture("images/stripes.png")] _, connection in
                connection.respond(body: png)
            },
        ])
        let (source, output) = (server.url("/models/a.dae"), folder.path + "/a.glb")
        let without = try run(["convert", source, "-o", output])
        #expect(without.code == 0 && without.text.contains(" × images"), "\(without.errors)")
        #expect(try PlayedModel(Repository.bytes(at: output)).images.isEmpty)
        #expect(!server.requests.contains { $0.target == "/tex/stripes.png" })
        let fetched = try run(["convert", source, "-o", output, "--force", "--fetch-private"])
        #expect(fetched.code == 0, "\(fetched.errors)")
        #expect(try PlayedModel(Repository.bytes(at: output)).images == [Repository.fixture("images/stripes.png")])
        #expect(server.requests.count { $0.target == "/tex/stripes.png" } == 1)
    }

    @Test func inspectShowsWhatWasFetched() throws {
        try write(["/tex/stripes.png", "/moved.png"])
        let outcome = try run(["inspect", "--fetch-private", "--format", "json", document])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let images = try #require(try JSONNode(parsing: outcome.output)["images"]).elements
        #expect(images.map { $0["path"]?.string } == [server.url("/tex/stripes.png"), server.url("/moved.png")])
        for image in images {
            #expect(image["status"]?.string == "found")
            #expect(image["format"]?.string == "png")
            #expect(image["outside"] == .bool(true))
            #expect(image["rule"] == .null)
        }
        #expect(targets == ["/tex/stripes.png", "/moved.png", "/tex/stripes.png"])
        #expect(try run(["inspect", "--fetch-private", document]).text.contains("32 × 32"))
    }

    @Test func hostsOfOnesOwnNetworkAreNotAskedOnADocumentsWord() throws {
        try write(["/tex/stripes.png"])
        let outcome = try run(["validate", "--fetch", document])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("is a loopback address") && outcome.text.contains("[DOWNLOAD_BLOCKED_ADDRESS]"))
        #expect(targets == [])
    }

    @Test func aFailedFetchIsAWarningAndNoFailedSource() throws {
        try write(["/none.png", "/away.png", "/huge.png", "/tex/stripes.png"])
        let outcome = try run(["validate", "--fetch-private", document])
        #expect(outcome.code == 0, "\(outcome.errors)")
        for code in ["DOWNLOAD_HTTP_STATUS", "DOWNLOAD_URL_INVALID", "DOWNLOAD_TOO_LARGE"] {
            let lines = outcome.text.split(separator: "\n").filter { $0.contains("[\(code)]") }
            #expect(lines.count == 1, "\(code): \(outcome.text)")
            #expect(lines.allSatisfy { $0.contains("warning") })
        }
        #expect(try run(["validate", "--fetch-private", "--fail-on", "warning", document]).code == 1)
    }

    @Test func whyAnImageWasNotFetchedIsToldOfAnImage() throws {
        try write(["/none.png", "/page.png", "/away.png", "/huge.png"])
        let screen = try run(["inspect", "--fetch-private", document]).text
        #expect(screen.contains("NOT FETCHED  \(server.url("/none.png"))   HTTP 404\n"), "\(screen)")
        #expect(screen.contains("\(server.url("/page.png"))   the server sent a page, not the file\n"))
        let findings = try run(["validate", "--fetch-private", document]).text
        #expect(findings.contains("\(server.url("/none.png")): HTTP 404 [DOWNLOAD_HTTP_STATUS]"), "\(findings)")
        let ofImages = findings.split(separator: "\n").filter { $0.contains("[DOWNLOAD_") }
        #expect(ofImages.count == 4, "\(findings)")
        for word in ["model", "COLLADA", "archive"] {
            #expect(!ofImages.contains { $0.contains(word) }, "\(findings)")
        }
    }

    @Test func resolveSaysWhatWasFetchedAndWhatNot() throws {
        try write(["/tex/stripes.png"])
        let whole = try run(["resolve", "--fetch-private", document])
        #expect(whole.code == 0, "\(whole.errors)")
        #expect(whole.text.contains("stripes.png: fetched\n"), "\(whole.text)")
        try write(["/tex/stripes.png", "/none.png"])
        let broken = try run(["resolve", "--fetch-private", "--missing", document])
        #expect(broken.code == 1)
        #expect(broken.text.contains("none.png: remote, not fetched: "), "\(broken.text)")
        #expect(!broken.text.contains("stripes.png: fetched"))
        let one = try run(["resolve", "--fetch-private", document, server.url("/moved.png")])
        #expect(one.code == 0)
        #expect(one.text.contains("moved.png: fetched\n"))
    }

    // MARK: - What lies beside a document of the web

    private func beside(_ files: [String: String]) throws -> LoopbackServer {
        let png = try Repository.fixture("images/stripes.png")
        let served = files.mapValues { Array($0.utf8) }.merging(["/m/a.png": png, "/m/tex/b.png": png]) { $1 }
        return try LoopbackServer(
            served.mapValues { body in
                { @Sendable (_: LoopbackRequest, connection: LoopbackConnection) in connection.respond(body: body) }
            })
    }

    private static let main = modelDocument(image: "a.png", parts: ["parts/part.dae#n"])
    private static let part = modelDocument(image: "../tex/b.png", at: [0, 0, 9])

    @Test func aDocumentOfTheWebFindsItsNeighboursThere() throws {
        let server = try beside(["/m/main.dae": Self.main, "/m/parts/part.dae": Self.part])
        let outcome = try run(["inspect", "--fetch-private", "--format", "json", server.url("/m/main.dae")])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let json = try JSONNode(parsing: outcome.output)
        #expect(json["scene"]?["triangles"] == 2)
        #expect(json["scene"]?["sizeInMeters"] == [1, 1, 9])
        #expect(json["images"]?.elements.map { $0["path"]?.string } == [server.url("/m/a.png")])
        #expect(json["linked"]?["documents"] == .array([.string(server.url("/m/parts/part.dae"))]))
        #expect(json["linked"]?["images"]?.elements.map { $0["path"]?.string } == [server.url("/m/tex/b.png")])
        #expect(
            Set(server.requests.map(\.target)) == ["/m/main.dae", "/m/parts/part.dae", "/m/a.png", "/m/tex/b.png"])
        #expect(json["findings"]?["warnings"] == 0 && json["findings"]?["errors"] == 0)
    }

    @Test func whatWasNotAskedForIsNotMissing() throws {
        let server = try beside(["/m/main.dae": Self.main, "/m/parts/part.dae": Self.part])
        let screen = try run(["validate", server.url("/m/main.dae")])
        #expect(screen.code == 0, "\(screen.text)")
        #expect(screen.text.contains("was not asked for [REF_EXTERNAL_BLOCKED]"), "\(screen.text)")
        #expect(!screen.text.contains("IMAGE_NOT_FOUND"))
        let inspected = try run(["inspect", server.url("/m/main.dae")]).text
        #expect(inspected.contains("a.png   not asked for: --fetch\n"), "\(inspected)")
        let rows = try JSONNode(parsing: run(["resolve", "--format", "json", server.url("/m/main.dae")]).output)
        #expect(rows["references"]?.elements.map { $0["status"]?.string } == ["remote", "remote"])
        #expect(Set(server.requests.map(\.target)) == ["/m/main.dae"])
        // Loopback is nobody's to ask for on a document's word.
        let blocked = try run(["validate", "--fetch", server.url("/m/main.dae")]).text
        #expect(blocked.contains("[DOWNLOAD_BLOCKED_ADDRESS]"), "\(blocked)")
        #expect(Set(server.requests.map(\.target)) == ["/m/main.dae"])
    }

    @Test func aFaultInADocumentOfTheWebIsToldAtItsAddress() throws {
        let part = Self.part.replacing("<p>0 0 1 1 2 2</p>", with: "<p>0 0 1 1 9 2</p>")
        let server = try beside(["/m/main.dae": Self.main, "/m/parts/part.dae": part])
        let screen = try run(["validate", "--fetch-private", server.url("/m/main.dae")])
        #expect(screen.code == 1)
        let lines = screen.text.split(separator: "\n").filter { $0.contains("[PRIMITIVE_INDEX_OOB]") }
        #expect(lines.count == 1 && lines[0].hasPrefix(server.url("/m/parts/part.dae") + ":"), "\(screen.text)")
    }

    @Test func aServerThatStandsStillIsLeftWhenInterrupted() throws {
        let server = try LoopbackServer { _, connection in connection.waitUntilClosed() }
        let path = try folder.write(
            "<COLLADA version='1.4.1'><library_images><image id='i'><init_from>\(server.url("/slow.png"))</init_from></image></library_images></COLLADA>",
            to: "slow.dae")
        let child = try Program.start(
            ["inspect", "--fetch-private", path], environment: ["DAE_CACHE": folder.path + "/cache", "no_proxy": "*"])
        while server.requests.isEmpty, waitpid(child, nil, WNOHANG) == 0 { sched_yield() }
        kill(child, SIGINT)
        #expect(Program.wait(for: child) == 130)
    }
}

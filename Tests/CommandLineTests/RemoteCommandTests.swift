import Glibc
import TestSupport
import Testing

/// Archives on servers, read by ranges: what goes over the wire, what comes of it, and what is downloaded after all.
@Suite struct RemoteCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(arguments, environment: environment)
    }

    private var environment: [String: String] { ["DAE_CACHE": folder.path + "/cache", "no_proxy": "*"] }

    /// The JSON without what tells a file from its copy on a server.
    private func report(_ outcome: Program.Outcome) throws -> JSONNode {
        guard case .object(var report) = try JSONNode(parsing: outcome.output),
            case .object(var source)? = report["source"]
        else { return .null }
        (source["input"], source["sha256"]) = (.null, .null)
        report["source"] = .object(source)
        // What is on a server is not read a second time to name elements.
        if case .object(var findings)? = report["findings"] {
            findings["messages"] = .array(
                (findings["messages"]?.elements ?? []).map { message in
                    guard case .object(var finding) = message else { return message }
                    (finding["path"], finding["elementId"]) = (.null, .null)
                    return .object(finding)
                })
            report["findings"] = .object(findings)
        }
        return .object(report)
    }

    // MARK: - On the wire

    @Test(.enabled(if: NginxServer.isInstalled)) func ofALargeArchiveOnlyWhatIsReadIsFetched() throws {
        let server = try NginxServer(files: ["empty": []])
        let archive = try RemoteArchive(at: server.folder.path + "/root/large.zip")
        let url = server.url("/large.zip")
        var seen = 0
        for command in ["inspect", "ls", "validate", "tree", "resolve"] {
            let local = try run([command, "--format", "json", archive.path])
            let remote = try run([command, "--format", "json", url])
            #expect(local.code == 0 && remote.code == 0, "\(command): \(local.errors)\(remote.errors)")
            #expect(try report(remote) == report(local), "\(command)")
            let answers = try server.accessLog().dropFirst(seen)
            seen += answers.count
            #expect(answers.allSatisfy { $0.status == 206 }, "\(command)")
            #expect(answers.reduce(0) { $0 + $1.bytesSent } <= 2_000_000, "\(command)")
            #expect(answers.count <= 7, "\(command): \(answers.map { $0.range ?? "" })")
            let bytes = answers.reduce(0) { $0 + $1.bodyBytesSent }
            let note = "\(url): fetched \(bytes) of \(archive.size) bytes in \(answers.count) requests"
            #expect(remote.errors.contains(note), "\(remote.errors)")
        }
        let entry = "!/models/scene.dae"
        let (local, remote) = (try run(["cat", archive.path + entry]), try run(["cat", url + entry]))
        #expect(remote.output == local.output && remote.code == 0 && remote.output.count > 1_000_000)
        #expect(try server.accessLog().dropFirst(seen).reduce(0) { $0 + $1.bytesSent } <= 2_000_000)
    }

    @Test(.enabled(if: NginxServer.isInstalled)) func anArchiveWithinAnArchiveIsReadByRangesToo() throws {
        var inner = ZipBuilder()
        inner.add("a/scene.dae", RemoteArchive.scene(positions: 9))
        inner.add("a/b.bin", FaultResource.noise(1_500_000))
        var outer = ZipBuilder()
        outer.add("padding.bin", FaultResource.noise(1_500_000, seed: 2))
        outer.add("inner.zae", inner.bytes())
        let server = try NginxServer(files: ["outer.zip": outer.bytes()])
        let local = server.folder.path + "/root/outer.zip!/inner.zae"
        let url = server.url("/outer.zip!/inner.zae")
        for tail in ["", "!/a/scene.dae"] {
            let remote = try run(["inspect", "--format", "json", url + tail])
            #expect(remote.code == 0, "\(remote.errors)")
            #expect(try report(remote) == report(run(["inspect", "--format", "json", local + tail])))
        }
        #expect(try run(["cat", url + "!/a/scene.dae"]).text == RemoteArchive.scene(positions: 9))
        #expect(try server.accessLog().reduce(0) { $0 + $1.bytesSent } < 1_000_000)
    }

    @Test(.enabled(if: NginxServer.isInstalled)) func aLargeDirectoryTakesFewRequests() throws {
        var builder = ZipBuilder()
        builder.add("padding.bin", FaultResource.noise(1_500_000))
        for index in 0..<70_000 { builder.add("a/\(index).txt", []) }
        builder.add("scene.dae", RemoteArchive.scene(positions: 9))
        builder.claimedLongEntries = UInt64(builder.entries.count)
        builder.claimedEntries = .max
        builder.comment = [UInt8](repeating: 0x41, count: 60_000)
        let server = try NginxServer(files: ["many.zip": builder.bytes()])
        let local = try run(["inspect", "--format", "json", server.folder.path + "/root/many.zip"])
        let remote = try run(["inspect", "--format", "json", server.url("/many.zip")])
        #expect(local.code == 0 && remote.code == 0, "\(local.errors)\(remote.errors)")
        #expect(try report(remote) == report(local))
        // The front, the end, the directory in four pieces, and the scene.
        let ranges = try server.accessLog().map { $0.range ?? "" }
        #expect(ranges.count <= 7, "\(ranges)")
    }

    // MARK: - What is downloaded after all

    private var archive: [UInt8] {
        var builder = ZipBuilder()
        builder.add("scene.dae", RemoteArchive.scene(positions: 9))
        builder.add("padding.bin", FaultResource.noise(1_500_000))
        return builder.bytes()
    }

    @Test func serversThatCannotSendPartsAreAskedForTheWhole() throws {
        let bytes = archive
        let server = try FaultServer([
            "/plain.zip": FaultResource(bytes, answersRanges: false),
            "/weak.zip": FaultResource(bytes, tag: .weak("w"), lastModified: 1_700_000_000),
            "/unknown.zip": FaultResource(bytes, tag: nil),
        ])
        for path in ["/plain.zip", "/weak.zip", "/unknown.zip"] {
            let outcome = try run(["inspect", "--format", "json", server.url(path)])
            #expect(outcome.code == 0, "\(outcome.errors)")
            let source = try #require(try JSONNode(parsing: outcome.output)["source"])
            #expect(source["sha256"]?.string?.count == 64, "\(path) was read by ranges")
            #expect(!outcome.errors.contains("requests"))
        }
    }

    @Test func theLineOfAFindingIsShownFromTheCache() throws {
        let bytes = try Repository.fixture("documents/index-out-of-bounds.dae")
        let server = try FaultServer(["/a.dae": FaultResource(bytes)])
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.dae")
        let local = try run(["validate", path])
        let remote = try run(["validate", server.url("/a.dae")])
        #expect(local.code == 1 && remote.code == 1)
        #expect(local.text.contains("<triangles"))
        #expect(remote.text.replacing(server.url("/a.dae"), with: path) == local.text)
    }

    @Test func optionsThatNeedTheWholeTakeIt() throws {
        let server = try FaultServer(["/a.zip": FaultResource(archive, fields: ["Cache-Control: max-age=3600"])])
        let url = server.url("/a.zip")
        func sha256(_ options: [String], code: Int32 = 0) throws -> String? {
            let outcome = try run(["inspect", "--format", "json", url] + options)
            #expect(outcome.code == code, "\(options): \(outcome.errors)")
            let report = try JSONNode(parsing: outcome.output)
            return report["failure"]?["code"]?.string ?? report["source"]?["sha256"]?.string
        }
        #expect(try sha256([]) == nil)
        #expect(try sha256(["--offline"], code: 3) == "DOWNLOAD_NOT_IN_CACHE")
        let wrong = String(repeating: "0", count: 64)
        #expect(try sha256(["--sha256", wrong], code: 3) == "DOWNLOAD_CHECKSUM_MISMATCH")
        #expect(try sha256(["--offline"], code: 3) == "DOWNLOAD_NOT_IN_CACHE", "a failure is not kept")
        let digest = try #require(try sha256(["--whole"]))
        #expect(try sha256(["--sha256", digest]) == digest)
        let asked = server.requests.count
        #expect(try sha256(["--offline"]) == digest)
        #expect(try sha256([]) == digest)
        #expect(server.requests.count == asked, "what is fresh in the cache is not asked for")
        #expect(try sha256(["--refresh"]) == nil, "the cache is left alone")
        #expect(server.requests.count > asked)
        #expect(try sha256(["--refresh", "--whole"]) == digest)
    }

    // MARK: - Failures

    @Test func aFileThatChangesWhileItIsReadHasItsOwnCode() throws {
        let other = FaultResource(FaultResource.noise(2_000_000, seed: 4), tag: .strong("two"))
        for command in ["inspect", "ls", "validate", "resolve", "tree"] {
            let server = try FaultServer(["/a.zip": FaultResource(archive)])
            server.play([.none], then: .replaced(by: other), at: "/a.zip")
            let outcome = try run([command, "--format", "json", server.url("/a.zip")])
            #expect(outcome.code == 3, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("[DOWNLOAD_VALIDATOR_CHANGED]"), "\(command): \(outcome.errors)")
            let failure = try JSONNode(parsing: outcome.output)["failure"]
            #expect(failure?["code"]?.string == "DOWNLOAD_VALIDATOR_CHANGED", "\(command)")
        }
    }

    @Test func anInterruptEndsAWaitForAServerThatIsSilent() throws {
        for command in ["inspect", "ls"] {
            let server = try FaultServer(["/a.zip": FaultResource(archive)])
            let gate = FaultGate()
            server.play([.none], then: .silence(until: gate), at: "/a.zip")
            let child = try Program.start([command, server.url("/a.zip")], environment: environment)
            gate.waitForArrival()
            // The gate never opens: without the signal this would not end.
            kill(child, SIGINT)
            #expect(Program.wait(for: child) == 130, "\(command)")
        }
    }

    // MARK: - Addresses

    @Test func addressesInAllTheirForms() throws {
        let document = Array(RemoteArchive.scene(positions: 9).utf8)
        let named = ["Content-Disposition: attachment; filename=\"Tower.kmz\""]
        let server = try FaultServer([
            "/model.dae": FaultResource(document), "/get": FaultResource(archive, fields: named),
            "/a.zip": FaultResource(archive),
        ])
        let digits = String(repeating: "0", count: 64)
        let rows = [
            (server.url("/model.dae?x=y"), "dae", Int32(0)), (server.url("/model.dae?x=y#part"), "dae", 0),
            (server.url("/get?id=1"), "kmz", 0), (server.url("/a.zip", scheme: "HTTP"), "zip", 0),
            (server.url("/a.zip", host: "localhost"), "zip", 0),
            (server.url("/a.zip", host: "bücher.localhost"), "zip", 0), (server.url("/a.zip#sha256=\(digits)"), nil, 3),
            (server.url("/none.zip"), nil, 3),
        ]
        for (url, kind, code) in rows {
            let outcome = try run(["inspect", "--format", "json", url])
            #expect(outcome.code == code, "\(url): \(outcome.errors)")
            #expect(try JSONNode(parsing: outcome.output)["source"]?["kind"]?.string == kind, "\(url)")
        }
    }

    @Test func everyCommandReadsAFileAddress() throws {
        try folder.write(archive, to: "with space/ä.zip")
        let path = folder.path + "/with space/ä.zip"
        let encoded = folder.path + "/with%20space/%C3%A4.zip"
        for command in ["inspect", "ls", "validate", "tree", "resolve"] {
            let local = try run([command, "--format", "json", path])
            for address in ["file://\(encoded)", "FILE://localhost\(encoded)"] {
                let outcome = try run([command, "--format", "json", address])
                #expect(outcome.code == local.code && outcome.code < 2, "\(command): \(outcome.errors)")
                #expect(try report(outcome) == report(local), "\(command)")
            }
        }
        #expect(try run(["cat", "file://\(encoded)!/scene.dae"]).text == RemoteArchive.scene(positions: 9))
        let unpacked = try run(["unpack", "file://\(encoded)", "-d", folder.path + "/target"])
        #expect(unpacked.code == 0, "\(unpacked.errors)")
        #expect(try Repository.files(below: folder.path + "/target").contains("scene.dae"))
        #expect(try run(["inspect", "file://elsewhere\(encoded)"]).code == 3)
    }
}

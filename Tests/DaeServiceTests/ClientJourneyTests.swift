import Daedalus
import Glibc
import Synchronization
import TestSupport
import Testing

/// The service as a program sees it that imports the library.
@Suite(.timeLimit(.minutes(10))) struct ClientJourneyTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: AssetServiceClient
    private let walker: String

    init() throws {
        folder = try TemporaryFolder()
        for name in ["data", "other"] { mkdir(folder.path + "/" + name, 0o700) }
        service = try ServiceProcess(data: folder.path + "/data")
        client = try AssetServiceClient("http://127.0.0.1:\(service.port)/")
        walker = Repository.root + "/Fixtures/bundles/walker.zip"
    }

    @Test func aFileIsWatchedToItsEndAndItsResultsFetched() async throws {
        let sent = Counter()
        let added = try await client.add(file: walker, progress: { sent.set($0) })
        #expect(added.name == "walker.zip")
        #expect(sent.value == Int64(try Repository.bytes(at: walker).count))

        var states: [AssetState] = []
        for try await state in client.states(of: added.id) { states.append(state) }
        #expect(states.last?.isReady == true)
        #expect(states.dropLast().allSatisfy { !$0.isSettled })
        let asset = try await client.asset(added.id)
        #expect(asset.state == states.last)
        #expect(asset.state.summary?.triangles == 140)
        #expect(asset.links["model.glb"] == "/v1/assets/\(added.id)/model.glb")

        #expect(try await client.files(added.id).map(\.path) == ["textures/skin tone.png", "walker.dae"])
        let text = folder.path + "/walker.dae"
        try await client.file("textures/skin tone.png", of: added.id, to: text)
        #expect(try Repository.bytes(at: text).starts(with: [0x89, 0x50, 0x4e, 0x47]))
        let drawn = try await client.thumbnail(added.id, size: 64)
        #expect(drawn.starts(with: [0x89, 0x50, 0x4e, 0x47]))
        await #expect { try await client.thumbnail(added.id, size: 2000) } throws: {
            ($0 as? AssetServiceError)?.problem?.status == 400
        }
        let package = folder.path + "/walker.usdz"
        try await client.model(added.id, to: package, as: .usdz)
        #expect(try Repository.bytes(at: package).starts(with: "PK".utf8))
        let compact = folder.path + "/walker.glb"
        try await client.model(added.id, to: compact, compaction: .meshopt)
        #expect(try Repository.bytes(at: compact).starts(with: "glTF".utf8))
        let original = folder.path + "/original.zip"
        try await client.original(added.id, to: original)
        #expect(try Repository.bytes(at: original) == Repository.bytes(at: walker))
        #expect(try await String(decoding: client.report(added.id, .sarif), as: UTF8.self).contains("2.1.0"))
        #expect(try await client.report(added.id, .markdown).starts(with: "## Validation".utf8))

        await #expect { try await client.perform(.retry(added.id)) } throws: {
            ($0 as? AssetServiceError)?.problem?.code == .assetActionRefused
        }
        try await client.remove(added.id)
        await #expect { try await client.asset(added.id) } throws: {
            ($0 as? AssetServiceError)?.problem?.status == 404
        }
        #expect(
            try Repository.files(below: folder.path).filter { !$0.hasPrefix("data/") && $0.contains("partial") }.isEmpty
        )
    }

    @Test func anInspectionIsTheLibrarysOwn() async throws {
        let added = try await client.add(file: walker)
        _ = try await client.settled(added.id)
        let served = try await client.inspection(added.id)
        let own = try await Dae.inspect(.path(walker))
        #expect(served.counts == own.counts)
        #expect(served.scene == own.scene)
        #expect(served.source.sha256 == own.source.sha256)
        #expect(served.images.map(\.rule) == own.images.map(\.rule))
        #expect(served.findings.total(.warning) == 2)
    }

    /// Of all assets, in the order in which it happens.
    @Test func allAssetsAreWatchedAtOnce() async throws {
        let client = client
        let (heard, told) = AsyncStream.makeStream(of: ServedChange.self)
        let watch = Task {
            for try await change in client.changes() { told.yield(change) }
        }
        // Until the stream is open nothing is heard, so there is an asset each time until one is.
        var first: AssetID?
        let adding = Task {
            while !Task.isCancelled {
                _ = try await client.add(Array("no model \(Int.random(in: 0..<Int.max))".utf8), name: "a.zip")
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        for await change in heard {
            guard case .state(let id, _) = change else { continue }
            first = id
            break
        }
        adding.cancel()
        let added = try await client.add(file: walker)
        #expect(first != added.id)
        var states: [AssetState] = []
        var isRemoved = false
        for await change in heard {
            switch change {
            case .state(added.id, let state):
                states.append(state)
                if state.isSettled { try await client.remove(added.id) }
            case .state: continue
            case .removed(let id): isRemoved = id == added.id
            case .missed: Issue.record("nothing was missed")
            }
            if isRemoved { break }
        }
        #expect(states.last?.isReady == true)
        watch.cancel()
        await #expect { try await watch.value } throws: { ($0 as? AssetServiceError)?.isCancelled == true }
    }

    @Test func aSignedLinkLeadsToItsFileWithoutAToken() async throws {
        let data = folder.path + "/other"
        let service = try ServiceProcess(data: data)
        let words = ["token", "add", "writer", "--scope", "write", "--data", data]
        let token = try BearerToken(
            String(Program.run(words, program: ServiceProcess.program).text.dropLast()))
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)", token: token)
        let stranger = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        let added = try await client.add(file: walker)
        _ = try await client.settled(added.id)
        let links = try await client.signedLinks(to: added.id, lasting: 60, files: ["textures/skin tone.png"])
        #expect(
            links.keys.sorted() == [
                "files/textures/skin tone.png", "model.glb", "model.obj.zip", "model.stl", "model.usdz", "original",
                "page", "report", "thumbnail.png",
            ])
        await #expect { try await stranger.asset(added.id) } throws: {
            ($0 as? AssetServiceError)?.problem?.status == 401
        }
        let link = try #require(links["original"])
        let cache = DownloadCache(folder: folder.path + "/cache")
        let bundle = try await Dae.inspect(.url(link), options: Dae.Options(cache: cache))
        #expect(bundle.counts.triangles == 140)
        await #expect { try await client.signedLinks(to: added.id, lasting: 0) } throws: {
            ($0 as? AssetServiceError)?.problem?.status == 400
        }
    }

    @Test func whatCannotBeReadFailsWithItsCode() async throws {
        let added = try await client.add(Array("no model".utf8), name: "a.zip")
        let asset = try await client.settled(added.id)
        #expect(asset.state.failure?.code == .archiveInvalid)
        await #expect { try await client.model(added.id, to: folder.path + "/a.glb") } throws: {
            ($0 as? AssetServiceError)?.problem?.code == asset.state.failure?.code
        }
        #expect(access(folder.path + "/a.glb", F_OK) != 0)
        #expect(try await client.assets(state: "failed").assets.map(\.id) == [added.id])
    }

    @Test func aPageOfTheListSaysWhereTheNextBegins() async throws {
        for number in 0..<5 { _ = try await client.add(Array("no model \(number)".utf8), name: "\(number).zip") }
        var (names, after): ([String], Int64?) = ([], nil)
        repeat {
            let page = try await client.assets(after: after, limit: 2)
            names += page.assets.map(\.name)
            after = page.next
        } while after != nil
        #expect(Set(names) == ["0.zip", "1.zip", "2.zip", "3.zip", "4.zip"])
        #expect(names.count == 5)
    }

    @Test func aWatchEndsAtOnceWhenItsTaskDoes() async throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource([UInt8](repeating: 7, count: 1000))])
        // Each new request, too: the download outlives every wait of the test.
        server.play([], then: .stall(after: 100, until: gate), at: "/a.zip")
        defer { gate.open() }
        let service = try ServiceProcess(data: folder.path + "/other", ["--allow-addresses", "127.0.0.0/8"])
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        let added = try await client.add(url: server.url("/a.zip"))
        let (seen, began) = AsyncStream.makeStream(of: Void.self)
        let watch = Task {
            for try await _ in client.states(of: added.id) { began.yield() }
        }
        for await _ in seen.prefix(1) {}
        watch.cancel()
        await #expect { try await watch.value } throws: { ($0 as? AssetServiceError)?.isCancelled == true }
        // The service's side of the connection goes, too.
        try await client.perform(.cancel(added.id))
        #expect(try await client.settled(added.id).state.failure?.code == .assetCancelled)
    }

    @Test func aServiceThatIsStartedAnewIsWatchedOn() async throws {
        let gate = FaultGate()
        let bytes = try Repository.bytes(at: walker)
        let server = try FaultServer(["/a.zip": FaultResource(bytes)])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        let data = folder.path + "/other"
        let first = try ServiceProcess(data: data, ["--allow-addresses", "127.0.0.0/8"])
        let client = try AssetServiceClient("http://127.0.0.1:\(first.port)")
        let added = try await client.add(url: server.url("/a.zip"))
        let (seen, began) = AsyncStream.makeStream(of: Void.self)
        let watch = Task {
            var last: AssetState?
            for try await state in client.states(of: added.id) {
                last = state
                began.yield()
            }
            return last
        }
        for await _ in seen.prefix(1) {}
        first.end(SIGKILL)
        gate.open()
        let second = try ServiceProcess(data: data, ["--allow-addresses", "127.0.0.0/8", "--port", "\(first.port)"])
        #expect(try await watch.value?.isReady == true)
        #expect(second.end() == 0)
    }

    @Test func whoIsNotThereIsSaidToBeUnreachable() async throws {
        service.end()
        await #expect { try await client.assets() } throws: {
            guard case .unreachable(let error) = $0 as? AssetServiceError else { return false }
            return error.code == .downloadConnectionFailed
        }
    }

    @Test(arguments: ["", "ftp://localhost", "localhost:8080", "http://", "http://localhost/?a=b", "http://a b"])
    func anAddressThatIsNoneIsRefused(_ server: String) {
        #expect { try AssetServiceClient(server) } throws: {
            if case .invalidServer = $0 as? AssetServiceError { true } else { false }
        }
    }

    @Test func noTextShowsAToken() throws {
        let client = try AssetServiceClient("http://127.0.0.1:1", token: BearerToken("open-sesame"))
        var text = "\(client) \(String(reflecting: client))"
        dump(client, to: &text)
        #expect(!text.contains("sesame"))
    }
}

/// A number that a callback leaves for the test.
private final class Counter: Sendable {
    private let number = Mutex<Int64>(0)

    func set(_ value: Int64) { number.withLock { $0 = value } }
    var value: Int64 { number.withLock { $0 } }
}

extension AssetServiceError {
    var problem: ServiceProblem? { if case .refused(let problem) = self { problem } else { nil } }
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}

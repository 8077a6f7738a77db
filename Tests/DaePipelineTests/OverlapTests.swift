// Servers here hold their last bytes back until the reading has come to them, so that a test that ends has seen both run
// at once.

import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeDownload
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import DaePipeline

@Suite(.timeLimit(.minutes(10))) struct OverlapTests {
    // MARK: - It runs ahead

    @Test(arguments: [WebAccess.Reading.whole, .byRanges])
    func aDocumentIsReadUpToTheBytesThatAreStillMissing(reading: WebAccess.Reading) async throws {
        let bytes = Sample.mesh(ofBytes: 1_500_000)
        let web = try Web(bytes, held: 1000, reading)
        let outcome = try await web.outcome()
        #expect(web.read.all.last.map { $0 >= 1_499_000 } == true)
        #expect(outcome == (try await Web(bytes, overlap: .never).outcome()))
        guard case .ready(let json) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(json.contains("\"sha256\":\"\(SHA256Digest(hashing: bytes).hex)\""))
    }

    @Test func whatWasReadAheadIsNotReadAgain() async throws {
        let bytes = Sample.mesh(ofBytes: 400_000)
        let web = try Web(bytes)
        let live = LiveStages(options: web.options())
        let file = try await live.download(.url(web.url), for: .parsing) { _ in }
        let opened = try await live.unzip(file) { _ in }
        let reading = await file.headStart?.reading(of: opened.bundle, opened.choice.entry) { _ in }
        #expect(reading != nil)
        // Whoever read the document now would find none.
        guard case .cached(let path) = file.location else {
            Issue.record("\(file.location)")
            return
        }
        try Data().write(to: URL(filePath: path), options: [])
        let counts = Notes<StageProgress>()
        let product = try await live.parse(file, opened) { counts.add($0) }
        #expect(product.inspection.counts.positions > 1000)
        #expect(counts.all.last?.done == 400_000)
        #expect(counts.all.last?.total == 400_000)
    }

    @Test func onlyWhoGoesOnToReadTheSceneReadsAhead() async throws {
        let bytes = Sample.mesh(ofBytes: 400_000)
        for use in [LiveStages.Use.parsing, .listing] {
            for overlap in [WebAccess.Overlap.never, .from(bytes: 400_000), .from(bytes: 400_001)] {
                let web = try Web(bytes, overlap: overlap)
                let live = LiveStages(options: web.options())
                let file = try await live.download(.url(web.url), for: use) { _ in }
                let expected = use == .parsing && overlap == .from(bytes: 400_000)
                #expect((file.headStart != nil) == expected, "\(use) \(overlap)")
            }
        }
    }

    // MARK: - It is never told

    @Test func otherBytesThanWereWantedGiveNoScene() async throws {
        let bytes = Sample.mesh(ofBytes: 400_000)
        let web = try Web(bytes, held: 1)
        let outcome = try await web.outcome { $0.web.sha256 = SHA256Digest(hashing: [1, 2, 3]) }
        // All but the line's end was read.
        #expect(web.read.all.last.map { $0 >= 399_999 } == true)
        #expect(outcome.code == .downloadChecksumMismatch)
        #expect(web.blobs == [])
    }

    @Test func aDocumentThatBreaksOffInTheMiddleFailsOnceItIsWholeAndAsEver() async throws {
        var bytes = Sample.mesh(ofBytes: 400_000)
        bytes.replaceSubrange(200_000..<200_004, with: Array("<&x>".utf8))
        let web = try Web(bytes)
        let outcome = try await web.outcome()
        #expect(outcome.code == .xmlNotWellFormed)
        #expect(outcome == (try await Web(bytes, overlap: .never).outcome()))
        #expect(web.blobs == [SHA256Digest(hashing: bytes).hex], "the file itself is as it was wanted")
    }

    @Test(arguments: Repository.fixtureNames(in: "documents").filter { $0.hasSuffix(".dae") })
    func aFixtureIsToldTheSame(name: String) async throws {
        let bytes = try Repository.fixture("documents/" + name)
        let ahead = try await Web(bytes).outcome()
        #expect(ahead == (try await Web(bytes, overlap: .never).outcome()))
    }

    @Test(arguments: Repository.fixtureNames(in: "bundles").filter { !$0.hasSuffix(".json") })
    func aBundleIsToldTheSame(name: String) async throws {
        let bytes = try Repository.fixture("bundles/" + name)
        let ahead = try await Web(bytes).outcome()
        #expect(ahead == (try await Web(bytes, overlap: .never).outcome()))
    }

    // MARK: - Faults

    @Test(arguments: 0..<12)
    func cutsAndNewBeginningsChangeNothing(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed: seed)
        let (old, new) = (Sample.mesh(ofBytes: 300_000), Sample.mesh(ofBytes: 280_000, scale: 3))
        let web = try Web(old)
        var faults: [Fault] = []
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            let end = Bool.random(using: &numbers) ? FaultEnd.close : .reset
            faults.append(.cut(after: .random(in: 0...120_000, using: &numbers), by: end))
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0: faults.append(.replaced(by: FaultResource(new, tag: .strong("new"))))
            case 1: faults.append(.ignoredRange)
            case 2: faults.append(.contentRange(.start(1)))
            case 3: faults.append(.status(503))
            default: break  // integers
            }
        }
        web.server.play(faults, at: Web.path)
        let outcome = try await web.outcome()
        #expect(outcome.code == nil, "\(faults)")
        #expect(!web.read.all.isEmpty, "\(faults)")
        // What was odd on the way is told with and without overlap.
        let plain = try Web(old, overlap: .never)
        plain.server.play(faults, at: Web.path)
        #expect(outcome == (try await plain.outcome()), "\(faults)")
    }

    // MARK: - Cancelling

    @Test func cancellingEndsTheReadingWithTheDownload() async throws {
        let web = try Web(Sample.mesh(ofBytes: 400_000))
        web.server.play([.stall(after: 300_000)], at: Web.path)
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int64.self)
        let pipeline = AssetPipeline(operations: .live(web.options { $0.web.readAhead = { continuation.yield($0) } }))
        let asset = try await pipeline.perform(.add(source: web.url))
        for await read in arrivals where read == 300_000 { break }
        #expect(await pipeline.state(of: asset)?.stage == .download)
        try await pipeline.perform(.cancel(asset))
        // Returns when nothing works for it any more.
        await pipeline.coordinator(of: asset).start()
        #expect(await pipeline.state(of: asset)?.isCancelled == true)
        await pipeline.end()
    }

    @Test func cancellingEndsAReadingThatWasTakenOver() async throws {
        let web = try Web(Sample.mesh(ofBytes: 400_000))
        let hold = DispatchSemaphore(value: 0)
        let pipeline = AssetPipeline(operations: .live(web.options { $0.web.readAhead = { _ in hold.wait() } }))
        let asset = try await pipeline.perform(.add(source: web.url))
        for await state in await pipeline.states(of: asset) where state.stage == .parse { break }
        try await pipeline.perform(.cancel(asset))
        for _ in 0..<100 { hold.signal() }
        await pipeline.coordinator(of: asset).start()
        #expect(await pipeline.state(of: asset)?.isCancelled == true)
        await pipeline.end()
    }
}

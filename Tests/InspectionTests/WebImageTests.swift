import Archive
import BundleManifest
import ByteSource
import Diagnostics
import ImageProbe
import Inspection
import ResourceLocator
import Synchronization
import TestSupport
import Testing

/// Images that a scene has on the web, with a web of the test's own.
@Suite struct WebImageTests {
    /// What is asked for, and what is there.
    private final class Web: Sendable {
        private let calls = Mutex<[(url: String, limit: Int64)]>([])
        private let files: [String: [UInt8]]

        init(_ files: [String: [UInt8]]) { self.files = files }

        var asked: [String] { calls.withLock { $0.map(\.url) } }
        var limits: [Int64] { calls.withLock { $0.map(\.limit) } }

        var fetch: WebFetch {
            WebFetch { [self] url, limit, _ in
                calls.withLock { $0.append((url, limit)) }
                if let bytes = files[url] { return .file(MemoryByteSource(bytes)) }
                return .failed(.downloadHTTPStatus, message: "\(url): the server answered 404", received: 10)
            }
        }
    }

    private static let png = "https://example.org/a/stripes.png?size=2"

    private func inspect(
        _ references: [String], _ fetch: WebFetch?, isCancelled: () -> Bool = { false }
    ) throws -> Inspector.Result {
        let images = references.enumerated().map { "<image id='i\($0)'><init_from>\($1)</init_from></image>" }.joined()
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_images>\(images)</library_images></COLLADA>",
            to: "scene.dae")
        let bundle = try Bundle.open(path: path)
        var inspector = Inspector()
        inspector.webFetch = fetch
        inspector.keepsResolutions = true
        return try inspector.inspect(
            bundle, try BundleManifest.scene(of: bundle).choice, input: "scene.dae", isCancelled: isCancelled)
    }

    @Test func anImageThatWasFetchedIsFoundOutsideTheBundle() throws {
        let bytes = try Repository.fixture("images/stripes.png")
        let web = Web([Self.png: bytes])
        let result = try inspect([Self.png, Self.png], web.fetch)
        #expect(web.asked == [Self.png])
        for row in result.inspection.images {
            #expect(row.status == .found)
            #expect(row.isOutside)
            #expect(row.path == Self.png)
            #expect(row.rule == nil)
            #expect(row.format == .png)
            #expect(row.width == 32)
            #expect(row.bytes == Int64(bytes.count))
            #expect(row.isTruncated == false)
        }
        #expect(result.references.map(\.resolution.outcome) == [.fetched(url: Self.png), .fetched(url: Self.png)])
        #expect(result.inspection.findings.findings.filter { $0.code.stage == .resource } == [])
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/inspect.schema.json")))
        #expect(schema.violations(in: try JSONNode(parsing: result.inspection.json.text(.indented))) == [])
    }

    @Test func withoutAWayToFetchItIsReported() throws {
        let result = try inspect([Self.png], nil)
        #expect(result.inspection.images.map(\.status) == [.remote])
        #expect(result.inspection.images.map(\.path) == [nil])
        #expect(result.references.map(\.resolution.outcome) == [.remote(url: Self.png)])
    }

    @Test func aFailureIsAWarningWithItsOwnCode() throws {
        let web = Web([:])
        let result = try inspect([Self.png, Self.png, "missing.png"], web.fetch)
        #expect(web.asked == [Self.png])
        #expect(result.inspection.images.map(\.status) == [.remote, .remote, .missing])
        let told = result.inspection.findings.findings.filter { $0.code == .downloadHTTPStatus }
        #expect(told.map(\.severity) == [.warning])
        #expect(told.map(\.place.line) == [1])
        #expect(result.inspection.images.map(\.reason) == ["the server answered 404", "the server answered 404", nil])
        #expect(
            result.references.first?.resolution.outcome
                == .unfetched(url: Self.png, reason: "\(Self.png): the server answered 404"))
    }

    @Test func whatIsNoImageIsSaidToBeNone() throws {
        let web = Web([Self.png: Array("no image at all".utf8)])
        let result = try inspect([Self.png], web.fetch)
        #expect(result.inspection.images.map(\.status) == [.found])
        #expect(result.inspection.findings.counts[.imageDataInvalid] == 1)
    }

    @Test func noMoreAddressesAreAskedForThanTheBudgetAllows() throws {
        let urls = (0..<70).map { "http://example.org/\($0).png" }
        let web = Web([:])
        let result = try inspect(urls, web.fetch)
        #expect(web.asked == Array(urls.prefix(64)))
        #expect(result.inspection.findings.counts[.resourceFetchLimit] == 6)
        #expect(result.inspection.findings.counts[.downloadHTTPStatus] == 64)
    }

    @Test func bytesAreCountedAlsoOfWhatFailed() throws {
        let bytes = try Repository.fixture("images/stripes.png")
        let size = Int64(bytes.count)
        let web = Web(["http://example.org/1.png": bytes])
        var fetch = web.fetch
        fetch.bytes = size + 15
        let result = try inspect((0..<5).map { "http://example.org/\($0).png" }, fetch)
        // 10 for each failure, the image itself, and then nothing is left.
        #expect(web.limits == [size + 15, size + 5, 5])
        #expect(result.inspection.images.map(\.status) == [.remote, .found, .remote, .remote, .remote])
        #expect(result.inspection.findings.counts[.resourceFetchLimit] == 2)
    }

    @Test func nothingIsAskedForOnceReadingWasStopped() throws {
        let web = Web([:])
        let asked = Atomic(0)
        // The document is read to its end before it stops.
        let error = #expect(throws: InspectionError.self) {
            try inspect([Self.png], web.fetch) { asked.add(1, ordering: .relaxed).oldValue > 0 }
        }
        #expect(error?.code == .assetCancelled)
        #expect(web.asked == [])
    }
}

import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeImages
import DaePipeline
import DaeResources
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

    // MARK: - Documents

    /// Of another document's geometry.
    private static func document(_ reference: String, image: String) -> String {
        """
        <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='1'/>
        <up_axis>Z_UP</up_axis></asset><library_images><image id='i'><init_from>\(image)</init_from></image></library_images>
        <library_visual_scenes><visual_scene id='s'><node id='n'><instance_geometry url='\(reference)'/></node>
        </visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>
        """
    }

    private static let part = """
        <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='1'/>
        <up_axis>Z_UP</up_axis></asset><library_images><image id='j'><init_from>../tex/stripes.png</init_from></image>
        </library_images><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='9'>
        0 0 0 2 0 0 0 2 0</float_array><technique_common><accessor source='#a' count='3' stride='3'>
        <param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/></accessor>
        </technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>
        <triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry>
        </library_geometries><library_nodes><node id='back'><instance_node url='../main.dae#n'/></node></library_nodes>
        </COLLADA>
        """

    private func inspect(main: String, from address: String?, _ fetch: WebFetch?) throws -> Inspector.Result {
        let folder = try TemporaryFolder()
        let bundle = try Bundle.open(path: try folder.write(main, to: "main.dae"))
        var inspector = Inspector()
        inspector.webFetch = fetch
        inspector.address = address
        inspector.keepsResolutions = true
        return try inspector.inspect(bundle, try BundleManifest.scene(of: bundle).choice, input: "main.dae")
    }

    private static let address = "https://ada:secret@example.org/m/main.dae?key=1#sha256=00"

    @Test func aDocumentBesideOneOfTheWebIsFetchedWithItsOwnImages() throws {
        let png = try Repository.fixture("images/stripes.png")
        let web = Web([
            "https://example.org/m/parts/part.dae": Array(Self.part.utf8), "https://example.org/m/a.png": png,
            "https://example.org/m/tex/stripes.png": png,
        ])
        let result = try inspect(
            main: Self.document("parts\\part.dae#g", image: "a.png"), from: Self.address, web.fetch)
        // The document that all began with is not asked for again, and no password goes along.
        #expect(
            web.asked == [
                "https://example.org/m/parts/part.dae", "https://example.org/m/a.png",
                "https://example.org/m/tex/stripes.png",
            ])
        #expect(result.inspection.scene.triangles == 1)
        #expect(result.inspection.linked?.documents == ["https://example.org/m/parts/part.dae"])
        #expect(
            result.inspection.images.map(\.path) == [
                "https://example.org/m/a.png", "https://example.org/m/tex/stripes.png",
            ])
        #expect(result.inspection.findings.total(.error) == 0 && result.inspection.findings.total(.warning) == 0)
        #expect(result.references.filter { $0.kind == .document }.map(\.resolution.status) == [.found, .found])
    }

    @Test func aDocumentThatIsNotAskedForSaysSo() throws {
        let result = try inspect(
            main: Self.document("parts/part.dae#g", image: "a.png"), from: Self.address, nil)
        let finding = try #require(
            result.inspection.findings.findings.first { $0.code == .refExternalBlocked },
            "\(result.inspection.findings)")
        #expect(finding.message.contains("is on the web, and was not asked for"))
        #expect(result.references.map(\.resolution.status) == [.remote, .remote])
        #expect(result.references.first?.resolution.webAddress == "https://example.org/m/parts/part.dae")
    }

    @Test func aDocumentThatCannotBeGotIsToldOnce() throws {
        let web = Web([:])
        let main = Self.document("parts/part.dae#g", image: "a.png")
            .replacing("<instance_geometry", with: "<instance_geometry url='parts/part.dae#h'/><instance_geometry")
        let result = try inspect(main: main, from: Self.address, web.fetch)
        #expect(web.asked == ["https://example.org/m/parts/part.dae", "https://example.org/m/a.png"])
        let messages = result.inspection.findings.findings.filter { $0.code == .downloadHTTPStatus }
        #expect(messages.map(\.severity) == [.warning, .warning])
        #expect(result.inspection.findings.counts[.refExternalBlocked] == 2)
    }

    @Test func documentsAndImagesHaveOneBudget() throws {
        let web = Web(["https://example.org/m/parts/part.dae": Array(Self.part.utf8)])
        var fetch = web.fetch
        fetch.addresses = 1
        let result = try inspect(main: Self.document("parts/part.dae#g", image: "a.png"), from: Self.address, fetch)
        #expect(web.asked == ["https://example.org/m/parts/part.dae"])
        #expect(result.inspection.scene.triangles == 1)
        #expect(result.inspection.findings.counts[.resourceFetchLimit] == 2)
    }

    @Test func aDocumentThatIsNamedByItsAddressIsFetchedForALocalOneToo() throws {
        let web = Web(["http://example.org/parts/part.dae": Array(Self.part.utf8)])
        let result = try inspect(
            main: Self.document("http://example.org/parts/part.dae#g", image: "a.png"), from: nil, web.fetch)
        #expect(
            web.asked == [
                "http://example.org/parts/part.dae", "http://example.org/main.dae",
                "http://example.org/tex/stripes.png",
            ])
        #expect(result.inspection.scene.triangles == 1)
        #expect(result.inspection.images.map(\.status) == [.missing, .remote])
    }

    // MARK: - Images

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
        let error = #expect(throws: CodedFailure.self) {
            try inspect([Self.png], web.fetch) { asked.add(1, ordering: .relaxed).oldValue > 0 }
        }
        #expect(error?.code == .assetCancelled)
        #expect(web.asked == [])
    }
}

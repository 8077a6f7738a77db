import DaeArchive
import DaeCore
import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

/// What a report says of images whose files are not what they should be, in a folder and in an archive.
@Suite struct ImageFaultTests {
    enum Store: CaseIterable {
        case folder, archive
    }

    private func inspect(_ files: [(String, [UInt8])], in store: Store, references: [String]? = nil) throws
        -> Inspection
    {
        let references = references ?? files.map(\.0)
        let images = references.enumerated().map { "<image id='i\($0)'><init_from>\($1)</init_from></image>" }.joined()
        let document =
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_images>\(images)</library_images></COLLADA>"
        let all = files + [("scene.dae", Array(document.utf8))]
        let folder = try TemporaryFolder()
        let bundle: Bundle
        switch store {
        case .folder:
            for (name, bytes) in all { try folder.write(bytes, to: name) }
            bundle = try Bundle.open(path: folder.path)
        case .archive:
            var zip = ZipBuilder()
            for (name, bytes) in all { zip.add(name, bytes) }
            bundle = try Bundle.open(path: try folder.write(zip.bytes(), to: "all.zip"))
        }
        return try Inspector().inspect(bundle, try BundleManifest.scene(of: bundle).choice, input: "scene").inspection
    }

    private func codes(_ inspection: Inspection) -> [String] {
        inspection.findings.findings.filter { $0.code.stage == .resource }.map(\.code.rawValue).sorted()
    }

    @Test(arguments: Store.allCases) func everyFaultOfAFileIsNamedInItsRow(store: Store) throws {
        let png = try Repository.fixture("images/stripes.png")
        let inspection = try inspect(
            [
                ("whole.png", png), ("cut.png", Array(png.dropLast(30))), ("head.png", Array(png.prefix(20))),
                ("start.png", Array(png.prefix(5))), ("empty.png", []),
                ("text.png", Array("no image at all, none".utf8)),
                ("photo.jpg", png), ("cut.jpg", Array(png.prefix(20))),
                ("odd.png", Array(png.prefix(16)) + [UInt8](repeating: 0, count: 40)),
            ], in: store)
        #expect(inspection.images.allSatisfy { $0.status == .found })
        #expect(
            inspection.images.map(\.faults) == [
                [], [.truncated], [.truncated], [.truncated], [.empty], [.unrecognised], [.mislabelled],
                [.truncated, .mislabelled], [.invalid],
            ])
        #expect(inspection.images.map(\.isTruncated) == [false, true, true, true, nil, nil, false, true, nil])
        #expect(
            codes(inspection) == [
                "IMAGE_DATA_INVALID", "IMAGE_DATA_INVALID", "IMAGE_DATA_INVALID", "IMAGE_EXTENSION_MISMATCH",
                "IMAGE_EXTENSION_MISMATCH", "IMAGE_TRUNCATED", "IMAGE_TRUNCATED", "IMAGE_TRUNCATED", "IMAGE_TRUNCATED",
            ])
    }

    @Test func aChecksumThatIsWrongMakesAFileUnreadable() throws {
        let png = try Repository.fixture("images/stripes.png")
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add(
            "scene.dae",
            Array(
                "<COLLADA version='1.4.1'><library_images><image id='i'><init_from>a.png</init_from></image></library_images></COLLADA>"
                    .utf8))
        zip.add("a.png", png)
        var bytes = zip.bytes()
        // In the pixels, far behind the header.
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: png.suffix(40)) })
        bytes[start] ^= 0xFF
        let bundle = try Bundle.open(path: try folder.write(bytes, to: "all.zip"))
        let row = try #require(
            try Inspector().inspect(bundle, try BundleManifest.scene(of: bundle).choice, input: "s").inspection.images
                .first)
        #expect(row.faults == [.unreadable])
        #expect(row.reason != nil)
        #expect(row.format == nil)
    }

    @Test func whyThereIsNoFileIsSaid() throws {
        let png = try Repository.fixture("images/stripes.png")
        let inspection = try inspect(
            [("b/a.png", png), ("c/a.png", Array(png.dropLast()))], in: .archive,
            references: ["../../etc/secret.png", "x%00y.png", "deep/a.png", "none.png", "https://example.org/a.png"])
        #expect(inspection.images.map(\.status) == [.blocked, .blocked, .ambiguous, .missing, .remote])
        #expect(
            inspection.images.map(\.reason) == [
                "leads out of the bundle", "holds a control character", "2 files could be meant", nil, nil,
            ])
        #expect(inspection.images.allSatisfy { $0.faults.isEmpty })
    }
}

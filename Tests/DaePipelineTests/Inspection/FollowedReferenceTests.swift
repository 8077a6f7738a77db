import DaeArchive
import DaeDiagnostics
import DaePipeline
import DaeResources
import TestSupport
import Testing

/// What is kept of how a scene's files were looked for.
@Suite struct FollowedReferenceTests {
    private func inspect(_ text: String, beside files: [String]) throws -> Inspector.Result {
        var zip = ZipBuilder()
        zip.add("m/a.dae", Array(text.utf8))
        for file in files { zip.add(file, [1]) }
        let folder = try TemporaryFolder()
        let bundle = try Bundle.open(path: try folder.write(zip.bytes(), to: "a.zip"))
        var inspector = Inspector()
        inspector.keepsResolutions = true
        return try inspector.inspect(bundle, BundleManifest.scene(of: bundle).choice, input: "a.zip")
    }

    @Test func everySideOfACubeIsFollowed() throws {
        let sides = ["right", "left", "top", "bottom", "front", "back"]
        let faces = zip(["POSITIVE_X", "NEGATIVE_X", "POSITIVE_Y", "NEGATIVE_Y", "POSITIVE_Z", "NEGATIVE_Z"], sides)
            .map { "<init_from face='\($0)' mip_index='0'><ref>\($1).png</ref></init_from>" }.joined()
        let result = try inspect(
            "<COLLADA xmlns='http://www.collada.org/2008/03/COLLADASchema' version='1.5.0'><asset/><library_images><image id='sky'><create_cube>\(faces)</create_cube></image></library_images></COLLADA>",
            beside: sides.dropLast().map { "m/\($0).png" } + ["m/spare.png"])
        #expect(result.references.map(\.resolution.reference) == sides.map { $0 + ".png" })
        #expect(Set(result.references.map(\.id)) == ["sky"])
        #expect(result.references.map(\.resolution.status) == Array(repeating: .found, count: 5) + [.missing])
        #expect(result.inspection.images.map(\.path) == ["m/right.png"])
        #expect(result.inspection.bundle.unused == ["m/spare.png"])
        #expect(result.inspection.findings.counts[.imageNotFound] == 1)
    }

    @Test func anImageThatNamesNoFileIsToldOnceAndGuessed() throws {
        let images = ["oak", "ash"].map { "<image id='\($0)-image'><init_from/></image>" }.joined()
        let result = try inspect(
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset/><library_images>\(images)</library_images></COLLADA>",
            beside: ["tex/oak.png"])
        #expect(result.references.map(\.resolution.path) == ["tex/oak.png", nil])
        #expect(result.references.map(\.kind) == [.image, .image])
        #expect(result.inspection.images.map(\.status) == [.found, .missing])
        #expect(result.inspection.images.map(\.reference) == [nil, nil])
        #expect(result.inspection.findings.counts[.imageEmptyURI] == 2)
        #expect(result.inspection.findings.counts[.imageFoundByFallback] == 1)
        #expect(result.inspection.bundle.unused == [])
    }

    @Test func nothingIsKeptUnlessItIsWanted() throws {
        var zip = ZipBuilder()
        zip.add(
            "a.dae",
            Array(
                "<COLLADA version='1.4.1'><library_images><image id='i'><init_from>x.png</init_from></image></library_images></COLLADA>"
                    .utf8))
        let folder = try TemporaryFolder()
        let bundle = try Bundle.open(path: try folder.write(zip.bytes(), to: "a.zip"))
        let result = try Inspector().inspect(bundle, BundleManifest.scene(of: bundle).choice, input: "a.zip")
        #expect(result.references.isEmpty)
        #expect(result.inspection.images.count == 1)
    }
}

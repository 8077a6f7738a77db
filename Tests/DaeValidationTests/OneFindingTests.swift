import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

/// One fault is one finding, whichever parts of the reader meet it.
@Suite struct OneFindingTests {
    private static let tile = "PRIMITIVE_COUNT_MISMATCH.near.dae"

    /// What is found at warning or above, and where more is related.
    private func found(_ fixture: String, _ edits: [(String, String)] = []) throws -> [Finding] {
        try Replay(fixture, edits).inspection().findings.findings.filter { $0.severity >= .warning }
    }

    @Test func anArrayThatIsCutOffIsToldOnce() throws {
        #expect(try found("ARRAY_TRUNCATED.dae").map(\.code) == [.arrayTruncated])
        // Nothing that is needed is missing.
        let long = try found(Self.tile, [("count=\"12\"", "count=\"13\"")])
        #expect(long.map(\.code) == [.arrayCountMismatch])
        // More is needed than the array says that it has: that is the accessor's fault.
        let wide = try found(Self.tile, [("count=\"4\" stride=\"3\"", "count=\"5\" stride=\"3\"")])
        #expect(wide.map(\.code) == [.accessorOutOfRange])
    }

    @Test func aSchemeThatNobodyFollowsIsToldOnceWhateverItNames() throws {
        let document = try found("URI_UNSUPPORTED_SCHEME.dae")
        #expect(document.map(\.code) == [.uriUnsupportedScheme] && document.first?.severity == .error)
        let image = try found("IMAGE_URI_IS_DIRECTORY.dae", [(">textures/<", ">gopher://a/b.png<")])
        #expect(image.map(\.code) == [.uriUnsupportedScheme] && image.first?.severity == .error)
    }

    @Test func anImageThatIsAFolderIsToldOnce() throws {
        let folder = try found("IMAGE_URI_IS_DIRECTORY.dae")
        #expect(folder.map(\.code) == [.imageURIIsDirectory] && folder.first?.severity == .error)
    }

    @Test func anAddressWithASpaceIsToldByItsRule() throws {
        let codes = try found("URI_INVALID.dae").map(\.code)
        #expect(codes == [.uriInvalid])
    }

    @Test func aReferenceThatIsNotThereIsToldAsMissingAlone() throws {
        let geometry = try found(Self.tile, [("<instance_geometry url=\"#tile\"/>", "<instance_geometry/>")])
        #expect(geometry.map(\.code) == [.schemaMissingAttribute])
        let source = try found(
            Self.tile, [("<input semantic=\"VERTEX\" source=\"#tile-vertices\"", "<input semantic=\"VERTEX\"")])
        #expect(source.map(\.code) == [.schemaMissingAttribute])
        let channel = try found("QUIRK_TARGET_HASH.near.dae", [(" target=\"node/place(0)\"", "")])
        #expect(channel.map(\.code) == [.schemaMissingAttribute])
        let joint = try found(
            "KINEMATICS_JOINT_UNRESOLVED.near.dae",
            [("<instance_joint sid=\"elbow\" url=\"#hinge\"", "<instance_joint sid=\"elbow\"")])
        // What is attached to it is another fault, elsewhere.
        #expect(joint.filter { $0.place.line == joint.first?.place.line }.map(\.code) == [.schemaMissingAttribute])
    }

    // MARK: - Related places

    @Test func anIDThatStandsTwiceNamesTheFirst() throws {
        let finding = try #require(found("ID_DUPLICATE.dae").first { $0.code == .idDuplicate })
        #expect(finding.related.map(\.line) == [34] && finding.related.first?.elementID == "node")
        #expect((finding.place.line ?? 0) > 34)
    }

    @Test func aReferenceToAnotherKindNamesWhatItLeadsTo() throws {
        let finding = try #require(found("REF_WRONG_TYPE.dae").first { $0.code == .refWrongType })
        #expect(finding.related.map(\.line) == [33] && finding.related.first?.elementID == "rig")
    }

    @Test(arguments: ["1e45", "1e-60"]) func aSizeThatAShortNumberDoesNotHoldIsToldAsItIs(_ unit: String) throws {
        let found = try Replay("ASSET_SIZE_IMPLAUSIBLE.dae", [("meter=\"20000\"", "meter=\"\(unit)\"")]).inspection()
        let finding = try #require(found.findings.findings.first { $0.code == .assetSizeImplausible })
        #expect(finding.message.contains(unit.replacing("1e4", with: "1e+4")), "\(finding.message)")
    }
}

import DaeDiagnostics
import DaePipeline
import DaeScene
import TestSupport
import Testing

/// Geometry, skins, animations, materials, size.
extension ComplaintReplayTests {
    private static let tile = "PRIMITIVE_COUNT_MISMATCH.near.dae"

    /// The tile's faces, as they stand in the fixture.
    private static let faces = """
                <triangles count="2">
                  <input semantic="VERTEX" source="#tile-vertices" offset="0"/>
                  <p>
                    0 1 2
                    0 2 3
                  </p>
                </triangles>
        """
    private static let vertex = "<input semantic=\"VERTEX\" source=\"#tile-vertices\" offset=\"0\"/>"

    private func errors(of inspection: Inspection) -> [Finding] {
        inspection.findings.findings.filter { $0.severity == .error }
    }

    /// B25: faces with holes came out without them.
    @Test func holesAreCountedAsTheyAreDrawn() throws {
        let points = "0 0 0 4 0 0 4 4 0 0 4 0 1 1 0 3 1 0 3 3 0 1 3 0"
        let inspection = try Replay(
            Self.tile,
            [
                ("count=\"12\"", "count=\"24\""), ("count=\"4\" stride", "count=\"8\" stride"),
                ("0 0 0 1 0 0 1 1 0 0 1 0", points),
                (
                    Self.faces,
                    "<polygons count=\"1\">\(Self.vertex)<ph><p>0 1 2 3</p><h>4 5 6 7</h></ph></polygons>"
                ),
            ]
        ).inspection()
        #expect(errors(of: inspection) == [])
        #expect(inspection.scene.triangles == 8 && inspection.counts.faceCorners == 8)
        // Who has such a reader is told that there are holes, and where one is not within its polygon.
        let told = try #require(inspection.findings.findings.first { $0.code == .polygonHoles })
        #expect(told.severity == .info && told.place.elementID == "tile" && told.place.line != nil)
        let outside = try Replay("POLYGON_HOLE_INVALID.dae").finding(.polygonHoleInvalid)
        #expect(outside.severity == .warning)
    }

    /// B26: a concave polygon was cut into triangles from its first corner, some of them outside.
    @Test func aConcavePolygonIsToldAndCutWithoutLoss() throws {
        let replay = try Replay("POLYGON_CONCAVE.dae")
        let finding = try replay.finding(.polygonConcave)
        #expect(finding.severity == .hint && finding.place.elementID == "shape")
        #expect(finding.message.contains("1 of 1 polygons of <polylist> are concave; the first is face 0"))
        #expect(try replay.inspection().scene.triangles == 4)
        // The same outline, turned: which way round it goes is no matter of concave or not.
        let turned = try Replay("POLYGON_CONCAVE.dae", [("<p>0 1 2 3 4 5</p>", "<p>5 4 3 2 1 0</p>")])
        #expect(try turned.finding(.polygonConcave).message == finding.message)
    }

    /// B27: polygons, and several instances on one node, were not supported.
    @Test func polygonsAndSeveralInstancesOnANodeAreNoFault() throws {
        let inspection = try Replay(
            Self.tile,
            [
                (Self.faces, "<polygons count=\"1\">\(Self.vertex)<p>0 1 2 3</p></polygons>"),
                (
                    "<instance_geometry url=\"#tile\"/>",
                    "<instance_geometry url=\"#tile\"/><instance_geometry url=\"#tile\"/>"
                ),
            ]
        ).inspection()
        #expect(errors(of: inspection) == [])
        #expect(inspection.scene.instances == 2 && inspection.scene.triangles == 4)
    }

    /// B28: one index of the normals that is too large ended the import.
    @Test func aNormalsIndexThatIsTooLargeCostsNoTriangle() throws {
        let replay = try Replay("PRIMITIVE_INDEX_OOB.dae")
        #expect(try replay.inspection().scene.triangles == 2)
        let finding = try replay.finding(.primitiveIndexOutOfBounds)
        #expect(finding.message.contains("1 NORMAL indices") && finding.message.contains("below 1"))
    }

    /// B29: a mesh of more than 65,535 vertices broke.
    @Test func aMeshOfManyVerticesIsNoFault() throws {
        let count = 70_000
        let points = (0..<count).map { "\($0) \($0 % 7) 0" }.joined(separator: " ")
        let last = "0 1 \(count - 1)"
        let inspection = try Replay(
            Self.tile,
            [
                ("count=\"12\"", "count=\"\(count * 3)\""), ("count=\"4\" stride", "count=\"\(count)\" stride"),
                ("0 0 0 1 0 0 1 1 0 0 1 0", points), ("0 2 3", last),
            ]
        ).inspection()
        #expect(errors(of: inspection) == [])
        #expect(inspection.counts.positions == count)
        #expect(inspection.scene.bounds?.max.x == Double(count - 1))
    }

    /// B30: a skin without a bind shape matrix crashed its reader.
    @Test func aSkinWithoutItsBindShapeIsReadAndTold() throws {
        let replay = try Replay("SKIN_BIND_SHAPE_MISSING.dae")
        #expect(try replay.inspection().scene.triangles == 2)
        #expect(try replay.finding(.skinBindShapeMissing).severity == .info)
    }

    /// B31: bones came out twisted: where the file itself is to blame, it says how.
    @Test func jointsAndMatricesThatDoNotFitAreNamed() throws {
        let joint = try Replay("SKIN_JOINT_UNRESOLVED.dae").finding(.skinJointUnresolved)
        #expect(joint.message.contains("\"breast\"") && joint.severity == .error)
        let count = try Replay("SKIN_IBM_COUNT.dae").finding(.skinInverseBindCount)
        #expect(count.message.contains("1 inverse bind matrices for 2 joints"))
        #expect(try Replay("SKIN_IBM_NON_INVERTIBLE.dae").finding(.skinInverseBindNonInvertible).severity == .warning)
    }

    /// B32: curves were taken for lines and whole turns were lost, and nobody was told.
    @Test func aCurveThatIsReadAsALineIsTold() throws {
        let finding = try Replay("ANIMATION_TANGENT_MISSING.dae").finding(.animationTangentMissing)
        #expect(finding.message.contains("BEZIER") && finding.message.contains("LINEAR"))
        let whole = try Replay("ANIMATION_TANGENT_MISSING.near.dae").inspection()
        #expect(errors(of: whole) == [] && whole.findings.counts[.animationTangentMissing] == nil)
        let turn = try Replay("ANIMATION_FULL_TURN.dae").finding(.animationFullTurn)
        #expect(turn.severity == .hint && turn.message.contains("360"))
    }

    /// B33: clips were merged or lost.
    @Test func clipsAreCountedAndOneThatPlaysNothingIsTold() throws {
        let replay = try Replay("ANIMATION_CLIP_RANGE.dae")
        #expect(try replay.inspection().counts.animationClips == 1)
        #expect(try replay.finding(.animationClipRange).message.contains("0.5"))
        let lost = try Replay("ANIMATION_CLIP_RANGE.near.dae", [("url=\"#slide\"", "url=\"#walk\"")]).inspection()
        #expect(errors(of: lost).contains { $0.message.contains("#walk") })
    }

    /// B34: what is opaque was taken for invisible, or the other way round.
    @Test func aMaterialThatCannotBeSeenByTheLetterIsTold() throws {
        let finding = try Replay("TRANSPARENCY_SUSPECT.dae").finding(.transparencySuspect)
        #expect(finding.severity == .hint && finding.place.elementID == "painted-effect")
        let zero = try Replay("TRANSPARENCY_SUSPECT.near.dae", [(">0</float>", ">1</float>")])
        #expect(try zero.finding(.transparencySuspect).arguments.contains(.init("reference", "RGB_ZERO")))
    }

    /// B36: after two hours an empty file. What is too much is refused before a byte of it is unpacked.
    @Test func whatIsTooMuchIsRefusedAtOnce() throws {
        let failure = try Replay(
            bytes: Repository.fixture("rules/ARCHIVE_TOTAL_SIZE_EXCEEDED.zip"), name: "model.kmz"
        ).failure()
        #expect(failure.code == .archiveTotalSizeExceeded && failure.message.contains("4294967296"))
    }
}

// What people complained of in other readers, each as a small document: the finding that would have told them.

import DaeDiagnostics
import DaePipeline
import DaeScene
import TestSupport
import Testing

@Suite struct ComplaintReplayTests {
    private static let tile = "PRIMITIVE_COUNT_MISMATCH.near.dae"
    private static let unit = "<unit name=\"meter\" meter=\"1\"/>"

    // MARK: - Units, axes, locales, encodings

    /// B13: the mesh to be seen and the one to collide with differ, since one of them is in another unit.
    @Test func meshesInTwoUnitsAreTold() throws {
        let finding = try Replay("ASSET_NESTED_UNIT.dae").finding(.assetNestedUnit)
        #expect(finding.message.contains("0.01 m") && finding.message.contains("1.0 m"))
        #expect(finding.place.path?.hasPrefix("/COLLADA/library_geometries/geometry[@id='tile']") == true)
    }

    /// B14: which way is up is said by the file or told as assumed, so that no reader has to guess.
    @Test func anUpAxisIsReportedAndItsAbsenceTold() throws {
        let inspection = try Replay(Self.tile, [("Y_UP", "Z_UP")]).inspection()
        #expect(inspection.document.upAxis == .z)
        #expect(inspection.findings.counts[.assetUpAxisMissing] == nil)
        let finding = try Replay(Self.tile, [("    <up_axis>Y_UP</up_axis>\n", "")]).finding(.assetUpAxisMissing)
        #expect(finding.message.contains("Y_UP is assumed"))
    }

    /// B15: inches came out as metres.
    @Test func inchesAreReportedAsSuchAndAMissingUnitIsTold() throws {
        let inch = try Replay(Self.tile, [(Self.unit, "<unit name=\"inch\" meter=\"0.0254\"/>")]).inspection()
        #expect(inch.document.unitName == "inch" && inch.document.metersPerUnit == 0.0254)
        #expect(inch.scene.sizeInMeters == [0.0254, 0.0254, 0])
        #expect(try Replay(Self.tile, [(Self.unit, "")]).finding(.assetUnitMissing).message.contains("metre"))
    }

    /// B16: a unit with a decimal comma made everything vanish, without a word.
    @Test func aUnitWithADecimalCommaIsReadAndOneOfZeroIsAnError() throws {
        let comma = try Replay(Self.tile, [("meter=\"1\"", "meter=\"0,010000\"")])
        #expect(try comma.inspection().document.metersPerUnit == 0.01)
        #expect(try comma.finding(.numberDecimalComma).message.contains("\"0,010000\""))
        let zero = try Replay(Self.tile, [("meter=\"1\"", "meter=\"0.0\"")]).finding(.assetUnitInvalid)
        #expect(zero.severity == .error && zero.place.line == 6)
    }

    /// B17: numbers written by the locale of the exporter came out as a heap of triangles.
    @Test func positionsWithDecimalCommasAreReadAndCounted() throws {
        let replay = try Replay("NUMBER_DECIMAL_COMMA.dae")
        #expect(try replay.inspection().scene.bounds?.max.x == 1.5)
        #expect(try replay.finding(.numberDecimalComma).place.path?.contains("float_array") == true)
    }

    /// B18: documents in UTF-16 could not be read; one that lies about its encoding is told.
    @Test func utf16IsReadAndALieAboutTheEncodingTold() throws {
        let text = String(decoding: try Repository.fixture("rules/\(Self.tile)"), as: UTF8.self)
        let units = [0xFEFF] + text.replacing("utf-8", with: "utf-16").utf16
        let wide = try Replay(bytes: units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }).inspection()
        #expect(wide.document.encoding == "UTF-16LE" && wide.scene.triangles == 2)
        #expect(wide.findings.counts[.xmlEncodingMismatch] == nil)
        let lie = try Replay(Self.tile, [("utf-8", "utf-16")])
        #expect(try lie.inspection().scene.triangles == 2)
        #expect(try lie.finding(.xmlEncodingMismatch).message.contains("utf-16"))
    }

    // MARK: - All or nothing, silence, poor messages

    /// B19: a light without a technique stopped the loading of good geometry.
    @Test func aBrokenLightCostsNothingElse() throws {
        let replay = try Replay("LIGHT_INVALID.dae")
        #expect(try replay.inspection().scene.triangles == 2)
        let finding = try replay.finding(.lightInvalid)
        #expect(finding.severity == .warning && finding.place.elementID == "lamp")
    }

    /// B20: a missing camera or material ended in an error of the reader's own.
    @Test func aMissingCameraOrMaterialIsNamed() throws {
        let camera = try Replay("CAMERA_INVALID.near.dae", [("url=\"#view\"", "url=\"#lens\"")])
        #expect(try camera.inspection().scene.triangles == 2)
        #expect(try camera.inspection().findings.findings.contains { $0.message.contains("#lens") })
        let material = try Replay("MATERIAL_BIND_MISSING.near.dae", [("target=\"#painted\"", "target=\"#gone\"")])
        #expect(try material.inspection().scene.triangles == 2)
        let told = try material.inspection().findings.findings.filter { $0.message.contains("#gone") }
        #expect(told.map(\.severity) == [.error])
        #expect(told.first?.place.line != nil)
    }

    /// B21: markup within an id was half read, and the errors that followed misled.
    @Test func illFormedMarkupEndsAtItsPlace() throws {
        let failure = try Replay(Self.tile, [("id=\"tile\"", "id=\"<STL_BINARY>\"")]).failure()
        #expect(failure.code == .xmlNotWellFormed)
        #expect(failure.place.line == 10 && failure.place.column != nil)
    }

    /// B22: nothing came out, and nothing was said; or an empty scene, in no time.
    @Test func anEmptyResultIsAnError() throws {
        let replay = try Replay("DOC_EMPTY.dae")
        let finding = try replay.finding(.docEmpty)
        #expect(finding.severity == .error && finding.place.path == "/COLLADA")
        #expect(finding.message.contains("nothing in the document can be instantiated"))
        #expect(try replay.inspection().scene.triangles == 0)
    }

    /// B23: "File came out empty. Something is wrong here." What a file is instead is said.
    @Test func aFileThatIsSomethingElseIsNamed() throws {
        let list = try Replay(bytes: Array("bplist00".utf8) + [UInt8](repeating: 0, count: 64)).failure()
        #expect(list.code == .archiveInvalid && list.message.contains("Xcode-compiled binary"))
        var zip = ZipBuilder()
        zip.add("model.dae", try Repository.fixture("rules/\(Self.tile)"))
        let packed = try Replay(bytes: zip.bytes())
        #expect(try packed.inspection().scene.triangles == 2)
        #expect(try packed.finding(.archiveExtensionMismatch).message.contains("a ZIP archive"))
        for code in FindingCode.allCases {
            #expect(!code.explanation.text.isEmpty && !code.explanation.fix.isEmpty, "\(code.rawValue)")
        }
    }

    /// B24: errors without the part's name, the limit or the count; a negative offset was suspected.
    @Test func aNegativeOffsetIsToldWithItsPartItsValueAndTheLimit() throws {
        let replay = try Replay(Self.tile, [("offset=\"0\"", "offset=\"-1\"")])
        let finding = try replay.finding(.inputOffsetTooLarge)
        #expect(finding.message.contains("-1") && finding.message.contains("0 to 64"))
        #expect(finding.place.elementID == "tile" && finding.place.path?.hasSuffix("/triangles/input") == true)
        #expect(finding.arguments == [.init("offset", "-1"), .init("largest", "64")])
    }
}

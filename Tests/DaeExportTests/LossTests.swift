import DaeExport
import DaeMesh
import DaeScene
import FoundationEssentials
import TestSupport
import Testing

/// What is lost in motion, in looks and at the edges of numbers is told.
@Suite struct LossTests {
    private static func converted(
        _ document: SmallDocument, images: ExportImages = .none, _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> Conversion {
        var options = ExportOptions()
        change(&options)
        let conversion = try Conversion(document.bytes, images: images, options: options)
        #expect(conversion.checker.faults.isEmpty, "\(conversion.checker.faults)")
        return conversion
    }

    private static func entry(
        _ conversion: Conversion, _ change: FidelityReport.Change, _ subject: FidelitySubject
    ) -> FidelityReport.Entry? {
        conversion.report.entries.first { $0.change == change && $0.subject == subject }
    }

    // MARK: - Animation

    /// A node that shifts.
    private static func moving(_ animations: String, _ more: String = "", before: String = "") -> SmallDocument {
        var document = SmallDocument()
        document.libraries = "<library_animations>\(animations)</library_animations>\(more)"
        document.nodes = """
            <node id="N">\(before)<translate sid="move">0 0 0</translate><instance_geometry url="#square"/></node>
            """
        return document
    }

    private static func shift(_ id: String, _ target: String) -> String {
        SmallDocument.animation(id, target, times: [0, 1], values: [0, 1], "LINEAR")
    }

    @Test func anAnimationThatNoClipPlaysIsALoss() throws {
        let clips = """
            <library_animation_clips><animation_clip id="a" start="0" end="1"><instance_animation url="#A"/>
            </animation_clip></library_animation_clips>
            """
        let animations = Self.shift("A", "N/move.X") + Self.shift("B", "N/move.Y")
        let loss = try #require(
            Self.entry(try Self.converted(Self.moving(animations, clips)), .dropped, .unplayedAnimations))
        #expect(loss.count == 1 && loss.places == ["B"])
        #expect(Self.entry(try Self.converted(Self.moving(animations)), .dropped, .unplayedAnimations) == nil)
    }

    @Test func aChannelThatDoesNotFitIsALossBesideOneThatDoes() throws {
        // One number for the three of a translation.
        let loss = try #require(
            Self.entry(
                try Self.converted(Self.moving(Self.shift("A", "N/move.X") + Self.shift("B", "N/move"))), .dropped,
                .channels))
        #expect(loss.count == 1 && loss.places == ["N"])
    }

    @Test(arguments: [("CYCLE", 1), ("OSCILLATE", 1), ("CYCLE_RELATIVE", 1), ("GRADIENT", 1), ("CONSTANT", 0)])
    func whatGoesOnBehindTheKeysIsALoss(_ word: String, _ count: Int) throws {
        let animation = Self.shift("A", "N/move.X").replacing(
            "<sampler id=\"A-s\">", with: "<sampler id=\"A-s\" post_behavior=\"\(word)\">"
        )
        var document = String(decoding: Self.moving(animation).bytes, as: UTF8.self)
        document = document.replacing("2005/11", with: "2008/03").replacing("1.4.1", with: "1.5.0")
        let report = try Conversion(Array(document.utf8)).report
        #expect(report.losses.first { $0.subject == .behaviors }?.count ?? 0 == count, "\(report.losses)")
    }

    @Test func onlyAMomentHasMaterialsThatMove() throws {
        let look = SmallDocument.look(
            "<lambert><diffuse><color sid=\"tint\">1 1 1 1</color></diffuse></lambert>")
        var document = Self.moving(Self.shift("A", "M/tint.R"), look)
        document.nodes = SmallDocument.painted
        let moved = Self.entry(try Self.converted(document), .dropped, .channels)
        let posed = Self.entry(try Self.converted(document) { $0.time = 0.5 }, .dropped, .channels)
        #expect(moved?.count == 1 && posed == nil)
    }

    /// Rises to far above its keys, and back.
    private static func steep(_ values: [Double]) -> String {
        SmallDocument.animation(
            "A", "N/move.X", times: [0, 0.1], values: values, "BEZIER",
            tangents: (incoming: [-1, 0, 0.02, 3], outgoing: [0.01, 9, 1, 0]))
    }

    @Test(arguments: [1.0, 100]) func aRateTellsHowFarOffItIs(_ scale: Double) throws {
        // No key fits between the two: all of the curve is lost.
        let document = Self.moving(
            Self.steep([0, 1]), before: "<scale>\(scale) \(scale) \(scale)</scale>")
        let conversion = try Self.converted(document) { $0.samplingRate = 5 }
        let told = try #require(Self.entry(conversion, .sampled, .curves)?.deviation)
        let size = try #require(SceneBounds(of: conversion.scene).box).size.max()
        let curve = try #require(conversion.scene.channels.first?.curve)
        let most = stride(from: 0, to: 0.1, by: 0.0001).reduce(0) { max($0, abs(curve.value(at: $1)[0] - 10 * $1)) }
        #expect(abs(told - most * scale / size) < 0.001 * told, "\(told), not \(most * scale / size)")
        #expect(throws: SceneExportError.self) {
            try Self.converted(document) {
                $0.samplingRate = 5
                $0.isLossless = true
            }
        }
    }

    @Test func aRateTellsOfWhatIsFollowedAsAWhole() throws {
        // What turns about a point of its own is sampled.
        var document = Self.moving(
            SmallDocument.animation(
                "A", "N/turn.ANGLE", times: [0, 0.1], values: [0, 60], "BEZIER",
                tangents: (incoming: [-1, 0, 0.02, 90], outgoing: [0.01, 90, 1, 0])))
        document.nodes = """
            <node id="N"><translate>5 0 0</translate><rotate sid="turn">0 0 1 0</rotate><translate>-5 0 0</translate>
            <instance_geometry url="#square"/></node>
            """
        let told = try #require(
            Self.entry(try Self.converted(document) { $0.samplingRate = 5 }, .sampled, .curves)?.deviation)
        #expect(told > 0.3)
    }

    // MARK: - Numbers

    @Test(arguments: ["1e39", "1e999"]) func aCornerBeyondTheFilesNumbersGoesWithItsFace(_ number: String) throws {
        var document = SmallDocument()
        document.geometries = document.geometries.replacing("1.0 1.0 0.0 0.0", with: "1.0 \(number) 0.0 0.0")
        document.geometries += SmallDocument.square("other")
        document.nodes += "<node id=\"M\"><instance_geometry url=\"#other\"/></node>"
        let conversion = try Self.converted(document)
        #expect(Self.entry(conversion, .dropped, .corners)?.count == 6)
        #expect(conversion.checker.file?.drawnTriangles == 2)
    }

    // MARK: - Cameras

    @Test(arguments: [
        ("<znear>0</znear><zfar>0.05</zfar>", 0, 0.05, 0), ("<znear>-1</znear><zfar>5</zfar>", 0, 5, 1),
        ("<znear>2</znear><zfar>1</zfar>", 2, 1002, 1),
    ]) func planesOfAnOrthographicCamera(_ planes: String, _ near: Double, _ far: Double, _ told: Int) throws {
        let (camera, count) = try Self.camera("<orthographic><xmag>1</xmag><ymag>1</ymag>\(planes)</orthographic>")
        #expect(camera["orthographic"]?["znear"]?.number == near && camera["orthographic"]?["zfar"]?.number == far)
        #expect(count == told)
    }

    @Test(arguments: [
        ("<zfar>0.05</zfar>", 0.05 / 1000, 0.05, 0), ("", 0.1, nil, 0),
        ("<znear>0</znear><zfar>5</zfar>", 5.0 / 1000, 5, 1), ("<znear>2</znear><zfar>1</zfar>", 2, nil, 1),
    ]) func planesOfAPerspectiveCamera(_ planes: String, _ near: Double, _ far: Double?, _ told: Int) throws {
        let (camera, count) = try Self.camera("<perspective><yfov>45</yfov>\(planes)</perspective>")
        #expect(camera["perspective"]?["znear"]?.number == near && camera["perspective"]?["zfar"]?.number == far)
        #expect(count == told)
    }

    private static func camera(_ projection: String) throws -> (camera: JSONNode, told: Int) {
        var document = SmallDocument()
        document.libraries = """
            <library_cameras><camera id="P"><optics><technique_common>\(projection)</technique_common></optics></camera>
            </library_cameras>
            """
        document.nodes += "<node id=\"A\"><instance_camera url=\"#P\"/></node>"
        let conversion = try Self.converted(document)
        let camera = try #require(conversion.checker.file?.list("cameras").first)
        return (camera, Self.entry(conversion, .approximated, .cameras)?.count ?? 0)
    }
}

import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// What is left out of nodes and animations is in the report, and keeps a conversion that may lose nothing from ending well.
@Suite struct CompleteReportTests {
    private static func told(
        _ document: [UInt8], _ subject: FidelitySubject, time: Double? = nil
    ) throws -> (entry: FidelityReport.Entry?, conversion: Conversion) {
        var options = ExportOptions()
        options.time = time
        let conversion = try Conversion(document, options: options)
        options.isLossless = true
        let entry = conversion.report.entries.first { $0.subject == subject }
        if entry?.change.isLoss == true {
            #expect(throws: SceneExportError.self) { try Conversion(document, options: options) }
        }
        return (entry, conversion)
    }

    private static func small(_ nodes: String, _ animations: String = "") -> [UInt8] {
        var document = SmallDocument()
        document.nodes = nodes
        document.libraries = animations.isEmpty ? "" : "<library_animations>\(animations)</library_animations>"
        return document.bytes
    }

    private static let square = "<instance_geometry url=\"#square\"/>"

    // MARK: - Last rows

    @Test func aMatrixWrittenColumnByColumnIsTold() throws {
        let (entry, _) = try Self.told(Repository.fixture("field/A16-report/column-major.dae"), .lastRows)
        #expect(entry?.change == .dropped && entry?.places == ["n"])
    }

    @Test(arguments: [
        "<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2</matrix>",
        "<translate>1 0 0</translate><matrix>1 0 0 0 0 1 0 0 0 0 1 0 5 6 7 1</matrix><scale>2 2 2</scale>",
    ])
    func aLastRowThatIsThrownAwayIsToldWhereverItStands(transforms: String) throws {
        let (entry, conversion) = try Self.told(
            Self.small("<node id=\"N\">\(transforms)\(Self.square)</node>"), .lastRows)
        #expect(entry?.count == 1)
        // Nothing of it reaches the other numbers.
        let size = try #require(conversion.played).size()
        #expect(size.isNear(transforms.contains("scale") ? [2, 2, 0] : [1, 1, 0]), "\(size)")
    }

    // MARK: - Visibility

    @Test func aHiddenNodeIsLeftOut() throws {
        let (entry, conversion) = try Self.told(Repository.fixture("field/A16-report/visibility.dae"), .visibility)
        #expect(entry?.change == .dropped && entry?.places == ["n"])
        let points = try #require(conversion.played?.points())
        #expect(points.count == 3 && points.allSatisfy { $0.z == 3 })
    }

    @Test(arguments: [
        "<technique profile=\"FCOLLADA\"><visibility sid=\"visibility\">0.000000</visibility></technique>",
        "<technique profile=\"MAYA\"><visibility> FALSE </visibility></technique>",
        "<technique profile=\"MAX3D\"><visibility>0</visibility></technique>",
        "<technique profile=\"OpenCOLLADAMaya\"><visibility>false</visibility></technique>",
        "<technique profile=\"MAYA\"><dynamic_attributes><visibility type=\"bool\">0</visibility></dynamic_attributes></technique>",
        "<technique><visible>0</visible></technique>", "<technique profile=\"other\"><hidden>1</hidden></technique>",
    ])
    func everySpellingHidesWhatIsBelowToo(technique: String) throws {
        let hidden = "<node id=\"H\"><node id=\"I\">\(Self.square)</node><extra>\(technique)</extra></node>"
        let (entry, conversion) = try Self.told(
            Self.small("\(hidden)<node id=\"N\">\(Self.square)</node>"), .visibility)
        #expect(entry?.change == .dropped && entry?.places == ["H"])
        #expect(conversion.checker.file?.drawnTriangles == 2)
        #expect(conversion.checker.faults.isEmpty)
    }

    @Test(arguments: [
        "<technique profile=\"FCOLLADA\"><visibility>1</visibility></technique>",
        "<technique profile=\"MAYA\"><visibility>TRUE</visibility></technique>",
        "<technique profile=\"MAYA\"><primary_visibility>0</primary_visibility></technique>",
        "<technique><hidden>0</hidden></technique>", "<technique><visibility/></technique>",
    ])
    func whatIsShownStays(technique: String) throws {
        let (entry, conversion) = try Self.told(
            Self.small("<node id=\"N\">\(Self.square)<extra>\(technique)</extra></node>"), .visibility)
        #expect(entry == nil)
        #expect(conversion.checker.file?.drawnTriangles == 2)
    }

    @Test func aNodeThatAppearsIsShownAndTold() throws {
        let extra =
            "<extra><technique profile=\"FCOLLADA\"><visibility sid=\"visibility\">0</visibility></technique></extra>"
        let (entry, conversion) = try Self.told(
            Self.small(
                "<node id=\"N\">\(Self.square)\(extra)</node>",
                SmallDocument.animation("a", "N/visibility", times: [0, 1], values: [0, 1], "STEP")), .visibility)
        #expect(entry?.change == .approximated)
        #expect(conversion.report.losses.contains { $0.subject == .unresolvedChannels })
        #expect(conversion.checker.file?.drawnTriangles == 2)
    }

    // MARK: - Times

    @Test func keysBeforeZeroAreMovedAndTold() throws {
        let (entry, conversion) = try Self.told(
            Repository.fixture("field/A16-report/negative-time.dae"), .keyTimes)
        #expect(entry?.change == .approximated && entry?.deviation == 1)
        #expect(try #require(conversion.played?.points(at: 1).first).isNear([5, 0, 0]))
    }

    @Test func keysFromZeroOnAreMovedByNothing() throws {
        let (entry, _) = try Self.told(
            Self.small(
                "<node id=\"N\"><translate sid=\"t\">0 0 0</translate>\(Self.square)</node>",
                SmallDocument.animation("a", "N/t.X", times: [0.5, 1], values: [0, 1], "LINEAR")), .keyTimes)
        #expect(entry == nil)
    }

    @Test(arguments: [(99.0, 98.0), (-1, 1), (0.5, nil), (1, nil)])
    func aMomentBeyondAllKeysIsTold(time: Double, distance: Double?) throws {
        let (entry, _) = try Self.told(
            Self.small(
                "<node id=\"N\"><translate sid=\"t\">0 0 0</translate>\(Self.square)</node>",
                SmallDocument.animation("a", "N/t.X", times: [0, 1], values: [0, 1], "LINEAR")), .moment, time: time)
        #expect(entry?.deviation == distance)
    }

    @Test func aLastRowIsToldOnceWhateverPlaysIt() throws {
        let clips = ["a", "b", "c"].map { id in
            "<animation_clip id=\"\(id)\" start=\"0\" end=\"1\"><instance_animation url=\"#A\"/></animation_clip>"
        }.joined()
        var document = SmallDocument()
        document.libraries = """
            <library_animations>\(SmallDocument.animation("A", "N/m(0)(3)", times: [0, 1], values: [0, 2], "LINEAR"))
            </library_animations><library_animation_clips>\(clips)</library_animation_clips>
            """
        document.nodes =
            "<node id=\"N\"><matrix sid=\"m\">1 0 0 0 0 1 0 0 0 0 1 0 5 0 0 1</matrix>\(Self.square)</node>"
        #expect(try Self.told(document.bytes, .lastRows).entry?.count == 1)
        // One that is only lost where it moves, too.
        document.nodes = document.nodes.replacing("5 0 0 1</matrix>", with: "0 0 0 1</matrix>")
        #expect(try Self.told(document.bytes, .lastRows).entry?.count == 1)
    }

    // MARK: - What is missing

    @Test(arguments: [
        ("geometry", FidelitySubject.missingMeshes, FidelityClass.geometry), ("controller", .missingMeshes, .geometry),
        ("node", .missingNodes, .node), ("camera", .missingCameras, .camera), ("light", .missingLights, .light),
    ]) func anInstanceOfWhatIsNotThereIsTold(_ kind: String, _ subject: FidelitySubject, _ part: FidelityClass) throws {
        #expect(subject.fidelityClass == part)
        for reference in ["#gone", "#M"] {
            let missing = "<node id=\"Q\"><instance_\(kind) url=\"\(reference)\"/></node>"
            var document = SmallDocument()
            document.libraries = SmallDocument.look("<lambert/>")
            document.nodes += missing
            let (entry, _) = try Self.told(document.bytes, subject)
            #expect(entry?.count == 1 && entry?.places == ["Q"] && entry?.change == .dropped, "\(reference)")
            // What the scene does not reach is no loss.
            document.nodes = "<node id=\"N\">\(Self.square)</node>"
            document.libraries += "<library_nodes>\(missing)</library_nodes>"
            #expect(try Self.told(document.bytes, subject).entry == nil)
        }
    }

    @Test func aControllerThatLeadsToNoMeshIsTold() throws {
        func morph(_ id: String, _ source: String) -> String {
            "<controller id=\"\(id)\"><morph source=\"#\(source)\"/></controller>"
        }
        var document = SmallDocument()
        document.libraries = """
            <library_controllers>\(morph("a", "b"))\(morph("b", "a"))<controller id="s"><skin source="#gone"/></controller>
            </library_controllers>
            """
        for id in ["a", "s"] { document.nodes += "<node><instance_controller url=\"#\(id)\"/></node>" }
        let (entry, _) = try Self.told(document.bytes, .missingMeshes)
        #expect(entry?.count == 2 && entry?.places == ["a", "s"])
    }

    @Test(arguments: [(0.0, false), (2, true)]) func aSpotThatFadesToItsRimIsTold(_ exponent: Double, _ isTold: Bool)
        throws
    {
        var document = SmallDocument()
        document.libraries = """
            <library_lights><light id="L"><technique_common><spot><color>1 1 1</color>
            <constant_attenuation>0</constant_attenuation><quadratic_attenuation>1</quadratic_attenuation>
            <falloff_angle>40</falloff_angle><falloff_exponent>\(exponent)</falloff_exponent></spot></technique_common>
            </light></library_lights>
            """
        document.nodes += "<node><instance_light url=\"#L\"/></node>"
        let (entry, conversion) = try Self.told(document.bytes, .spotFalloff)
        #expect((entry?.places == ["L"]) == isTold)
        #expect(conversion.report.losses.isEmpty == !isTold)
    }
}

import DaeCollada
import DaeDiagnostics
import DaeSchema
import TestSupport
import Testing

/// The check of whole documents, as a user of the library asks for it.
@Suite struct SchemaCheckerTests {
    private static let valid = """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
        <asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified></asset>
        <library_visual_scenes><visual_scene id="scene">
        <node id="node"><translate>0 0 0</translate><rotate>0 0 1 90</rotate></node>
        </visual_scene></library_visual_scenes>
        <library_physics_materials><physics_material id="rubber"><technique_common>
        <dynamic_friction>0.5</dynamic_friction>
        </technique_common></physics_material></library_physics_materials>
        <scene><instance_visual_scene url="#scene"/></scene>
        </COLLADA>
        """

    /// What is found of stage schema after one change, as `code severity line`.
    private func findings(
        _ old: String = "", _ new: String = "", _ checking: SchemaChecking
    ) throws -> [Finding] {
        #expect(old.isEmpty || Self.valid.contains(old))
        var text = Self.valid
        if let range = text.firstRange(of: old), !old.isEmpty { text.replaceSubrange(range, with: new) }
        return try SchemaVerdict.read(Array(text.utf8), checking).filter {
            $0.stage == .schema || $0.code == .idDuplicate
        }
    }

    private func codes(_ old: String, _ new: String, _ checking: SchemaChecking) throws -> [String] {
        try findings(old, new, checking).map { "\($0.code.rawValue) \($0.severity.rawValue)" }
    }

    /// The reader tells of the length, too, where it is another than the schema's.
    @Test(arguments: [
        ("1 2<!-- -->3 4", []), ("1 2 3<!-- --> ", []), ("1<![CDATA[ ]]>2 3", []), (" <!-- -->1 2&#x20;3", []),
        ("1 2<!-- -->3", ["SCHEMA_LIST_LENGTH"]), ("1 2e<!-- -->", ["SCHEMA_INVALID_NUMBER", "SCHEMA_LIST_LENGTH"]),
        ("1 2 3 <!-- -->x", ["SCHEMA_INVALID_NUMBER", "SCHEMA_LIST_LENGTH"]), ("1 2 INF", []), ("1 2 IN<!-- -->F", []),
        ("", ["SCHEMA_LIST_LENGTH"]), (" <!-- --> ", ["SCHEMA_LIST_LENGTH"]),
    ])
    func aListOfNumbersIsTheSameHoweverItIsCut(text: String, expected: [String]) throws {
        let found = try findings("<translate>0 0 0<", "<translate>\(text)<", .strict)
        #expect(found.map(\.code.rawValue) == expected)
    }

    @Test(arguments: SchemaChecking.allCases) func whatIsValidHasNoFindings(_ checking: SchemaChecking) throws {
        #expect(try findings("", "", checking).isEmpty)
    }

    @Test(arguments: [
        ("<rotate>", "<node/><rotate>", "SCHEMA_ELEMENT_ORDER info", "SCHEMA_ELEMENT_ORDER error"),
        (
            "<node id", "<bogus><mesh/></bogus><node id", "SCHEMA_UNEXPECTED_ELEMENT warning",
            "SCHEMA_UNEXPECTED_ELEMENT error"
        ),
        (
            "<dynamic_friction>0.5", "x<dynamic_friction>0.5", "SCHEMA_UNEXPECTED_TEXT warning",
            "SCHEMA_UNEXPECTED_TEXT error"
        ),
        ("id=\"rubber\"", "id=\"rub ber\"", "SCHEMA_INVALID_ID info", "SCHEMA_INVALID_ID error"),
        ("id=\"rubber\"", "id=\"rubber\" name=\"a b\"", "SCHEMA_INVALID_ID info", "SCHEMA_INVALID_ID error"),
        ("id=\"rubber\"", "id=\"rubber\" x=\"\"", "SCHEMA_UNKNOWN_ATTRIBUTE info", "SCHEMA_UNKNOWN_ATTRIBUTE error"),
        ("<created>2026-01-01T", "<created>2026-01-01 ", "SCHEMA_INVALID_DATE info", "SCHEMA_INVALID_DATE error"),
        ("0.5", "half", "SCHEMA_INVALID_NUMBER error", "SCHEMA_INVALID_NUMBER error"),
        ("0 0 1 90", "0 0 1", "SCHEMA_LIST_LENGTH error", "SCHEMA_LIST_LENGTH error"),
        ("url=\"#scene\"", "sid=\"a\"", "SCHEMA_MISSING_ATTRIBUTE error", "SCHEMA_MISSING_ATTRIBUTE error"),
        ("<scene>", "<library_images/><scene>", "SCHEMA_EMPTY_LIBRARY hint", "SCHEMA_EMPTY_LIBRARY error"),
        ("<node id", "<node type=\"joint\" id", "SCHEMA_INVALID_ENUM warning", "SCHEMA_INVALID_ENUM error"),
    ])
    func aFaultIsToldOnceAndBySeverity(_ old: String, _ new: String, _ lenient: String, _ strict: String) throws {
        #expect(try codes(old, new, .lenient) == [lenient])
        #expect(try codes(old, new, .strict) == [strict])
    }

    @Test func twoOfWhatExcludesTheOtherAreNoMatterOfOrder() throws {
        #expect(
            try codes("<modified>", "<created>2026-01-01T00:00:00Z</created><modified>", .lenient) == [
                "SCHEMA_UNEXPECTED_ELEMENT warning"
            ])
    }

    @Test func aFindingSaysWhereAndWhatIsExpectedAndHowToMendIt() throws {
        let finding = try #require(
            try findings("<dynamic_friction>", "<Dynamic_Friction/><dynamic_friction>", .strict).first)
        #expect(finding.place.line == 7 && finding.place.column == 1)
        #expect(
            finding.place.path?.hasSuffix("/physics_material[@id='rubber']/technique_common/Dynamic_Friction") == true)
        #expect(finding.place.elementID == "rubber")
        #expect(finding.message.hasSuffix("expected one of: dynamic_friction, restitution, static_friction"))
        #expect(finding.fix == "Write <dynamic_friction>.")
        #expect(finding.arguments.map(\.name) == ["element", "parent", "expected"])
    }

    @Test func anIdThatStandsTwiceIsTiedToTheFirst() throws {
        let finding = try #require(try findings("id=\"rubber\"", "id=\"node\"", .strict).first)
        #expect(finding.code == .idDuplicate && finding.place.line == 6)
        #expect(finding.related.map(\.line) == [4])
        let lenient = try findings("id=\"rubber\"", "id=\"node\"", .lenient)
        #expect(lenient.map(\.code) == [.idDuplicate] && lenient.first?.severity == .info)
        #expect(lenient.first?.place.line == 6 && lenient.first?.related.map(\.line) == [4])
    }

    @Test func whatStandsUnderATechniqueIsLeftAloneUnlessTheSchemaHasIt() throws {
        func extra(_ inner: String) throws -> [String] {
            try codes(
                "</node>", "<extra><technique profile=\"MAYA\">\(inner)</technique></extra></node>", .lenient)
        }
        #expect(try extra("<bogus count=\"-\">text<b xmlns=\"urn:b\">1</b></bogus>").isEmpty)
        #expect(try extra("<bogus><float_array count=\"x\">1</float_array></bogus>") == ["SCHEMA_INVALID_NUMBER error"])
    }

    @Test func aProfileThatNobodyKnowsIsToldOnce() throws {
        let extra = "<extra><technique profile=\"X\"/><technique profile=\"X\"/></extra></node>"
        #expect(try codes("</node>", extra, .lenient) == ["SCHEMA_EXTRA_UNKNOWN_PROFILE hint"])
        #expect(try codes("</node>", extra, .strict) == ["SCHEMA_EXTRA_UNKNOWN_PROFILE hint"])
    }

    @Test func anotherNamespaceIsHeldAgainstNothingByTheLetter() throws {
        let text = Self.valid.replacing("2005/11", with: "2004/11")
        let strict = try SchemaVerdict.faults(in: Array(text.utf8))
        #expect(strict.count == 1 && strict[0].contains("expected http://www.collada.org/2005/11/COLLADASchema or"))
        let spoiled = Array(text.replacing("0.5", with: "half").utf8)
        #expect(try SchemaVerdict.read(spoiled, .lenient).contains { $0.code == .schemaInvalidNumber })
    }

    @Test func aMillionFaultsAreCountedAndAHundredKept() throws {
        let faults = String(repeating: "<a/>", count: 100_000)
        let text = Self.valid.replacing("<node id", with: faults + "<node id")
        var options = ColladaOptions()
        options.schema = .lenient
        let log = try ColladaParser.read(Array(text.utf8), options: options).log
        #expect(log.counts[.schemaUnexpectedElement] == 100_000)
        #expect(log.findings.count { $0.code == .schemaUnexpectedElement } == log.capPerCode)
    }

    @Test func theFindingsAreTheSameHoweverTheBytesAreCut() throws {
        let bytes = Array(
            Self.valid.replacing("0 0 1 90", with: "0 0 &#49; 9x0").replacing("0.5", with: "<![CDATA[0.]]>5z").utf8)
        for checking in [SchemaChecking.lenient, .strict] {
            let whole = try SchemaVerdict.read(bytes, checking)
            for size in [1, 2, 3, 7, 64] {
                var options = ColladaOptions()
                options.schema = checking
                let parser = ColladaParser(options: options)
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { try parser.read($0) }
                }
                let found = try parser.finish().log.findings
                #expect(found == whole && !whole.isEmpty)
            }
        }
    }
}

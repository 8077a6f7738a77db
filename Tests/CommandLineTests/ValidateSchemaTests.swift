import TestSupport
import Testing

/// How `dae validate` holds documents against a schema, and what it leaves unmended.
@Suite struct ValidateSchemaTests {
    private static let order = "rules/SCHEMA_ELEMENT_ORDER.dae"
    private static let quirk = "rules/QUIRK_UP_AXIS_CASE.dae"
    private static let sound = "rules/QUIRK_UP_AXIS_CASE.near.dae"

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(["validate", "--quiet", "--no-config"] + arguments, folder: Repository.fixtures)
    }

    private func findings(_ arguments: [String]) throws -> [JSONNode] {
        let report = try JSONNode(parsing: run(["--format", "json"] + arguments).output)
        return report["findings"]?["messages"]?.elements ?? []
    }

    private func severities(of code: String, _ arguments: [String]) throws -> [String] {
        try findings(arguments).filter { $0["code"]?.string == code }.compactMap { $0["severity"]?.string }
    }

    // MARK: - --schema

    @Test func theLetterIsStrictLenientOrOff() throws {
        let code = "SCHEMA_ELEMENT_ORDER"
        #expect(try severities(of: code, [Self.order]) == ["info"])
        #expect(try severities(of: code, ["--schema", "lenient", Self.order]) == ["info"])
        #expect(try severities(of: code, ["--schema", "strict", Self.order]) == ["error"])
        #expect(try severities(of: code, ["--schema", "off", Self.order]) == [])
    }

    @Test func aDepartureFromTheLetterEndsWithOneWhereThatIsAsked() throws {
        #expect(try run([Self.order]).code == 0)
        #expect(try run(["--schema", "strict", Self.order]).code == 1)
        #expect(try run(["--schema", "strict", Self.sound]).code == 0)
        #expect(try run(["--schema", "strict", "--fail-on", "info", "--only", "SCHEMA_*", Self.sound]).code == 0)
    }

    @Test func anIDThatStandsTwiceIsToldOnceToTheLetter() throws {
        let strict = try findings(["--schema", "strict", "rules/ID_DUPLICATE.dae"])
        let twice = strict.filter { $0["message"]?.string?.contains("\"node\"") == true }
        #expect(twice.compactMap { $0["code"]?.string } == ["ID_DUPLICATE"])
        #expect(twice.first?["related"]?.elements.count == 1)
    }

    @Test(arguments: [
        (["--schema", "loose"], "schema"), (["--schema"], "schema"), (["--schema", "STRICT"], "schema"),
        (["--xsd"], "xsd"), (["--xsd", "none.xsd"], "--xsd: "), (["--xsd", "rules/QUIRK_UP_AXIS_CASE.dae"], "--xsd: "),
        (["--strict=no"], "strict"), (["--strct"], "strct"),
    ])
    func aWrongWordIsSaidAndNothingIsRead(_ arguments: [String], _ message: String) throws {
        let outcome = try run([Self.quirk] + arguments)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    // MARK: - --xsd

    @Test func anotherSchemaIsHeldAgainstTheDocumentBesides() throws {
        let folder = try TemporaryFolder()
        let schema = try folder.write(
            """
            <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
              targetNamespace="http://www.collada.org/2005/11/COLLADASchema">
            <xs:element name="COLLADA"><xs:complexType><xs:sequence>
            <xs:any processContents="skip" maxOccurs="unbounded"/></xs:sequence>
            <xs:attribute name="version"/><xs:attribute name="signed" use="required"/></xs:complexType></xs:element>
            </xs:schema>
            """, to: "signed.xsd")
        let outcome = try run(["--xsd", schema, Self.sound])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("signed") && outcome.text.contains("[SCHEMA_XSD]"))
        #expect(try severities(of: "SCHEMA_XSD", ["--xsd", schema, "--schema", "off", Self.sound]) == ["error"])
        #expect(try severities(of: "SCHEMA_XSD", [Self.sound]) == [])
    }

    @Test func aSchemaThatIsNoneIsRefused() throws {
        let folder = try TemporaryFolder()
        let broken = try folder.write("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">", to: "cut.xsd")
        let outcome = try run(["--xsd", broken, Self.sound])
        #expect(outcome.code == 64 && outcome.errors.contains("--xsd: ") && outcome.output.isEmpty)
    }

    // MARK: - --strict

    @Test func nothingIsMendedWhereThatIsAsked() throws {
        #expect(try severities(of: "QUIRK_UP_AXIS_CASE", [Self.quirk]) == ["info"])
        #expect(try severities(of: "SCHEMA_INVALID_ENUM", [Self.quirk]) == [])
        #expect(try severities(of: "QUIRK_UP_AXIS_CASE", ["--strict", Self.quirk]) == [])
        #expect(try severities(of: "SCHEMA_INVALID_ENUM", ["--strict", Self.quirk]) == ["warning"])
        #expect(try severities(of: "SCHEMA_INVALID_ENUM", ["--strict", "--schema", "off", Self.quirk]) == ["warning"])
        #expect(try run(["--strict", Self.sound]).text == run([Self.sound]).text)
    }

    @Test func whatIsNotMendedMayBeAnError() throws {
        for file in ["rules/REF_MISSING_HASH.dae", "rules/QUIRK_COLOR_WITHOUT_ALPHA.dae"] {
            #expect(try run([file]).code == 0, "\(file)")
            #expect(try run(["--strict", file]).code == 1, "\(file)")
        }
        let manifest = "rules/QUIRK_MANIFEST_BACKSLASH.zae"
        #expect(try severities(of: "ZAE_ROOT_NOT_FOUND", [manifest]) == [])
        #expect(try severities(of: "ZAE_ROOT_NOT_FOUND", ["--strict", manifest]) == ["error"])
    }
}

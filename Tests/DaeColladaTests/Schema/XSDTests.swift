import DaeCollada
import DaeDiagnostics
import DaeSchema
import TestSupport
import Testing

/// A document held against a schema that is given, by libxml2.
@Suite struct XSDTests {
    private static let document = """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
        <asset>
        <created>soon</created>
        </asset>
        </COLLADA>
        """
    private static let schema = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="http://www.collada.org/2005/11/COLLADASchema"
          targetNamespace="http://www.collada.org/2005/11/COLLADASchema" elementFormDefault="qualified">
        <xs:include schemaLocation="INCLUDED"/>
        <xs:element name="COLLADA"><xs:complexType><xs:sequence><xs:element ref="asset"/></xs:sequence>
        <xs:attribute name="version"/></xs:complexType></xs:element>
        </xs:schema>
        """
    private static let included = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
        <xs:element name="asset"><xs:complexType><xs:sequence>
        <xs:element name="created" type="xs:dateTime"/><xs:element name="modified" type="xs:dateTime"/>
        </xs:sequence></xs:complexType></xs:element>
        </xs:schema>
        """

    private func read(_ schema: String) throws -> [Finding] {
        var options = ColladaOptions()
        try options.useXSD(path: schema)
        return try ColladaParser.read(Array(Self.document.utf8), options: options).log.findings
            .filter { $0.code == .schemaXSD }
    }

    @Test(arguments: ["part.xsd", "http://example.invalid/schemas/part.xsd"])
    func theSchemasFaultsAreToldWithTheirLines(include: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.included, to: "part.xsd")
        let found = try read(
            folder.write(Self.schema.replacing("INCLUDED", with: include), to: "schema.xsd"))
        #expect(found.count == 2)
        #expect(found.map(\.place.line) == [3, 4])
        #expect(found.first?.message.contains("dateTime") == true)
        #expect(found.last?.message.contains("modified") == true)
    }

    @Test(arguments: ["../other/part.xsd", "/etc/passwd", "absent.xsd"])
    func aSchemaReachesNothingBeyondItsFolder(include: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.included, to: "other/part.xsd")
        let path = try folder.write(Self.schema.replacing("INCLUDED", with: include), to: "own/schema.xsd")
        #expect(throws: CodedFailure.self) { try read(path) }
    }

    @Test func whatIsNoSchemaIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("<a/>", to: "a.xsd")
        #expect(throws: CodedFailure.self) { try read(path) }
        #expect(throws: CodedFailure.self) { try read(folder.path + "/b.xsd") }
    }

    @Test(
        .enabled(if: Repository.schemas != nil, "the schemas of Khronos are not here"),
        arguments: ["triangles", "rich-1.4", "no-asset"])
    func itSaysOfADocumentWhatTheCheckToTheLetterSays(name: String) throws {
        var options = ColladaOptions()
        try options.useXSD(path: try #require(Repository.schemas) + "/collada_schema_1_4_1.xsd")
        let bytes = try Repository.fixture("documents/\(name).dae")
        let found = try ColladaParser.read(bytes, options: options).log.findings.filter { $0.code == .schemaXSD }
        #expect(try found.isEmpty == SchemaVerdict.faults(in: bytes).isEmpty)
    }
}

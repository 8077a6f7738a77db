import DaeCollada
import DaeDiagnostics
import TestSupport

/// Of a schema that is given.
extension RuleScenario {
    static let schemas: [RuleScenario] = [
        RuleScenario(.schemaXSD) {
            try codes(required: "missing")
        } near: {
            try codes(required: "version")
        }
    ]

    /// - Parameter name: An attribute that the schema wants of the root.
    private static func codes(required name: String) throws -> Set<FindingCode> {
        let folder = try TemporaryFolder()
        let schema = try folder.write(
            """
            <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
              targetNamespace="http://www.collada.org/2005/11/COLLADASchema">
            <xs:element name="COLLADA"><xs:complexType><xs:sequence/>
            <xs:attribute name="version"/><xs:attribute name="missing"/><xs:attribute name="\(name)-2"/>
            </xs:complexType></xs:element>
            </xs:schema>
            """.replacing("name=\"\(name)\"", with: "name=\"\(name)\" use=\"required\""), to: "root.xsd")
        var options = ColladaOptions()
        try options.useXSD(path: schema)
        let document = "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"></COLLADA>"
        return Set(try ColladaParser.read(Array(document.utf8), options: options).log.counts.keys)
    }
}

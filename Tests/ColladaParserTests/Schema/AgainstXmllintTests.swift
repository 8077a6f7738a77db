// The verdict of the table on whole documents against that of libxml2's schema validation, to the letter.

import ColladaParser
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.schemas != nil && Program.isInstalled("xmllint"),
        "xmllint, or the schemas of Khronos, are not here; put the schemas beside the checkout or name their folder in DAE_SCHEMAS"
    ))
struct AgainstXmllintTests {
    @Test func everyDocumentOfTheFixturesIsValidForBothOrForNeither() throws {
        let schemas = try #require(Repository.schemas)
        var verdicts: [Bool] = []
        for name in Repository.fixtureNames(in: "documents") where name.hasSuffix(".dae") && !name.hasPrefix("fails-") {
            let path = "documents/" + name
            let bytes = try Repository.fixture(path)
            let is15 = String(decoding: bytes.prefix(4000), as: UTF8.self).contains(SchemaVersion.collada15.namespace)
            let schema = schemas + (is15 ? "/collada_schema_1_5.xsd" : "/collada_schema_1_4_1.xsd")
            let outcome = try Program.run(
                ["--noout", "--nonet", "--schema", schema, Repository.fixtures + "/" + path], program: "xmllint")
            // 3 and 4 say that the document is not valid; others that it, or the schema, could not be read.
            guard [0, 3, 4].contains(outcome.code) else { continue }
            let faults = try StrictReading.faults(in: bytes, is15 ? .collada15 : .collada14)
            #expect(
                faults.isEmpty == (outcome.code == 0), "\(name): \(faults.prefix(3)); \(outcome.errors.prefix(300))")
            verdicts.append(faults.isEmpty)
        }
        #expect(verdicts.count > 30 && verdicts.contains(true) && verdicts.contains(false))
    }
}

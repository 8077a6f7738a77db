import DaeDiagnostics
import DaeSchema
import DaeXML
import Testing

@testable import DaeCollada

@Suite struct SeenIDsTests {
    private func insert(_ id: String, into seen: inout SeenIDs, line: Int) -> SeenIDs.First? {
        Array(id.utf8).withUnsafeBytes { seen.insert($0, of: .source, at: XMLPosition(line: line)) }
    }

    @Test func theFirstOfEachIDIsKnownAmongMany() {
        var seen = SeenIDs()
        let ids = (0..<5000).map { "node_\($0)" + String(repeating: "x", count: $0 % 40) }
        for (place, id) in ids.enumerated() { #expect(insert(id, into: &seen, line: place + 1) == nil) }
        for (place, id) in ids.enumerated() {
            let first = insert(id, into: &seen, line: 9000)
            #expect(first?.position.line == place + 1 && first?.element == .source)
        }
    }

    @Test func lengthsAndOrderOfLettersCount() {
        var seen = SeenIDs()
        let ids = [
            "", "a", "aa", "aaaaaaaa", "aaaaaaaaa", "ab", "ba", "\0a", "a\0", "12345678a", "a12345678", "\0", "b", "c",
        ]
        for id in ids { #expect(insert(id, into: &seen, line: 1) == nil) }
    }

    @Test(arguments: [1, 7, 1 << 16])
    func whatIsToldOfIdsKeepsItsOrder(chunk: Int) {
        // Deeper than ids wait, and with what is told of other things among them.
        let nodes = (0..<12).map { "<node id='n\($0 % 5)' type='\($0 % 3 == 0 ? "LEG" : "NODE")'>" }.joined()
        let text = """
            <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1' id='n0'>
            <library_visual_scenes id='n1'><visual_scene id='n2'>\(nodes)<extra id='n3'/><matrix sid='n4'>1</matrix>
            \(String(repeating: "</node>", count: 12))</visual_scene></library_visual_scenes></COLLADA>
            """
        let outcome = Outcome(Array(text.utf8), chunk: chunk)
        let duplicates = outcome.findings.filter { $0.code == .idDuplicate }
        #expect(duplicates.map(\.place.elementID) == [0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 3].map { "n\($0)" })
        let bytes = duplicates.compactMap(\.place.byte)
        #expect(bytes == bytes.sorted())
        // All elements had begun before the first node ended.
        let last = outcome.findings.lastIndex { $0.code == .idDuplicate } ?? .max
        let first = outcome.findings.firstIndex { $0.code == .schemaInvalidEnum } ?? -1
        #expect(last < first)
    }

    /// What the schema tells of an element comes behind its id.
    @Test(arguments: [1, 7, 1 << 16])
    func underASchemaIDsKeepTheirOrderToo(chunk: Int) {
        let nodes = (0..<6).map { "<node id='n\($0 % 2)' layer='a'\($0 % 3 == 2 ? " bogus='1'" : "")>" }.joined()
        let text = """
            <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>
            <library_visual_scenes><visual_scene>\(nodes)<unknown id='n0'/>
            \(String(repeating: "</node>", count: 6))</visual_scene></library_visual_scenes></COLLADA>
            """
        var options = ColladaOptions()
        options.schema = .lenient
        let outcome = Outcome(Array(text.utf8), chunk: chunk, options: options)
        let told: [FindingCode] = [.idDuplicate, .schemaUnknownAttribute, .schemaUnexpectedElement]
        #expect(
            outcome.codes.filter { told.contains($0) } == [
                .idDuplicate, .schemaUnknownAttribute, .idDuplicate, .idDuplicate, .idDuplicate,
                .schemaUnknownAttribute, .schemaUnexpectedElement,
            ])
    }
}

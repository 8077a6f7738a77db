import DaeXML
import Testing

/// The room for names, which one document leaves to the next.
@Suite struct RestingNamesTests {
    private static let names = ["a", "node", "id", "name", "aNameOfMoreThanSixteenLetters"]

    private static let documents: [String] = [
        "<a xmlns='http://x'>\n  <node id='1' own='2'/>\n  <other own='3'/>\n  <node own='4' id='5'/>\n</a>",
        "<a>\n  <node id='1' other='2'/>\n  <own other='3'/>\n  <aNameOfMoreThanSixteenLetters name='4'/>\n</a>",
        "<a xmlns:p='http://x'>\n  <p:node p:id='1'/>\n  <node><otherOfMoreThanSixteenLetters/></node>\n</a>",
        "<a>\n  <node id='1'>\n</a>", "<a>\n  <node id='1' id='2'/>\n</a>",
        "<a>\n" + (0..<200).map { "  <n\($0) m\($0)='\($0)'/>\n" }.joined() + "</a>",
        "<a>\n  <node id='1' name='2'/>\n  <n0 m0='1'/>\n  <node id='3' m1='2'/>\n</a>",
    ]

    private func events(_ document: String, _ vocabulary: XMLVocabulary, _ limits: XMLLimits) -> [Recorder.Event] {
        let recorder = Recorder()
        let reader = XMLReader(vocabulary: vocabulary, limits: limits, handler: recorder)
        var document = document
        document.withUTF8 { try? reader.read(UnsafeRawBufferPointer($0)) }
        try? reader.finish()
        return recorder.events
    }

    @Test func whatOneDocumentBroughtIsUnknownToTheNext() {
        let shared = XMLVocabulary(Self.names)
        for first in Self.documents {
            for second in Self.documents {
                for document in [first, second] {
                    let expected = events(document, XMLVocabulary(Self.names), XMLLimits())
                    #expect(events(document, shared, XMLLimits()) == expected)
                }
            }
        }
    }

    @Test func eachDocumentHasTheWholeBudgetOfNames() {
        let shared = XMLVocabulary(Self.names)
        var limits = XMLLimits()
        limits.names = 7
        let expected = events(Self.documents[1], XMLVocabulary(Self.names), XMLLimits())
        for _ in 0..<4 { #expect(events(Self.documents[1], shared, limits) == expected) }
    }

    @Test func readersAtOneTimeShareNoRoom() throws {
        let shared = XMLVocabulary(Self.names)
        for _ in 0..<2 {
            let recorders = Self.documents.map { _ in Recorder() }
            let readers = recorders.map { XMLReader(vocabulary: shared, handler: $0) }
            let bytes = Self.documents.map { Array($0.utf8) }
            for start in stride(from: 0, to: bytes.map(\.count).max() ?? 0, by: 16) {
                for (reader, bytes) in zip(readers, bytes) where start < bytes.count {
                    bytes[start..<min(start + 16, bytes.count)].withUnsafeBytes { try? reader.read($0) }
                }
            }
            for reader in readers { try? reader.finish() }
            for (recorder, document) in zip(recorders, Self.documents) {
                #expect(recorder.events == events(document, XMLVocabulary(Self.names), XMLLimits()))
            }
        }
    }
}

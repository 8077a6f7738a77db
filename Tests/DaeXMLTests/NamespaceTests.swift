import DaeDiagnostics
import DaeXML
import Testing

@Suite struct NamespaceTests {
    private func numbers(_ document: String) -> [Int?] {
        Reading.outcome(document).events.compactMap { event -> Int?? in
            if case .start(_, let number, namespace: _, attributes: _, _) = event { .some(number) } else { nil }
        }
    }

    @Test(arguments: [
        "", " xmlns='http://www.collada.org/2005/11/COLLADASchema'",
        " xmlns='http://www.collada.org/2008/03/COLLADASchema'",
    ])
    func namesOfTheRootsNamespaceHaveTheirNumbers(namespace: String) {
        #expect(numbers("<a\(namespace)><b/><unknown/><c/></a>") == [0, 1, nil, 2])
    }

    @Test func aPrefixedRootNumbersItsOwnNamespaceWhateverThePrefix() {
        #expect(numbers("<p:a xmlns:p='u'><p:b/><b/><q:c xmlns:q='u'/><c xmlns='u'/></p:a>") == [0, 1, nil, 2, 2])
    }

    @Test func foreignNamespacesHaveNoNumbers() {
        #expect(
            numbers("<a xmlns='u' xmlns:x='v'><x:b/><b xmlns='w'><c/></b><c xmlns=''/><c/></a>") == [
                0, nil, nil, nil, nil, 2,
            ])
    }

    @Test func anUndeclaredPrefixIsToldAndRead() {
        let outcome = Reading.outcome("<a xmlns='u'>\n<x:b/></a>")
        #expect(outcome.failure == nil)
        #expect(outcome.codes == [.xmlRecovered])
        #expect(outcome.findings.first?.place.line == 2)
        #expect(outcome.findings.first?.place.column == 1)
        #expect(outcome.starts == ["a", "x:b"])
    }

    @Test func attributesWithAPrefixHaveNoNumber() {
        let names = AttributeNumbers()
        _ = read("<a xmlns:x='u' id='1' x:id='2' other='3'/>", handler: names)
        #expect(names.numbers == [3, nil, nil])
    }

    @Test func valuesOfAttributesAreResolvedAndNormalised() {
        let outcome = Reading.outcome("<a id='a &amp; b &lt;&#38;&#x41;&quot;\n\tc&#10;'/>")
        #expect(outcome.failure == nil)
        #expect(
            outcome.events.first
                == .start("a", number: 0, namespace: nil, attributes: ["id=a & b <&A\"  c\n"], XMLPosition()))
    }

    @Test func manyNamesKeepTheirNumbers() {
        let filler = (0..<3000).map { "<n\($0)/>" }.joined()
        #expect(numbers("<a>\(filler)<b/>\(filler)<c/></a>").compactMap(\.self) == [0, 1, 2])
    }

    private func read(_ document: String, handler: some XMLEventHandler) -> CodedFailure? {
        let reader = XMLReader(vocabulary: Reading.vocabulary, handler: handler)
        do throws(CodedFailure) {
            try reader.finish(reading: document)
            return nil
        } catch { return error }
    }
}

private final class AttributeNumbers: XMLEventHandler {
    var numbers: [Int?] = []

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        numbers = (0..<attributes.count).map { attributes.name(at: $0)?.number }
        return .proceed
    }
    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow { .proceed }
    func endElement(at position: XMLPosition) -> XMLFlow { .proceed }
}

extension XMLReader {
    fileprivate func finish(reading document: String) throws(CodedFailure) {
        var failure: CodedFailure?
        Array(document.utf8).withUnsafeBytes { all in
            do throws(CodedFailure) { try read(all) } catch { failure = error }
        }
        if let failure { throw failure }
        try finish()
    }
}

import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeXML

/// What stands around a document, and what its faults are called.
@Suite struct LooseEndTests {
    private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"

    @Test(
        arguments: [
            "\n", "\r\n\r\n", "  \t", "\u{FEFF}\u{FEFF}", "\n\u{FEFF}", "\u{FEFF}\n",
            String(repeating: "\n", count: 700),
        ], [1, 3, 4096])
    func whatIsBlankInFrontOfTheDeclarationIsPassedOver(lead: String, chunk: Int) {
        let outcome = Reading.outcome(Array((lead + Self.declaration + "\n<a><b>text</b></a>").utf8), chunk: chunk)
        #expect(outcome.failure == nil)
        #expect(outcome.codes == [.xmlRecovered])
    }

    @Test func theEncodingBehindABlankLineCounts() {
        let bytes = Array("\n<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        let outcome = Reading.outcome(bytes, chunk: 4096)
        #expect(outcome.failure == nil)
        #expect(outcome.texts == ["é"])
    }

    @Test(arguments: ["\0", "\0\0\0\0", "\n\0\0\n\0", String(repeating: "\0", count: 200_000)], [1, 7, 4096])
    func zerosBehindTheRootArePassedOver(end: String, chunk: Int) {
        let outcome = Reading.outcome(Array(("<a><b>text</b></a>" + end).utf8), chunk: chunk)
        #expect(outcome.failure == nil)
        #expect(outcome.codes == [.xmlRecovered])
    }

    @Test(arguments: ["\0<b/>", "\0x", "x\0"], [1, 4096])
    func zerosInFrontOfSomethingElseAreAFault(end: String, chunk: Int) {
        #expect(Reading.outcome(Array(("<a/>" + end).utf8), chunk: chunk).failure?.code == .xmlNotWellFormed)
    }

    @Test(arguments: ["<a>\0</a>", "<a>text\0", "<a b=\"\0\"/>", "\0<a/>"], [1, 4096])
    func zerosAnywhereElseAreAFault(text: String, chunk: Int) {
        #expect(Reading.outcome(Array(text.utf8), chunk: chunk).failure?.code == .xmlNotWellFormed)
    }

    @Test(
        arguments: [
            ("<a>A & B</a>", "&amp;"), ("<a b=\"A & B\"/>", "&amp;"), ("<a>A&B</a>", "&amp;"), ("<a>A&;</a>", "&amp;"),
            ("<a b=\"1\" c=\"2\" b=\"3\"/>", "\"b\" stands twice"), ("<a b=\"\u{B}\"/>", "U+000B"),
            ("<a>\u{1}</a>", "U+0001"),
            ("<a><!-- \u{2} --></a>", "U+0002"),
        ])
    func faultsAreSaidInWordsThatHelp(text: String, words: String) {
        let failure = Reading.outcome(Array(text.utf8), chunk: 4096).failure
        #expect(failure?.code == .xmlNotWellFormed)
        let message = failure?.message ?? ""
        #expect(message.contains(words) && !message.contains("xmlParse"), "\(message)")
    }
}

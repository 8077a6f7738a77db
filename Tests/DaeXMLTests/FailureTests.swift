import DaeDiagnostics
import DaeXML
import Testing

@Suite struct FailureTests {
    /// What is broken, and where: a fault in a tag stands at the tag's `<`.
    @Test(arguments: [
        ("<a>\n  <b></c>\n</a>", 2, 6), ("<a>\n  <b id='1' id='2'/>\n</a>", 2, 3), ("<a>é漢<b>é</c></a>", 1, 10),
        ("<a>\n<b\n  id='1'\n  id='2'>t</b></a>", 2, 1), ("<a>\n<b x></b></a>", 2, 1), ("<a>\n <b id='<'/></a>", 2, 2),
        ("<a>\né &undeclared;</a>", 2, 15), ("<a>\n\t< b/></a>", 2, 2), ("<a>\r\n<b></c></a>", 2, 4),
        ("<a/>\n<b/>", 2, 1),
        ("<!-- é -->\n<?p?> <a></b>", 2, 10), ("<!DOCTYPE a [\n]><a>\n<b></c></a>", 3, 4),
        ("<a>\n<![CDATA[é]]>é<b></c></a>", 2, 18),
        ("<a>\n</b>", 2, 1),
    ])
    func aFaultIsToldWithItsLineAndColumn(document: String, line: Int, column: Int) {
        let bytes = Array(document.utf8)
        for size in [1, 3, 1000] {
            let failure = Reading.outcome(bytes, chunk: size).failure
            #expect(failure?.code == .xmlNotWellFormed)
            #expect(
                failure?.place.line == line,
                "\(document.debugDescription) in chunks of \(size): \(failure?.message ?? "")")
            #expect(failure?.place.column == column, "\(document.debugDescription) in chunks of \(size)")
        }
    }

    @Test func aDocumentCutAnywhereIsAFailureThatNamesWhatIsOpen() {
        let document = Array(
            "<?xml version='1.0'?>\n<!-- c -->\n<a>\n<b id='é'>1<![CDATA[2]]></b>\n<?p?><!-- -->&amp;<c/></a>".utf8)
        #expect(Reading.outcome(document).failure == nil)
        for end in document.indices {
            let cut = Array(document[..<end])
            for size in [1, 1000] {
                let failure = Reading.outcome(cut, chunk: size).failure
                #expect(failure?.code == .xmlNotWellFormed, "cut at \(end)")
            }
        }
    }

    @Test(arguments: [
        ("<a>\n<b>", "opened at line 2"), ("<a>\n<b></b>", "opened at line 1"), ("<a>\n<b>x", "opened at line 2"),
        ("<a>\n<b></", "line 2"), ("<a>\n\n<!-- x", "line 3"), ("<a>\n<![CDATA[ x", "line 2"), ("\n<?pi", "line 2"),
        ("\n<a id='", "line 2"), ("<a>\n<", "line 2"), ("<a/>\n<!-- ", "line 2"), ("", "no element"),
        (" \n ", "no element"),
        ("<!-- x -->", "no element"),
    ])
    func anUnfinishedDocumentSaysWhatIsUnfinished(document: String, words: String) {
        for size in [1, 1000] {
            let failure = Reading.outcome(Array(document.utf8), chunk: size).failure
            #expect(failure?.code == .xmlNotWellFormed)
            #expect(
                failure?.message.contains(words) == true, "\(document.debugDescription): \(failure?.message ?? "none")")
        }
    }

    @Test(arguments: [
        "<a>\u{0}</a>", "\u{0}<a/>", "<a\u{0}/>", "<a id='\u{0}'/>", "<a/>\u{0}x", "<a><!--\u{0}--></a>",
        "<\u{0}\u{0}\u{0}", "\u{0}",
    ])
    func aZeroByteIsAFailure(document: String) {
        for size in [1, 1000] {
            #expect(Reading.outcome(Array(document.utf8), chunk: size).failure != nil, "\(document.debugDescription)")
        }
    }

    @Test func aMessageIsOneLineOfBoundedLength() {
        let name = String(repeating: "n", count: 10_000)
        let failure = Reading.outcome("<a><\(name)></b></a>").failure
        #expect(failure.map { $0.message.utf8.count < 500 && !$0.message.contains("\n") } == true)
    }
}

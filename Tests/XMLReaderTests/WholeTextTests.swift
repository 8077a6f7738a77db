import Testing
import XMLReader

/// Text of which it is told that there is no more of it; ``Recorder`` holds every document of the other tests to it.
@Suite struct WholeTextTests {
    @Test(arguments: [
        ("<a>1 2</a>", ["1 2"]),
        ("<a id='x'>\n 1\n</a>", ["\n 1\n"]),
        ("<a><b>1</b><b>2</b>3</a>", ["1", "2"]),
        (
            "<a><b>a text of more than forty-eight letters, which is looked through in blocks</b></a>",
            ["a text of more than forty-eight letters, which is looked through in blocks"]
        ),
        // What follows is no end tag, or something stood before.
        ("<a>1<b/>2</a>", []),
        ("<a>1<!-- 2 -->3</a>", []),
        ("<a>1<![CDATA[2]]></a>", []),
        ("<a>1<?b?></a>", []),
        ("<a/>", []),
    ])
    func isToldWhereAnEndTagFollowsAStartTagAndText(_ document: String, _ texts: [String]) {
        let recorder = Recorder()
        let outcome = Reading.outcome(document, recorder: recorder)
        #expect(outcome.failure == nil)
        #expect(recorder.wholeTexts == texts)
    }

    @Test func isNotToldOfTextThatIsCut() {
        // Behind as many bytes as it takes to tell the encoding.
        let start = "<?xml version='1.0'?><a>"
        let document = Array((start + "1 2 3</a>").utf8)
        for cut in start.utf8.count..<document.count {
            let recorder = Recorder()
            #expect(Reading.outcome(document, cuts: [cut], recorder: recorder).texts == ["1 2 3"])
            // With the first two bytes of the end tag it is sure.
            let isWithin = (1...6).contains(cut - start.utf8.count)
            #expect(recorder.wholeTexts == (isWithin ? [] : ["1 2 3"]), "cut at \(cut)")
        }
    }

    @Test func anEndTagOfAnotherNameEndsTheReading() {
        let recorder = Recorder()
        let document = "<a><b>1</c></a>"
        let outcome = Reading.outcome(document, recorder: recorder)
        #expect(recorder.wholeTexts == ["1"])
        #expect(outcome.failure != nil)
        #expect(outcome.failure == Reading.outcome(Array(document.utf8), road: .careful).failure)
    }

    @Test func linesMayEndAsTheyLikeWhereThatIsAllOne() {
        let recorder = Recorder()
        recorder.takesAnyLineEnd = true
        #expect(Reading.outcome("<a>1\r\n2\r\n</a>", recorder: recorder).failure == nil)
        #expect(recorder.wholeTexts == ["1\r\n2\r\n"])
    }
}

import DaeDiagnostics
import DaeXML
import TestSupport
import Testing

@Suite struct PositionTests {
    /// The place of a byte, counted from the beginning of the document without any reader.
    private func place(of byte: Int, in document: [UInt8]) -> XMLPosition {
        var position = XMLPosition()
        for value in document[..<byte] {
            if value == 0x0A {
                position.line += 1
                position.column = 1
            } else if value & 0xC0 != 0x80 {
                position.column += 1
            }
        }
        position.byte = Int64(byte)
        return position
    }

    @Test(arguments: [1, 5, 1 << 20])
    func everyEventStandsWhereItsBytesAre(size: Int) {
        for document in Samples.documents {
            let bytes = Array(document.utf8)
            let recorder = Recorder()
            let outcome = Reading.outcome(
                bytes, cuts: Array(stride(from: size, to: bytes.count, by: size)), recorder: recorder)
            var wrong = 0
            for event in outcome.events {
                let (position, first): (XMLPosition, [UInt8]) =
                    switch event {
                    case .start(_, number: _, namespace: _, attributes: _, let position): (position, Array("<".utf8))
                    case .end(let position): (position, Array("<".utf8))
                    case .text(let text, let position): (position, Array(text.utf8.prefix(1)))
                    }
                wrong += isRight(position, first, in: bytes) ? 0 : 1
            }
            // Work is squared in the document: the long ones are looked at in part.
            for piece in recorder.pieces.prefix(400) {
                wrong += isRight(piece.position, Array(piece.bytes.prefix(1)), in: bytes) ? 0 : 1
            }
            #expect(
                wrong == 0, "\(recorder.pieces.prefix(9)) \(document.prefix(60).debugDescription) in chunks of \(size)")
        }
    }

    private func isRight(_ position: XMLPosition, _ first: [UInt8], in document: [UInt8]) -> Bool {
        guard position.byte >= 0, position.byte < document.count else { return false }
        let byte = Int(position.byte)
        let value = document[byte]
        // A line's end may be written as two bytes, and any character as a reference.
        let fits = first == [value] || value == 0x0D && first == [0x0A] || value == UInt8(ascii: "&")
        return fits && (byte > 4000 || position == place(of: byte, in: document))
    }

    @Test func startTextAndEndOfOneLineHaveTheirColumns() {
        let outcome = Reading.outcome("<a><b>xy</b><c/></a>")
        #expect(
            outcome.events == [
                .start("a", number: 0, namespace: nil, attributes: [], XMLPosition(line: 1, column: 1, byte: 0)),
                .start("b", number: 1, namespace: nil, attributes: [], XMLPosition(line: 1, column: 4, byte: 3)),
                .text("xy", XMLPosition(line: 1, column: 7, byte: 6)),
                .end(XMLPosition(line: 1, column: 9, byte: 8)),
                .start("c", number: 2, namespace: nil, attributes: [], XMLPosition(line: 1, column: 13, byte: 12)),
                .end(XMLPosition(line: 1, column: 13, byte: 12)),
                .end(XMLPosition(line: 1, column: 17, byte: 16)),
            ])
    }

    @Test func linesEndedByCarriageReturnAndNewlineCountOnce() {
        let outcome = Reading.outcome("<a>\r\n\t<b>1\r\n2</b>\r\n</a>")
        #expect(outcome.events.contains(.end(XMLPosition(line: 3, column: 2, byte: 13))))
        #expect(outcome.texts == ["\n\t", "1\n2", "\n"])
    }

    @Test func columnsCountCharactersAndBytesCountBytes() {
        let outcome = Reading.outcome("<a>é漢𝄞<b/></a>")
        #expect(outcome.events.contains(.end(XMLPosition(line: 1, column: 7, byte: 12))))
    }

    /// Each text is found again behind whatever stands before it, though libxml2 tells of it late or not at all.
    @Test(arguments: [
        "<!-- c -->", "<![CDATA[]]>", "<?p i?>", "<c/>", "<c></c>", "&amp;", "&#65;", "<![CDATA[x]]>", "<!--\n-->", "é",
        "<![CDATA[]]><!----><?p?><![CDATA[]]>", "<![CDATA[\r\n]]>", "\r\n", "<c id='>'/>",
        "<![CDATA[<!--]]><!-- <![CDATA[ -->",
    ])
    func textBehindOtherMarkupStandsWhereItIs(between: String) {
        for (before, behind) in [("", ""), ("x", ""), ("", "\n"), ("x\n", "<?q?>")] {
            let head = "<a>" + before + between + behind
            let document = Array((head + "0.5<b/></a>").utf8)
            for size in [1, 4, 1000] {
                let recorder = Recorder()
                _ = Reading.outcome(
                    document, cuts: Array(stride(from: size, to: document.count, by: size)), recorder: recorder)
                let all = recorder.pieces.flatMap { piece in piece.bytes.indices.map { (piece, $0) } }
                let found = all.last { piece, index in piece.bytes[index] == UInt8(ascii: "0") }
                let expected = place(of: head.utf8.count, in: document)
                let position = found.map { piece, index in
                    piece.bytes[..<index].withUnsafeBytes { piece.position.advanced(over: $0) }
                }
                #expect(position == expected, "\(head.debugDescription) in chunks of \(size)")
            }
        }
    }

    @Test func aByteOrderMarkCountsAsBytesAndNotAsAColumn() {
        let outcome = Reading.outcome([0xEF, 0xBB, 0xBF] + Array("<a/>".utf8))
        #expect(outcome.events.last == .end(XMLPosition(line: 1, column: 1, byte: 3)))
    }

    @Test func aDoctypeThatIsCutOutDoesNotMoveWhatFollows() {
        let doctype = "<!DOCTYPE a [\n <!ELEMENT a ANY>\n]>"
        let outcome = Reading.outcome("\(doctype)<a>é1</a>")
        #expect(outcome.texts == ["é1"])
        let start = Int64(doctype.utf8.count)
        #expect(outcome.events.last == .end(XMLPosition(line: 3, column: 8, byte: start + 6)))
    }
}

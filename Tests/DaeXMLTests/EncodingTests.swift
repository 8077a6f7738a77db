import DaeDiagnostics
import DaeXML
import Testing

@Suite struct EncodingTests {
    private static let text = "é漢𝄞 ż"
    private static let body = "<a id='ü'>\(text)</a>"

    @Test(arguments: ["", "<?xml version='1.0' encoding='UTF-8'?>", "<?xml version='1.0' encoding='utf8'?>"])
    func utf8IsReadWithAndWithoutAMark(declaration: String) {
        for mark in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
            let outcome = Reading.outcome(mark + Array((declaration + Self.body).utf8))
            #expect(outcome.failure == nil)
            #expect(outcome.texts == [Self.text])
            #expect(outcome.encoding == "UTF-8")
            #expect(outcome.findings.isEmpty)
        }
    }

    @Test(arguments: ["", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='UTF-16'?>"])
    func utf16IsReadInBothOrdersWithAndWithoutAMark(declaration: String) {
        let document = declaration + Self.body
        let forms: [([UInt8], [UInt8], String)] = [
            ([0xFF, 0xFE], document.utf16LittleEndian, "UTF-16LE"),
            ([0xFE, 0xFF], document.utf16BigEndian, "UTF-16BE"),
            ([], document.utf16LittleEndian, "UTF-16LE"), ([], document.utf16BigEndian, "UTF-16BE"),
        ]
        for (mark, bytes, name) in forms {
            let outcome = Reading.outcome(mark + bytes)
            #expect(outcome.failure == nil)
            #expect(outcome.texts == [Self.text])
            #expect(outcome.encoding == name)
            #expect(outcome.findings.isEmpty)
        }
    }

    @Test func singleByteEncodingsAreReadAsDeclared() {
        for (name, text, bytes) in [
            ("ISO-8859-1", "é§", [0xE9, 0xA7]), ("iso-8859-1", "é", [0xE9]), ("windows-1252", "é€", [0xE9, 0x80]),
            ("ISO-8859-2", "ż", [0xBF]),
        ] as [(String, String, [UInt8])] {
            let document = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8) + bytes + Array("</a>".utf8)
            for size in [1, 1000] {
                let outcome = Reading.outcome(document, chunk: size)
                #expect(outcome.failure == nil)
                #expect(outcome.texts == [text])
                #expect(outcome.encoding == name.uppercased())
                #expect(outcome.findings.isEmpty)
            }
        }
    }

    @Test func theDeclarationMayBeWrittenWithAnyWhiteSpace() {
        for space in ["", " ", "\t", "\n", "\r\n", "  \r\n\t "] {
            let head =
                "<?xml\(space.isEmpty ? " " : space)version='1.0' encoding\(space)=\(space)\"ISO-8859-1\"\(space)?><a>"
            let outcome = Reading.outcome(Array(head.utf8) + [0xE9] + Array("</a>".utf8))
            #expect(outcome.texts == ["é"], "\(space.debugDescription)")
            #expect(outcome.encoding == "ISO-8859-1")
        }
    }

    @Test func asciiIsReadAndWhatIsNoneIsTold() {
        let plain = Reading.outcome("<?xml version='1.0' encoding='US-ASCII'?><a>x</a>")
        #expect(plain.failure == nil)
        #expect(plain.findings.isEmpty)
        let odd = Reading.outcome(
            Array("<?xml version='1.0' encoding='US-ASCII'?><a>".utf8) + [0xE9] + Array("</a>".utf8))
        #expect(odd.texts == ["é"])
        #expect(odd.codes == [.xmlEncodingMismatch])
    }

    @Test func aDeclarationThatTheBytesBelieIsToldAndPassedOver() {
        let wide = Reading.outcome("<?xml version='1.0' encoding='UTF-16'?><a>é</a>")
        #expect(wide.failure == nil)
        #expect(wide.texts == ["é"])
        #expect(wide.codes == [.xmlEncodingMismatch])
        let marked = Reading.outcome(
            [0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".utf8))
        #expect(marked.texts == ["é"])
        #expect(marked.codes == [.xmlEncodingMismatch])
        let narrow = Reading.outcome([0xFF, 0xFE] + "<?xml version='1.0' encoding='UTF-8'?><a>é</a>".utf16LittleEndian)
        #expect(narrow.failure == nil)
        #expect(narrow.texts == ["é"])
    }

    /// All are converters that the C library has or would look for: the file does not get to choose among them.
    @Test(arguments: [
        "UTF-7", "utf-7", "EBCDIC-US", "IBM037", "ISO-2022-JP", "ISO-8859-1//TRANSLIT", "latin1/", "UTF-8//IGNORE",
        "WCHAR_T", "INTERNAL", "UNICODE", "ISO-8859-17", "CP037", "",
    ])
    func anEncodingThatIsNotOnTheListIsAFailure(name: String) {
        let outcome = Reading.outcome("<?xml version='1.0' encoding='\(name)'?><a>+AOk-</a>")
        #expect(outcome.failure?.code == .xmlEncodingUnsupported)
        #expect(outcome.failure?.message.contains("expected UTF-8, UTF-16, UTF-32, ISO-8859") == true)
        #expect(outcome.encoding == nil)
        #expect(outcome.events.isEmpty)
    }

    @Test(
        arguments: [
            ("Shift_JIS", "漢", [0x8A, 0xBF]), ("EUC-JP", "漢", [0xB4, 0xC1]), ("EUC-KR", "한", [0xC7, 0xD1]),
            ("GBK", "汉", [0xBA, 0xBA]), ("gb2312", "汉", [0xBA, 0xBA]), ("GB18030", "汉", [0xBA, 0xBA]),
            ("Big5", "漢", [0xBA, 0x7E]), ("KOI8-R", "ж", [0xD6]), ("KOI8-U", "і", [0xA6]),
            ("macintosh", "é", [0x8E]), ("ISO-8859-16", "ș", [0xBA]), ("ISO8859-15", "€", [0xA4]),
            ("cp1251", "ж", [0xE6]), ("windows-1258", "₫", [0xFE]), ("windows-1250", "ż", [0xBF]),
        ] as [(String, String, [UInt8])])
    func theEncodingsOnTheListAreRead(name: String, text: String, bytes: [UInt8]) {
        let document = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8) + bytes + Array("</a>".utf8)
        let outcome = Reading.outcome(document)
        #expect(outcome.failure == nil)
        #expect(outcome.texts == [text])
        #expect(outcome.findings.isEmpty)
    }

    @Test func anUnknownEncodingIsAFailure() {
        let outcome = Reading.outcome("<?xml version='1.0' encoding='KLINGON-7'?><a/>")
        #expect(outcome.failure?.code == .xmlEncodingUnsupported)
        #expect(outcome.failure?.message.contains("KLINGON-7") == true)
        #expect(outcome.events.isEmpty)
    }

    /// Broken in each way of the Unicode Standard's table 3-7: each byte is read as Latin-1, and the rest goes on.
    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80], [0xC3], [0xE2, 0x82],
            [0xF0, 0x9F, 0x92],
            [0xFF, 0xFE], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func bytesThatAreNoUTF8AreReadAsLatin1AndToldWithTheirLine(bytes: [UInt8]) {
        let head = Array("<a>\n é".utf8)
        let document = head + bytes + Array("x<b/></a>".utf8)
        let expected = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        for size in [1, 2, 3, 1000] {
            let outcome = Reading.outcome(document, chunk: size)
            #expect(outcome.failure == nil || expected.unicodeScalars.contains { $0.value < 0xA0 && $0.value != 0x85 })
            #expect(outcome.texts.first == "\n é\(expected)x")
            #expect(Set(outcome.codes) == [.xmlEncodingMismatch])
            #expect(outcome.findings.count == bytes.count)
            #expect(outcome.findings.first?.place.line == 2)
            #expect(outcome.findings.first?.place.column == 3)
        }
    }

    @Test func aCharacterThatTheEndCutsIsToldToo() {
        let outcome = Reading.outcome(Array("<a/><!-- ".utf8) + [0xE2, 0x82])
        #expect(outcome.failure?.code == .xmlNotWellFormed)
        #expect(outcome.codes == [.xmlEncodingMismatch, .xmlEncodingMismatch])
    }

    @Test func halfSurrogatesAndOddLengthsAreReplacedAndTold() {
        let half = [0xFF, 0xFE] + "<a>".utf16LittleEndian + [0x00, 0xD8] + "x</a>".utf16LittleEndian
        for size in [1, 3, 1000] {
            let outcome = Reading.outcome(half, chunk: size)
            #expect(outcome.codes.contains(.xmlEncodingMismatch))
            #expect(outcome.failure == nil || outcome.failure?.code == .xmlNotWellFormed)
        }
        let odd = Reading.outcome([0xFF, 0xFE] + "<a/>".utf16LittleEndian + [0x20])
        #expect(odd.codes == [.xmlEncodingMismatch])
    }

    /// libxml2 guesses encodings too; it must never see other bytes than the budgets were counted on.
    @Test func aMarkOfUTF8BeforeWideBytesHidesNothing() {
        let bomb = "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"
        for wide in [bomb.utf16LittleEndian, bomb.utf16BigEndian] {
            for mark in [[0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0xFF, 0xFE]]
                as [[UInt8]]
            {
                let outcome = Reading.outcome(mark + wide)
                #expect(outcome.events.isEmpty)
                #expect(outcome.failure != nil)
            }
        }
    }
}

import ColladaParser
import Diagnostics
import Testing

/// Lists whose whole text is in one piece are read another way than those that are cut.
@Suite struct WholeListTests {
    private static let count = "<library_animations><animation><source id='s'><float_array id='a' count='3'>"

    /// - Returns: Codes of what is told until the document ends or fails, for pieces of any size.
    private func told(_ text: String) -> [[FindingCode]] {
        [1, 2, 7, 40, 1 << 16].map { size in
            let parser = ColladaParser()
            Array(text.utf8).withUnsafeBytes { bytes in
                do {
                    for start in stride(from: 0, to: bytes.count, by: size) {
                        try parser.read(UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + size)]))
                    }
                    _ = try parser.finish()
                } catch {}
            }
            return parser.log.findings.map(\.code)
        }
    }

    @Test func aCountIsComparedAtTheEndTag() {
        let body = Self.count + "1 2"
        let sound = told(Document(body: body + "</float_array></source></animation></library_animations>").text)
        #expect(sound[0].contains(.arrayCountMismatch))
        #expect(Set(sound).count == 1)
        // Malformed where that would be told.
        let broken = told(Document(body: body + "</flat_array>").text)
        #expect(!broken[0].contains(.arrayCountMismatch))
        #expect(Set(broken).count == 1)
        let odd = told(Document(body: Self.count.replacing("'3'", with: "'x'") + "1 2</flat_array>").text)
        #expect(Set(odd).count == 1)
    }

    @Test(arguments: [1020, 1023, 1024, 1025, 1026, 1100, 3000])
    func textOfAnyLengthIsReadToItsEnd(_ length: Int) {
        // The end tag is right behind the last digit.
        let numbers = String(repeating: "12 ", count: length / 3) + String(repeating: "7", count: length % 3 + 1)
        let count = numbers.split(separator: " ").count
        let text = Document(
            body:
                "<library_animations><animation><source id='s'><float_array id='a' count='\(count)'>\(numbers)</float_array></source></animation></library_animations>"
        ).text
        let whole = Outcome(text)
        #expect(!whole.codes.contains(.arrayCountMismatch))
        #expect(Outcome(Array(text.utf8), chunk: 100).findings == whole.findings)
    }
}

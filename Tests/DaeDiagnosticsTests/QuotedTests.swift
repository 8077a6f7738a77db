import Testing

@testable import DaeDiagnostics

@Suite struct QuotedTests {
    /// As the library quotes it, whichever way it went.
    @Test(arguments: [
        "", "a", "#material", "a b~!", "it's", "say \"so\"", "back\\slash", "tab\t", "line\nline", "\0", "\u{7F}",
        "naïve", "日本",
        "e\u{301}", "\r\n", String(repeating: "x", count: 40), String(repeating: "x", count: 41),
        String(repeating: "é", count: 41),
    ])
    func textIsQuotedAsTheLibraryDoes(_ text: String) {
        #expect(text.quoted(40) == text.prefix(40).debugDescription)
        #expect(text.dropFirst().quoted(40) == text.dropFirst().prefix(40).debugDescription)
        #expect(text.quoted() == text.debugDescription)
    }

    @Test func eachByteIsQuotedAsTheLibraryDoes() {
        for byte in UInt8.min..<0x80 {
            let text = "<" + String(UnicodeScalar(byte)) + ">"
            #expect(text.quoted() == text.debugDescription)
        }
    }
}

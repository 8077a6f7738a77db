import Testing

@testable import DaeDownload

@Suite struct PageSnifferTests {
    @Test(arguments: [
        "<!DOCTYPE html>", "<!doctype HTML PUBLIC \"x\">", "<html lang=en>", " \r\n\t<HTML>", "\u{feff}<html>",
        "<head>", "<body>", "<title>Log in", "<meta charset=x>", "<script>", "<!-- a -- b --> <!----><html>",
        "<?xml version=\"1.0\"?>\n<!-- x -->\n<!DOCTYPE html>",
    ])
    func aPageIsRecognisedHoweverItIsSplit(text: String) {
        #expect(verdicts(Array(text.utf8)) == [.page])
    }

    @Test(arguments: [
        "PK\u{3}\u{4}", "<?xml version=\"1.0\"?><COLLADA>", "<COLLADA>", "<!DOCTYPE COLLADA>", "<kml>", "html",
        "<!-- <html> --><COLLADA>", "<?html <html> ?><COLLADA>", "\u{feff}x", "< html>",
    ])
    func aModelIsNoPage(text: String) {
        #expect(verdicts(Array(text.utf8)) == [.other])
    }

    @Test(arguments: ["", "   ", "<", "<!doc", "<!", "<!-- ", "<?xml", "<ht", "\u{feff}"])
    func aBeginningThatFitsBothIsLeftOpen(text: String) {
        #expect(verdicts(Array(text.utf8)) == [nil])
    }

    @Test func aStartWithoutEndIsGivenUpAfterAKibibyte() {
        #expect(verdicts(Array(("<!--" + String(repeating: "x", count: 1019)).utf8)) == [nil])
        #expect(verdicts(Array(("<!--" + String(repeating: "x", count: 1020)).utf8)) == [.other])
    }

    /// The verdicts at several chunk sizes, each once.
    private func verdicts(_ bytes: [UInt8]) -> Set<PageSniffer.Verdict?> {
        Set(
            [1, 3, 7, 4096].map { size in
                var sniffer = PageSniffer()
                for start in stride(from: 0, to: bytes.count, by: size) {
                    Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { sniffer.look(at: $0) }
                }
                return sniffer.verdict
            })
    }
}

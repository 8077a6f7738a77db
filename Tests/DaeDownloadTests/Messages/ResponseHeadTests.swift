import Testing

@testable import DaeDownload

@Suite struct ResponseHeadTests {
    @Test func aHeadIsReadALineAtATime() {
        let head = read([
            "HTTP/1.1 200 All Right\r\n", "Content-Type:  model/vnd.collada+xml \r\n", "CONTENT-LENGTH: 17\r\n",
            "no field\r\n", "content-disposition: attachment\r\n", "\r\n",
        ])
        #expect(head.status == 200)
        #expect(head.phrase == "All Right")
        #expect(head.contentType == "model/vnd.collada+xml")
        #expect(head.bodyLength == 17)
        #expect(head.contentDisposition == Array("attachment".utf8))
        #expect(head.kind == .file)
    }

    @Test func aNewStatusLineForgetsTheHeadBefore() {
        let head = read([
            "HTTP/1.1 302 Found\r\n", "Location: /x\r\n", "Content-Length: 3\r\n", "\r\n", "HTTP/2 200 \r\n", "\r\n",
        ])
        #expect(head.kind == .file)
        #expect(head.contentLength == nil)
        #expect(head.location == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 100 Continue", ResponseHead.Kind.interim), ("HTTP/1.1 200 OK", .file), ("HTTP/2 203", .file),
        ("HTTP/1.1 204 No Content", .refusal), ("HTTP/1.1 304 Not Modified", .notModified),
        ("HTTP/1.1 301 Moved", .redirect(to: Array("/x".utf8))), ("HTTP/1.1 999", .refusal), ("HTTP/1.1", .refusal),
        ("HTTP/1.1 99999999999999999999", .refusal), ("HTTP/1.1 -1", .refusal),
    ])
    func theStatusDecidesWhatTheAnswerIs(line: String, kind: ResponseHead.Kind) {
        #expect(read([line + "\r\n", "Location: /x\r\n"]).kind == kind)
    }

    @Test(arguments: [
        ("0", 0), ("12", 12), ("", nil), ("-1", nil), ("+1", nil), ("1 2", nil), ("0x10", nil),
        ("9223372036854775808", Int64.max),
    ])
    func aLengthIsDigitsAlone(text: String, length: Int64?) {
        #expect(read(["HTTP/1.1 200 OK\r\n", "Content-Length: \(text)\r\n"]).contentLength == length)
    }

    @Test func aChunkedBodyHasNoLength() {
        #expect(
            read(["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"]).bodyLength == nil)
    }

    @Test func anyBytesAreRead() {
        var head = ResponseHead()
        var ends = 0
        for seed in 0..<2000 {
            let noise = sampleBytes(seed % 60, seed: UInt64(seed))
            let starts = ["", "HTTP/", "HTTP/1.1 ", "Content-Length: ", "Location:", "Content-Type: "]
            if head.read(Array(starts[seed % starts.count].utf8) + noise) { ends += 1 }
            _ = head.kind
            _ = SuggestedName.make(disposition: noise, path: HeaderText.decode(noise))
        }
        // Only the empty line ends a head.
        #expect(ends == (0..<2000).filter { $0 % 60 == 0 && $0 % 6 == 0 }.count)
    }

    private func read(_ lines: [String]) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { _ = head.read(Array(line.utf8)) }
        return head
    }
}

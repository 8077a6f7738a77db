import DaeCore
import Testing

@testable import DaeDownload

@Suite struct HeaderFieldTests {
    @Test(arguments: [
        ("bytes 0-99/200", ContentRange.part(first: 0, last: 99, total: 200)),
        ("Bytes  5-5/6", .part(first: 5, last: 5, total: 6)), ("bytes 7-9/*", .part(first: 7, last: 9, total: nil)),
        ("bytes */200", .unsatisfied(total: 200)), ("bytes */*", nil), ("bytes 9-7/20", nil), ("bytes 0-20/20", nil),
        ("lines 0-1/2", nil), ("bytes", nil), ("bytes 0-1", nil), ("bytes 0-1/2/3", nil), ("bytes -1-1/2", nil),
        ("bytes 0-9223372036854775807/*", nil), ("bytes 0-1/99999999999999999999", nil), ("", nil), ("bytes 1/2", nil),
    ])
    func aContentRangeIsReadWholeOrNotAtAll(field: String, range: ContentRange?) {
        #expect(ContentRange(Array(field.utf8)) == range)
    }

    @Test(arguments: [
        (["max-age=60"], Int64(60), false, false), (["public, MAX-AGE = 60"], 60, false, false),
        (["max-age=\"60\""], 60, false, false), (["max-age=60", "max-age=5"], 5, false, false),
        (["max-age=-1"], 0, false, false), (["max-age=soon"], 0, false, false), (["no-cache"], nil, true, false),
        (["no-cache=\"a, no-store\""], nil, true, false), (["no-store, max-age=1"], 1, false, true),
        (["x=\"max-age=3\""], nil, false, false), ([""], nil, false, false), ([",,="], nil, false, false),
    ])
    func directivesCountInAnySpelling(fields: [String], maxAge: Int64?, asks: Bool, isBarred: Bool) {
        var control = CacheControl()
        for field in fields { control.read(field) }
        #expect(control.maxAge == maxAge)
        #expect(control.mustAskAgain == asks)
        #expect(control.mustNotBeStored == isBarred)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", Int64(784_111_777)), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("", nil), ("0", nil), ("12", nil), ("never", nil),
        (String(repeating: "1:", count: 5000), nil),
    ])
    func datesOfAllThreeFormsAreRead(text: String, seconds: Int64?) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    private static let lifetimes: [(fields: [String], limit: Int64?)] = [
        (["Cache-Control: max-age=100"], 1100), (["Cache-Control: max-age=100", "Age: 40"], 1060),
        (["Cache-Control: max-age=100", "Age: 100"], nil), (["Cache-Control: max-age=0"], nil),
        (["Cache-Control: max-age=100, no-cache"], nil), (["Cache-Control: max-age=100, no-store"], nil),
        (["Cache-Control: max-age=100", "Vary: *"], nil),
        (["Expires: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:07 GMT"], 1030),
        (["Expires: 0"], nil), (["Expires: Thu, 01 Jan 1970 00:20:00 GMT"], 1200),
        (["Expires: Sun, 06 Nov 1994 08:49:37 GMT", "Cache-Control: max-age=5"], 1005),
        (["Cache-Control: max-age=4611686018427387903"], 31_623_400), ([], nil),
        (["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], nil),
    ]

    @Test(arguments: lifetimes)
    func anAnswerIsFreshAsLongAsTheServerSays(fields: [String], limit: Int64?) {
        #expect(Freshness.limit(of: ResponseHead.of("HTTP/1.1 200 OK", fields), at: 1000) == limit)
    }

    @Test(arguments: [
        ("5", Int64(5)), ("0", 0), ("Thu, 01 Jan 1970 00:20:00 GMT", 200), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("-5", nil), ("soon", nil), ("5.5", nil),
    ])
    func aServerMayAskToBeLeftAlone(field: String, seconds: Int64?) {
        #expect(RetryAfter.seconds(field, at: 1000) == seconds)
    }

    @Test func tagsAreTakenAsTheyAreWrittenOrNotAtAll() {
        let tags = [
            "\"a\"", "W/\"a\"", "\"\"", "a", "\"a", "\"a\"b\"", "\"" + String(repeating: "x", count: 2000) + "\"",
        ]
        let read = tags.map { ResponseHead.of("HTTP/1.1 200 OK", ["ETag: " + $0]).validators.etag }
        #expect(read == ["\"a\"", "W/\"a\"", "\"\"", nil, nil, nil, nil])
    }

    @Test func onlyAStrongTagOrADateWithoutATagVouchesForEqualBytes() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(Validators(etag: "\"a\"", lastModified: date).strong == "\"a\"")
        #expect(Validators(etag: "W/\"a\"", lastModified: date).strong == nil)
        #expect(Validators(etag: nil, lastModified: date).strong == date)
        #expect(Validators().strong == nil)
    }

    @Test func versionsContradictWhereBothSaySomething() {
        let a = Validators(etag: "\"a\"", lastModified: "x")
        #expect(a.contradict(Validators(etag: "\"b\"", lastModified: "x")))
        #expect(!a.contradict(Validators(etag: "W/\"a\"", lastModified: "y")))
        #expect(a.contradict(Validators(etag: nil, lastModified: "y")))
        #expect(!a.contradict(Validators()))
    }

    @Test func digestsOfTheWholeAreReadFromAllThreeFields() throws {
        let empty = SHA256Digest(hashing: [])
        let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let fields = [
            "Repr-Digest: sha-512=:AAAA:, sha-256=:\(base64):", "Digest: md5=x,SHA-256=\(base64)",
            "Content-Digest: sha-256=:\(base64):",
        ]
        #expect(ResponseHead.of("HTTP/1.1 200 OK", fields).wholeDigests == [empty, empty, empty])
        // A part's own digest says nothing of the whole, and packed bytes have another.
        #expect(ResponseHead.of("HTTP/1.1 206 Partial Content", fields).wholeDigests == [empty, empty])
        #expect(ResponseHead.of("HTTP/1.1 200 OK", fields + ["Content-Encoding: gzip"]).wholeDigests == [])
        let bad = [
            "Digest: SHA-256=", "Repr-Digest: sha-256=\(base64)", "Content-Digest: sha-256=:!!!!:", "Digest: ,=,",
        ]
        #expect(ResponseHead.of("HTTP/1.1 200 OK", bad).wholeDigests == [])
    }

    @Test func packedBytesHaveNoLengthThatIsKnown() {
        let head = ResponseHead.of("HTTP/1.1 200 OK", ["Content-Length: 5", "Content-Encoding: gzip"])
        #expect(head.bodyLength == nil)
        #expect(
            ResponseHead.of("HTTP/1.1 200 OK", ["Content-Length: 5", "Content-Encoding: identity"]).bodyLength == 5)
    }
}

extension ResponseHead {
    /// As a server would write it.
    static func of(_ status: String, _ fields: [String] = []) -> ResponseHead {
        var head = ResponseHead()
        for line in [status] + fields + [""] { _ = head.read(Array((line + "\r\n").utf8)) }
        return head
    }
}

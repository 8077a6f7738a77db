// The server's bad half: each fault does what its name says, seen by bare sockets.

import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FaultTests {
    static let bytes = FaultResource.noise(100_000)

    private func server(_ faults: Fault...) throws -> FaultServer {
        let server = try FaultServer(["/file": FaultResource(Self.bytes)])
        server.play(faults, at: "/file")
        return server
    }

    // MARK: - The connection

    @Test(arguments: [(0, FaultEnd.close), (70_000, .close), (0, .reset), (70_000, .reset)])
    func aCutComesAfterExactlySoManyBytes(_ count: Int, _ end: FaultEnd) throws {
        let server = try server(.cut(after: count, by: end))
        let answer = try ask(server, "/file")
        #expect(answer.field("Content-Length") == "100000")
        expectSame(answer.body, Array(Self.bytes[..<count]))
        #expect(answer.end == (isReset(end) ? .reset : .closed))
        #expect(server.requests.map(\.bodyBytesSent) == [count])
        expectSame(try ask(server, "/file").body, Self.bytes)
    }

    @Test func aHeadIsCutAndAConnectionDroppedWithoutAnswer() throws {
        let server = try server(.cutHead(after: 20), .cutHead(after: 5, by: .reset), .drop(), .drop(by: .reset))
        #expect(try ask(server, "/file").text == "HTTP/1.1 200 OK\r\nCon")
        let reset = try ask(server, "/file")
        #expect((reset.text, reset.end) == ("HTTP/", .reset))
        let closed = try ask(server, "/file")
        #expect((closed.text, closed.end) == ("", .closed))
        let dropped = try ask(server, "/file")
        #expect((dropped.text, dropped.end) == ("", .reset))
        #expect(server.bytesOnTheWire == 25)
    }

    @Test func aStallLastsUntilItsGateOpens() throws {
        let (body, head) = (FaultGate(), FaultGate())
        let server = try server(.stall(after: 1000, until: body), .silence(until: head))
        let client = try LoopbackClient(port: server.port)
        client.send("GET /file HTTP/1.1\r\n\r\n")
        body.waitForArrival()
        #expect(server.requests.map(\.bodyBytesSent) == [1000])
        body.open()
        expectSame(client.readAnswer().body, Self.bytes)
        client.send("GET /file HTTP/1.1\r\n\r\n")
        head.waitForArrival()
        #expect(server.requests.map(\.bytesSent).last == 0)
        head.letPass()
        expectSame(client.readAnswer().body, Self.bytes)
    }

    @Test func aSlowAnswerGivesAPieceForEachPermit() throws {
        let gate = FaultGate()
        let server = try server(.slow(by: 40_000, gate))
        let client = try LoopbackClient(port: server.port)
        client.send("GET /file HTTP/1.1\r\nConnection: close\r\n\r\n")
        for sent in [0, 40_000, 80_000] {
            gate.waitForArrival()
            #expect(server.requests.map(\.bodyBytesSent) == [sent])
            gate.letPass()
        }
        expectSame(client.rest().body, Self.bytes)
    }

    @Test func aClientThatLeavesFreesAnAnswerAtItsGate() throws {
        let gate = FaultGate()
        let server = try server(.stall(after: 10, until: gate), .slow(by: 10, gate))
        for _ in 0..<2 {
            let client = try LoopbackClient(port: server.port)
            client.send("GET /file HTTP/1.1\r\n\r\n")
            gate.waitForArrival()
        }
        // Both have left; the gate, opened now, lets nobody send more.
        gate.open()
        expectSame(try ask(server, "/file").body, Self.bytes)
        #expect(server.requests.map(\.bodyBytesSent) == [10, 0, 100_000])
    }

    // MARK: - Lengths and ranges

    @Test(
        arguments: [
            (FaultLength.plus(7), ["100007"]), (.minus(7), ["99993"]), (.text("12abc"), ["12abc"]),
            (.repeated, ["100000", "100000"]), (.contradictory(by: 5), ["100000", "100005"]), (.missing, []),
        ])
    func aLengthLiesAndAllBytesCome(_ length: FaultLength, _ fields: [String]) throws {
        let answer = try ask(try server(.length(length)), "/file")
        #expect(answer.fields("Content-Length") == fields)
        expectSame(answer.body, Self.bytes)
        #expect(answer.field("Connection") == "close")
    }

    @Test(
        arguments: [
            (FaultContentRange.start(3), "bytes 99993-100002/100000"), (.total(5), "bytes 99990-99999/100005"),
            (.unknownTotal, "bytes 99990-99999/*"), (.unit("items"), "items 99990-99999/100000"),
            (.text("bytes nonsense"), "bytes nonsense"), (.missing, nil),
        ] as [(FaultContentRange, String?)])
    func aContentRangeLies(_ range: FaultContentRange, _ field: String?) throws {
        let answer = try ask(try server(.contentRange(range)), "/file", ["Range: bytes=99990-"])
        #expect(answer.head.hasPrefix("HTTP/1.1 206 "))
        #expect(answer.field("Content-Range") == field)
        expectSame(answer.body, Array(Self.bytes[99_990...]))
    }

    @Test func rangesAreIgnoredForcedRefusedAndSplit() throws {
        let server = try server(
            .ignoredRange, .unaskedPart(5..<9), .unsatisfied(total: 7), .unsatisfied(total: nil), .multipart)
        let whole = try ask(server, "/file", ["Range: bytes=5-"])
        #expect(whole.head.hasPrefix("HTTP/1.1 200 "))
        expectSame(whole.body, Self.bytes)
        let part = try ask(server, "/file")
        #expect(part.field("Content-Range") == "bytes 5-8/100000")
        expectSame(part.body, Array(Self.bytes[5..<9]))
        #expect(try ask(server, "/file", ["Range: bytes=0-"]).field("Content-Range") == "bytes */7")
        let refusal = try ask(server, "/file", ["Range: bytes=0-"])
        #expect(refusal.head.hasPrefix("HTTP/1.1 416 ") && refusal.field("Content-Range") == nil)
        let multipart = try ask(server, "/file", ["Range: bytes=5-8"])
        #expect(multipart.field("Content-Type")?.hasPrefix("multipart/byteranges; boundary=") == true)
        #expect(multipart.field("Content-Range") == nil)
        #expect(multipart.text.contains("Content-Range: bytes 5-8/100000\r\n\r\n"))
    }

    // MARK: - Chunks and codings

    @Test func chunksAreWholeCutOrMisnumbered() throws {
        let server = try server(
            .chunked(60_000), .chunkedCut(after: 1000), .chunkedCut(after: 1000, by: .reset),
            .chunkedSize("zz", after: 16), .chunkedSize("FFFFFFFFFFFFFFFFF", after: 0))
        let whole = try ask(server, "/file").body
        let (first, second) = (Array("ea60\r\n".utf8), Array("\r\n9c40\r\n".utf8))
        expectSame(
            whole, first + Self.bytes[..<60_000] + second + Self.bytes[60_000...] + Array("\r\n0\r\n\r\n".utf8))
        for end in [LoopbackClient.End.closed, .reset] {
            let cut = try ask(server, "/file")
            #expect(cut.field("Transfer-Encoding") == "chunked" && cut.field("Content-Length") == nil)
            expectSame(cut.body, Array("3e8\r\n".utf8) + Self.bytes[..<1000] + Array("\r\n".utf8))
            #expect(cut.end == end)
        }
        #expect(
            try ask(server, "/file").body.starts(
                with: Array("10\r\n".utf8) + Self.bytes[..<16] + Array("\r\nzz\r\n".utf8)))
        #expect(try ask(server, "/file").body.starts(with: Array("FFFFFFFFFFFFFFFFF\r\n".utf8)))
        #expect(server.requests.map(\.bodyBytesSent) == [100_000, 1000, 1000, 100_000, 100_000])
    }

    @Test func gzipIsRealAndAnyOtherCodingALie() throws {
        let server = try server(.encoded(["gzip"]), .encoded(["gzip", "gzip"]), .encoded(["br"]))
        let once = try ask(server, "/file")
        #expect(once.field("Content-Encoding") == "gzip")
        #expect(once.body.starts(with: [0x1f, 0x8b, 8]) && once.body.count > 100_000)
        let twice = try ask(server, "/file")
        #expect(twice.field("Content-Encoding") == "gzip, gzip")
        #expect(twice.body.count > once.body.count)
        expectSame(try ask(server, "/file").body, Self.bytes)
    }

    @Test(.enabled(if: ChildProcess.find("curl") != nil, "curl's command line is not installed"))
    func curlUnderstandsWhatIsCodedAndChunked() throws {
        let server = try server(.encoded(["gzip"]), .encoded(["gzip", "gzip"]), .chunked(777), .interim(20))
        let folder = try TemporaryFolder()
        for _ in 0..<4 {
            let file = folder.path + "/out"
            let run = try ChildProcess.run("curl", ["-sS", "--compressed", "-o", file, server.url("/file")])
            #expect(run.status == 0, "\(run.output)")
            expectSame(try Repository.bytes(at: file), Self.bytes)
        }
    }

    // MARK: - What is said at all

    @Test func aResourceIsReplacedFromThenOn() throws {
        let other = FaultResource([1, 2, 3], tag: .weak("two"))
        let server = try server(.none, .replaced(by: other))
        #expect(try ask(server, "/file").field("ETag") == "\"one\"")
        for _ in 0..<2 {
            let answer = try ask(server, "/file", ["Range: bytes=1-", "If-Range: \"one\""])
            #expect(answer.field("ETag") == "W/\"two\"" && answer.body == [1, 2, 3])
        }
    }

    @Test func aPartOfAReplacedResourceMayComeUnnoticed() throws {
        let server = try server(.replacedUnnoticed(by: FaultResource([1, 2, 3], tag: .strong("two"))))
        let headers = ["Range: bytes=1-", "If-Range: \"one\""]
        let part = try ask(server, "/file", headers)
        #expect(part.field("ETag") == "\"two\"" && part.body == [2, 3])
        #expect(try ask(server, "/file", headers).body == [1, 2, 3])
    }

    @Test func redirectsGoWhereTheyAreTold() throws {
        let server = try server(
            .redirect(to: .text("../b?c"), status: 307), .redirect(to: .absolute("/b", host: "localhost")),
            .redirect(to: .itself))
        #expect(try ask(server, "/file").field("Location") == "../b?c")
        #expect(try ask(server, "/file").field("Location") == "http://localhost:\(server.port)/b")
        let circle = try ask(server, "/file")
        #expect(circle.field("Location") == "/file" && circle.head.hasPrefix("HTTP/1.1 302 Found"))
    }

    @Test func aStatusComesWithItsLinesAndTheNextAnswerIsGood() throws {
        let server = try server(.status(429, ["Retry-After: 120"]), .page, .bodyAfter(status: 304))
        let busy = try ask(server, "/file")
        #expect(busy.head.hasPrefix("HTTP/1.1 429 Too Many Requests") && busy.field("Retry-After") == "120")
        #expect(try ask(server, "/file").text.contains("<!DOCTYPE html>"))
        let odd = try ask(server, "/file")
        #expect(odd.head.hasPrefix("HTTP/1.1 304 "))
        expectSame(odd.body, Self.bytes)
        expectSame(try ask(server, "/file").body, Self.bytes)
    }

    @Test func headsAreFloodedInjectedOrNone() throws {
        let server = try server(.interim(3), .fields(["X: a\rSet-Cookie: b", " folded"]), .garbage("hello\n"))
        let flooded = try ask(server, "/file").text
        #expect(flooded.components(before: "HTTP/1.1 200 OK").split(separator: "HTTP/1.1 103").count == 3)
        #expect(try ask(server, "/file").text.contains("\r\nX: a\rSet-Cookie: b\r\n folded\r\n"))
        #expect(try ask(server, "/file").text == "hello\n")
    }

    @Test(arguments: [Fault.interim(nil), .endlessFields]) func whatHasNoEndGoesOnUntilTheClientLeaves(_ fault: Fault)
        throws
    {
        let server = try server(fault)
        do {
            let client = try LoopbackClient(port: server.port)
            client.send("GET /file HTTP/1.1\r\n\r\n")
            #expect(client.rest(atMost: 3_000_000).bytes.count >= 3_000_000)
        }
        expectSame(try ask(server, "/file").body, Self.bytes)
    }

    private func isReset(_ end: FaultEnd) -> Bool {
        switch end {
        case .close: false
        case .reset: true
        }
    }
}

extension String {
    /// The text before the first place of another.
    fileprivate func components(before mark: String) -> Substring {
        firstRange(of: mark).map { self[..<$0.lowerBound] } ?? self[...]
    }
}

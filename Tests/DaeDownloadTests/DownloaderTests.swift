import DaeCore
import DaeDiagnostics
import DaeDownload
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloaderTests {
    @Test func aFileLandsWholeUnderItsDigest() async throws {
        let body = sampleBytes(3_000_000)
        let server = try LoopbackServer { _, connection in
            connection.respond("200 OK", ["Content-Type: application/zip"], body: body)
        }
        let fixture = try DownloadFixture()
        let file = try await fixture.download(server.url("/models/chair%20one.zip?v=2#part"))
        #expect(file.size == 3_000_000)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: file.path))) == body)
        #expect(file.sha256 == SHA256Digest(hashing: body))
        #expect(file.path == fixture.cache.path(of: file.sha256))
        #expect(fixture.files == ["blobs/sha256/\(file.sha256.hex.prefix(2))/\(file.sha256.hex)"])
        #expect(file.url == server.url("/models/chair%20one.zip?v=2"))
        #expect(file.contentType == "application/zip")
        #expect(file.suggestedName == "chair one.zip")
    }

    @Test func theDigestIsTheOneThatSha256sumPrints() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: sampleBytes(100_001, seed: 7)) }
        let fixture = try DownloadFixture()
        let file = try await fixture.download(server.url("/a.dae"))
        let sum = try ChildProcess.run("sha256sum", [file.path])
        #expect(sum.status == 0)
        #expect(sum.output.hasPrefix(file.sha256.hex + " "))
    }

    @Test func progressBeginsAtZeroNeverFallsAndEndsWithTheSize() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: sampleBytes(2_000_000)) }
        let log = ProgressLog()
        let fixture = try DownloadFixture()
        let file = try await fixture.download(server.url("/a")) { log.append($0) }
        let received = log.all.map(\.received)
        #expect(received.first == 0)
        #expect(received.last == file.size)
        #expect(received == received.sorted())
        #expect(log.all.allSatisfy { $0.expected == 2_000_000 })
    }

    @Test func anEmptyFileIsAFile() async throws {
        let server = try LoopbackServer { _, connection in connection.respond() }
        let file = try await DownloadFixture().download(server.url("/"))
        #expect(file.size == 0)
        #expect(file.sha256 == SHA256Digest(hashing: []))
        #expect(file.suggestedName == "download")
        #expect(file.contentType == nil)
    }

    @Test func aChunkedBodyWithTrailersIsReadToItsEnd() async throws {
        let body = sampleBytes(50_000)
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK", ["Transfer-Encoding: chunked", "Content-Length: 5", "Trailer: X-End"])
            for start in stride(from: 0, to: body.count, by: 777) {
                connection.sendChunk(Array(body[start..<min(start + 777, body.count)]))
            }
            connection.send("0\r\nX-End: yes\r\n\r\n")
        }
        let log = ProgressLog()
        let file = try await DownloadFixture().download(server.url("/a")) { log.append($0) }
        #expect(file.sha256 == SHA256Digest(hashing: body))
        #expect(log.all.allSatisfy { $0.expected == nil })
    }

    @Test func aBodyWithoutLengthEndsWithTheConnection() async throws {
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK")
            connection.send(sampleBytes(9000))
        }
        let file = try await DownloadFixture().download(server.url("/a"))
        #expect(file.sha256 == SHA256Digest(hashing: sampleBytes(9000)))
    }

    @Test func interimAnswersArePassedOver() async throws {
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nContent-Length: 999\r\n\r\n")
            connection.respond(body: Array("abc".utf8))
        }
        #expect(try await DownloadFixture().download(server.url("/a")).size == 3)
    }

    @Test func theRequestTellsOfItselfAndAsksForNoEncoding() async throws {
        let server = try LoopbackServer { _, connection in connection.respond() }
        _ = try await DownloadFixture().download(server.url("/a?b=c"))
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/a?b=c")
        #expect(request["user-agent"] == "daedalus-tests/1")
        #expect(request["host"] == "127.0.0.1:\(server.port)")
        #expect(request["accept-encoding"] == "identity")
        #expect(request["authorization"] == nil)
    }

    @Test func spacesInAnAddressAreEncoded() async throws {
        let server = try LoopbackServer { _, connection in connection.respond() }
        let file = try await DownloadFixture().download(server.url("/my model ü%20x.zip"))
        #expect(server.requests.first?.target == "/my%20model%20%c3%bc%20x.zip")
        #expect(file.suggestedName == "my model ü x.zip")
    }

    @Test func theServersNameForTheFileIsPreferred() async throws {
        let server = try LoopbackServer { _, connection in
            connection.respond("200 OK", ["Content-Disposition: attachment; filename=\"../../etc/robot.zae\""])
        }
        #expect(try await DownloadFixture().download(server.url("/get?id=7")).suggestedName == "robot.zae")
    }

    @Test func twoDownloadsOfTheSameContentAtOnceAreBothRight() async throws {
        let body = sampleBytes(1_000_000)
        // Neither body ends before both have begun.
        let gate = Gate(parties: 2)
        let server = try LoopbackServer { _, connection in
            connection.sendHead("200 OK", ["Content-Length: \(body.count)"])
            connection.send(Array(body[..<1000]))
            gate.pass()
            connection.send(Array(body[1000...]))
        }
        let fixture = try DownloadFixture()
        async let first = fixture.download(server.url("/one.zip"))
        async let second = fixture.download(server.url("/two.zip"))
        let files = try await [first, second]
        #expect(files[0].path == files[1].path)
        #expect(files.map(\.suggestedName) == ["one.zip", "two.zip"])
        #expect(try [UInt8](Data(contentsOf: URL(filePath: files[0].path))) == body)
        #expect(fixture.files.count == 1)
    }

    @Test func manyDownloadsAtOnceKeepTheirBytesApart() async throws {
        let server = try LoopbackServer { request, connection in
            connection.respond(body: sampleBytes(70_000, seed: UInt64(request.target.dropFirst()) ?? 0))
        }
        let fixture = try DownloadFixture()
        try await withThrowingTaskGroup(of: (UInt64, DownloadedFile).self) { group in
            for number in 1...UInt64(16) {
                group.addTask { (number, try await fixture.download(server.url("/\(number)"))) }
            }
            for try await (number, file) in group {
                #expect(file.sha256 == SHA256Digest(hashing: sampleBytes(70_000, seed: number)))
            }
        }
        #expect(fixture.files.count == 16)
    }
}

// The plain cases against a server that others wrote, told from its access log.

import DaeCore
import DaeDownload
import TestSupport
import Testing

@Suite(
    .enabled(if: NginxServer.isInstalled, "nginx is not installed (Debian: nginx-light)"), .timeLimit(.minutes(10)))
struct NginxPlainTests {
    private let body = FaultResource.noise(300_000)

    // MARK: - The access log

    @Test func theAccessLogTellsRangesConditionsAndBytes() throws {
        let server = try NginxServer(files: ["model.zip": body])
        let whole = try bare(server, "/model.zip", [])
        expectSame(whole.body, body)
        let tag = try #require(whole.field("ETag"))
        let part = try bare(server, "/model.zip", ["Range: bytes=299000-", "If-Range: \(tag)"])
        #expect(part.body == Array(body[299_000...]))
        #expect(try bare(server, "/model.zip", ["If-None-Match: \(tag)"]).body == [])
        #expect(try bare(server, "/none", []).head.hasPrefix("HTTP/1.1 404 "))
        let log = try server.accessLog()
        #expect(log.map(\.status) == [200, 206, 304, 404])
        #expect(log.map(\.bodyBytesSent).prefix(3) == [300_000, 1000, 0])
        #expect(log.first?.bytesSent == whole.bytes.count)
        #expect(log.map(\.range) == [nil, "bytes=299000-", nil, nil])
        #expect(log.map(\.ifRange) == [nil, tag, nil, nil])
        #expect(log.map(\.ifNoneMatch) == [nil, nil, tag, nil])
        #expect(log.allSatisfy { $0.method == "GET" && $0.version == "HTTP/1.1" && !$0.isOnReusedConnection })
        #expect(Set(log.map(\.connection)).count == 4)
        #expect(log.last?.target == "/none")
    }

    @Test func bothServersGiveTheSameAnswersToRanges() throws {
        let ours = try FaultServer(["/model.zip": FaultResource(body)])
        let theirs = try NginxServer(files: ["model.zip": body])
        for range in [
            "bytes=0-", "bytes=5-9", "bytes=299999-", "bytes=-1", "bytes=-300000", "bytes=-400000", "bytes=0-999999",
            "bytes=300000-", "bytes=9-5", "items=0-5", "bytes=0-299999", "bytes=-0",
        ] {
            let (our, their) = (
                try ask(ours, "/model.zip", ["Range: \(range)"]), try bare(theirs, "/model.zip", ["Range: \(range)"])
            )
            // A range that contradicts itself may be refused or passed over.
            guard range != "bytes=9-5" && range != "items=0-5" else { continue }
            #expect(our.head.prefix(12) == their.head.prefix(12), "\(range)")
            #expect(our.field("Content-Range") == their.field("Content-Range"), "\(range)")
            if our.head.hasPrefix("HTTP/1.1 206") { expectSame(our.body, their.body, range) }
        }
    }

    private func bare(_ server: NginxServer, _ path: String, _ headers: [String]) throws -> LoopbackClient.Answer {
        let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + headers
        return try LoopbackClient(port: server.port).exchange(lines.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    // MARK: - The client

    @Test func aFileTakesOneRequestAndNoByteMoreThanItHas() async throws {
        let server = try NginxServer(files: ["model.zip": body])
        let run = try await FaultClient().run(server.url("/model.zip"))
        expectSame(try run.file.get(), body)
        let log = try server.accessLog()
        #expect(log.map(\.status) == [200])
        #expect(log.map(\.bodyBytesSent) == [300_000])
    }

    @Test(arguments: [true, false]) func gzipChangesNothing(isOn: Bool) async throws {
        let text = Array(String(repeating: "<float_array>1 2 3</float_array>\n", count: 9000).utf8)
        let server = try NginxServer(
            files: ["model.dae": text], settings: isOn ? "gzip on; gzip_types *; gzip_min_length 1;" : "")
        let run = try await FaultClient().run(server.url("/model.dae"))
        expectSame(try run.file.get(), text)
        #expect(try server.accessLog().map(\.status) == [200])
    }

    @Test func aMissingFileIsAskedForOnce() async throws {
        let server = try NginxServer()
        let run = try await FaultClient().run(server.url("/none"))
        #expect(throws: DownloadError.self) { try run.file.get() }
        #expect(try server.accessLog().map(\.status) == [404])
    }

    @Test func redirectsAreFollowedByRequestsOfTheirOwn() async throws {
        let server = try NginxServer(
            files: ["new/model.zip": body],
            settings: "location /old/ { return 302 /mid/; } location /mid/ { return 307 /new/model.zip; }")
        let run = try await FaultClient().run(server.url("/old/"))
        expectSame(try run.file.get(), body)
        #expect(try server.accessLog().map(\.status) == [302, 307, 200])
    }

    @Test func aSlowServerIsWaitedFor() async throws {
        // A file that is sent in some tenths of a second.
        let server = try NginxServer(files: ["model.zip": body], settings: "limit_rate 1m;")
        let run = try await FaultClient().run(server.url("/model.zip"))
        expectSame(try run.file.get(), body)
        #expect(try server.accessLog().map(\.bodyBytesSent) == [300_000])
    }
}

@Suite(
    .enabled(if: NginxServer.isInstalled, "nginx is not installed (Debian: nginx-light)"),
    .enabled(if: NginxServer.hasOpenSSL, "openssl's command line is not installed"), .timeLimit(.minutes(10)))
struct NginxPlainTLSTests {
    private let body = FaultResource.noise(300_000)

    @Test(arguments: ["HTTP/2.0", "HTTP/1.1"]) func encryptedBytesAreTheSameByEitherVersion(_ version: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let certificate = try Certificate(in: folder, names: "IP:127.0.0.1")
        let server = try NginxServer(
            files: ["model.zip": body], certificate: certificate, speaksHTTP2: version == "HTTP/2.0")
        let run = try await FaultClient(caFile: certificate.authority).run(server.url("/model.zip", scheme: "https"))
        expectSame(try run.file.get(), body)
        let log = try server.accessLog()
        #expect(log.map(\.version) == [version])
        #expect(log.map(\.bodyBytesSent) == [300_000])
    }

    @Test func aRedirectFromHTTPSToHTTPIsFollowedByTheOpenPolicy() async throws {
        let folder = try TemporaryFolder()
        let certificate = try Certificate(in: folder, names: "IP:127.0.0.1")
        let plain = try NginxServer(files: ["model.zip": body])
        let server = try NginxServer(
            settings: "location / { return 302 \(plain.url("/model.zip")); }", certificate: certificate)
        let run = try await FaultClient(caFile: certificate.authority).run(server.url("/x", scheme: "https"))
        expectSame(try run.file.get(), body)
        #expect(try server.accessLog().map(\.status) == [302])
        #expect(try plain.accessLog().map(\.status) == [200])
    }
}

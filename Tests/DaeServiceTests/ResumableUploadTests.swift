import Glibc
import TestSupport
import Testing

/// Uploads by the tus protocol 1.0.0.
@Suite struct ResumableUploadTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path, ["--upload-limit", "100000"])
        client = service.client
    }

    private func begin(_ length: Int, _ headers: [String: String] = [:], body: [UInt8] = []) throws
        -> ServiceClient.Answer
    {
        let all = ["Tus-Resumable": "1.0.0", "Upload-Length": "\(length)"].merging(headers) { $1 }
        return try client.send("POST", "/v1/uploads", headers: all, body: body)
    }

    private func path(_ length: Int, _ headers: [String: String] = [:]) throws -> String {
        try #require(try begin(length, headers).headers["location"])
    }

    private func patch(
        _ path: String, at offset: Int, _ bytes: [UInt8], _ headers: [String: String] = [:],
        client other: ServiceClient? = nil
    ) throws -> ServiceClient.Answer {
        let all = [
            "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
        ].merging(headers) { $1 }
        return try (other ?? client).send("PATCH", path, headers: all, body: bytes)
    }

    private func offset(_ path: String, client other: ServiceClient? = nil) throws -> String? {
        try (other ?? client).send("HEAD", path, headers: ["Tus-Resumable": "1.0.0"]).headers["upload-offset"]
    }

    private func files() throws -> [String] {
        try Repository.files(below: folder.path).filter { name in
            ["uploads/", "blobs/", "partials/"].contains { name.hasPrefix($0) }
        }
    }

    @Test func whatCanBeDoneIsSaid() throws {
        let answer = try client.send("OPTIONS", "/v1/uploads")
        #expect(answer.status == 204)
        #expect(answer.headers["tus-version"] == "1.0.0")
        #expect(answer.headers["tus-max-size"] == "100000")
        #expect(answer.headers["tus-extension"] == "creation,creation-with-upload,termination,checksum,expiration")
        #expect(answer.headers["tus-checksum-algorithm"] == "sha256,sha1")
    }

    @Test func whatIsWholeTakesNoMore() throws {
        let upload = try path(8)
        #expect(try patch(upload, at: 0, Array("no model".utf8)).status == 204)
        for offset in [0, 8] {
            let answer = try patch(upload, at: offset, [])
            #expect(answer.status == 409)
            #expect(answer.json?["detail"]?.string?.contains("whole already") == true)
        }
    }

    @Test func anUploadInPiecesBecomesAnAsset() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        // "walker.zip"
        let upload = try path(walker.count, ["Upload-Metadata": "filename d2Fsa2VyLnppcA==,note"])
        for start in stride(from: 0, to: walker.count, by: 1000) {
            let end = min(start + 1000, walker.count)
            let answer = try patch(upload, at: start, Array(walker[start..<end]))
            #expect(answer.status == 204)
            #expect(answer.headers["upload-offset"] == "\(end)")
            #expect((answer.headers["asset-location"] != nil) == (end == walker.count))
        }
        let told = try client.get(upload)
        let id = try #require(told.json?["asset"]?.string)
        #expect(told.json?["offset"]?.number == Double(walker.count))
        #expect(try client.outcome(of: id)["state"] == "ready")
        #expect(try client.get("/v1/assets/\(id)").json?["name"] == "walker.zip")
        #expect(try client.get("/v1/assets/\(id)/original").body == walker)
        #expect(try !files().contains { $0.hasPrefix("partials/") || $0.hasPrefix("uploads/") })
        // The same bytes sent in one go are the same content.
        #expect(try client.send("POST", "/v1/assets?name=b.zip", body: walker).json?["state"]?["state"] == "ready")
    }

    @Test func theFirstPieceMayComeWithTheAnnouncement() throws {
        let answer = try begin(4, ["Content-Type": "application/offset+octet-stream"], body: Array("abcd".utf8))
        #expect(answer.status == 201)
        #expect(answer.headers["upload-offset"] == "4")
        let asset = try #require(answer.headers["asset-location"])
        #expect(try client.get(asset + "/original").text == "abcd")
    }

    @Test func whatDoesNotFitTheProtocolIsRefused() throws {
        #expect(try begin(100_001).status == 413)
        #expect(try begin(100_001).headers["tus-max-size"] == "100000")
        #expect(try begin(0).status == 400)
        for (name, value) in [
            ("Upload-Length", "-1"), ("Upload-Length", "1e3"), ("Upload-Length", ""), ("Upload-Metadata", "a b c"),
            ("Upload-Metadata", "filename !!"), ("Upload-Metadata", "a,a"), ("Upload-Metadata", ""),
            ("Upload-Checksum", "md5 AAAA"), ("Upload-Checksum", "sha1"),
        ] {
            #expect(try begin(5, [name: value]).status == 400, "\(name): \(value)")
        }
        let without = try client.send("POST", "/v1/uploads", headers: ["Upload-Length": "5"])
        #expect(without.status == 412)
        #expect(without.headers["tus-version"] == "1.0.0")
        #expect(try begin(5, ["Tus-Resumable": "0.2.2"]).status == 412)
        #expect(try files().isEmpty)

        let upload = try path(5)
        let piece = Array("abc".utf8)
        #expect(try patch(upload, at: 1, piece).status == 409)
        #expect(try patch(upload, at: 0, piece, ["Content-Type": "text/plain"]).status == 415)
        #expect(try patch(upload, at: 0, piece, ["Upload-Offset": "x"]).status == 400)
        #expect(try patch(upload, at: 0, piece + piece).status == 413)
        #expect(try patch("/v1/uploads/none", at: 0, piece).status == 404)
        #expect(try offset(upload) == "0")
        #expect(try offset("/v1/uploads/none") == nil)
        #expect(try client.send("PUT", upload).status == 405)
        #expect(try patch(upload, at: 0, Array("abcde".utf8)).status == 204)
        #expect(try patch(upload, at: 5, []).status == 409)
    }

    @Test(arguments: [
        ("sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", 204), ("sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=", 460),
        ("sha256 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", 204),
        ("sha256 AngWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", 460), ("md5 kAFQmDzST7DWlj99KOF/cg==", 400),
    ])
    func aPieceIsHeldAgainstItsChecksum(_ checksum: String, _ status: Int) throws {
        let upload = try path(6)
        #expect(try patch(upload, at: 0, Array("abc".utf8), ["Upload-Checksum": checksum]).status == status)
        #expect(try offset(upload) == (status == 204 ? "3" : "0"))
        #expect(try patch(upload, at: status == 204 ? 3 : 0, Array("def".utf8)).status == 204)
    }

    @Test func whatIsDroppedIsGone() throws {
        let upload = try path(6)
        _ = try patch(upload, at: 0, Array("abc".utf8))
        #expect(try files().count == 1)
        #expect(try client.send("DELETE", upload, headers: ["Tus-Resumable": "1.0.0"]).status == 204)
        #expect(try files().isEmpty)
        #expect(try offset(upload) == nil)
        #expect(try client.send("DELETE", upload, headers: ["Tus-Resumable": "1.0.0"]).status == 404)
    }

    @Test func whatNobodyGoesOnWithIsDroppedWhenItsTimeIsOver() throws {
        let other = try TemporaryFolder()
        let short = try ServiceProcess(data: other.path, ["--upload-time", "1"])
        let begun = try short.client.send(
            "POST", "/v1/uploads",
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "9", "Content-Type": "application/offset+octet-stream",
            ], body: Array("abc".utf8))
        #expect(begun.headers["upload-offset"] == "3")
        let upload = try #require(begun.headers["location"])
        #expect(try short.waits { try Repository.files(below: other.path + "/partials").isEmpty })
        #expect(try offset(upload, client: short.client) == nil)
        #expect(try patch(upload, at: 3, Array("def".utf8), client: short.client).status == 404)
    }

    /// Sends a request's head and a part of its body.
    private func half(_ path: String, _ bytes: String, of length: Int) throws -> LoopbackClient {
        let connection = try LoopbackClient(port: service.port)
        connection.send(
            "PATCH \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTus-Resumable: 1.0.0\r\n"
                + "Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
                + "Content-Length: \(length)\r\n\r\n" + bytes)
        return connection
    }

    @Test func aConnectionThatBreaksLeavesWhatArrived() throws {
        let upload = try path(10)
        do { _ = try half(upload, "abcd", of: 10) }
        #expect(try service.waits { try offset(upload) == "4" })
        let asset = try #require(try patch(upload, at: 4, Array("efghij".utf8)).headers["asset-location"])
        #expect(try client.get(asset + "/original").text == "abcdefghij")
    }

    @Test func ofTwoPiecesAtOnceOneIsTaken() throws {
        let upload = try path(10)
        let first = try half(upload, "abcd", of: 10)
        // The first is at work once its bytes are in the file.
        let isAtWork = try service.waits {
            let name = try Repository.files(below: folder.path + "/partials").first
            return try name.map { try Repository.bytes(at: folder.path + "/partials/" + $0).count == 4 } ?? false
        }
        #expect(isAtWork)
        #expect(try patch(upload, at: 0, Array("0123456789".utf8)).status == 423)
        #expect(try client.send("DELETE", upload, headers: ["Tus-Resumable": "1.0.0"]).status == 423)
        first.send("efghij")
        let answer = ServiceClient.answer(first.rest().bytes)
        #expect(answer.status == 204)
        let asset = try #require(answer.headers["asset-location"])
        #expect(try client.get(asset + "/original").text == "abcdefghij")
    }

    @Test func aWholeUploadWaitsForRoomInTheQueue() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource([UInt8](repeating: 7, count: 1000))])
        server.play([.stall(after: 100, until: gate)], at: "/a.zip")
        defer { gate.open() }
        let other = try TemporaryFolder()
        let full = try ServiceProcess(
            data: other.path,
            ["--workers", "1", "--queue-limit", "1", "--allow-addresses", "127.0.0.0/8"])
        _ = try full.client.add(url: server.url("/a.zip"))
        // A worker has it, and the queue is empty again.
        let isAtWork = try full.waits { !server.requests.isEmpty }
        #expect(isAtWork)
        _ = try full.client.upload(Array("waits".utf8), name: "a.dae")
        let begun = try full.client.send(
            "POST", "/v1/uploads",
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "3", "Content-Type": "application/offset+octet-stream",
            ], body: Array("abc".utf8))
        #expect(begun.headers["upload-offset"] == "3")
        #expect(begun.headers["asset-location"] == nil)
        gate.open()
        let upload = try #require(begun.headers["location"])
        #expect(try full.waits { try full.client.get(upload).json?["asset"]?.string != nil })
        let asset = try #require(try full.client.get(upload).json?["links"]?["asset"]?.string)
        #expect(try full.client.get(asset + "/original").text == "abc")
    }

    @Test func whatWasAcknowledgedOutlivesTheProcess() throws {
        let upload = try path(10)
        #expect(try patch(upload, at: 0, Array("abcd".utf8)).status == 204)
        #expect(service.end(SIGKILL) == -SIGKILL)
        let next = try ServiceProcess(data: folder.path)
        #expect(try offset(upload, client: next.client) == "4")
        let last = try patch(upload, at: 4, Array("efghij".utf8), client: next.client)
        let asset = try #require(last.headers["asset-location"])
        #expect(try next.client.get(asset + "/original").text == "abcdefghij")
    }
}

import TestSupport
import Testing

/// A stream of events has no end of its own; what let it begin may have one.
@Suite(.timeLimit(.minutes(10))) struct EventPermitTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
    }

    private func daed(_ words: String...) throws -> Program.Outcome {
        try ServiceProcess.run(words + ["--data", folder.path])
    }

    private func stream(_ path: String, _ headers: String = "") throws -> LoopbackClient {
        let connection = try LoopbackClient(port: service.port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n")
        #expect(connection.read(12) == Array("HTTP/1.1 200".utf8))
        return connection
    }

    @Test func aStreamEndsWithItsToken() throws {
        let token = try daed("token", "add", "reader").text.dropLast()
        let other = try daed("token", "add", "other").text.dropLast()
        let id = try service.client.send(
            "POST", "/v1/assets?name=a.zip",
            headers: ["Authorization": "Bearer \(daed("token", "add", "writer", "--scope", "write").text.dropLast())"],
            body: Array("no model".utf8)
        ).json?["id"]?.string
        let streams = try ["/v1/events", "/v1/assets/\(id ?? "")/events"].map {
            try stream($0, "Authorization: Bearer \(token)\r\n")
        }
        let kept = try stream("/v1/events", "Authorization: Bearer \(other)\r\n")
        #expect(try daed("token", "revoke", "reader").code == 0)
        for stream in streams { #expect(stream.rest().end != .silent) }
        // Heard within ten seconds, and so still open.
        _ = kept.read(200)
        #expect(!kept.read(1).isEmpty)
    }

    @Test func anOpenStreamEndsWithTheFirstToken() throws {
        let stream = try stream("/v1/events")
        #expect(try daed("token", "add", "reader").code == 0)
        #expect(stream.rest().end != .silent)
    }

    @Test func ofANumberThatIsStillToComeAGapIsTold() throws {
        let connection = try stream("/v1/events", "Last-Event-ID: 999999999\r\n")
        let gap = "event: gap\ndata: {\"after\":999999999,\"next\":1}\n\n"
        var seen: [UInt8] = []
        while !seen.suffix(gap.utf8.count).elementsEqual(gap.utf8), case let byte = connection.read(1), !byte.isEmpty {
            seen += byte
        }
        #expect(seen.suffix(gap.utf8.count).elementsEqual(gap.utf8))
        _ = try service.client.upload(Array("no model".utf8), name: "a.zip")
        var text: [UInt8] = []
        while !text.suffix(9).elementsEqual("\"asset\":\"".utf8), case let byte = connection.read(1), !byte.isEmpty {
            text += byte
        }
        #expect(text.suffix(9).elementsEqual("\"asset\":\"".utf8))
    }
}

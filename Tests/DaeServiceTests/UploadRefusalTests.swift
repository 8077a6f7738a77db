import TestSupport
import Testing

/// What `POST /v1/assets` does not take, and why.
@Suite struct UploadRefusalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func expectNothingStored(_ service: ServiceProcess) throws {
        #expect(try service.client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
        let files = try Repository.files(below: folder.path)
        #expect(!files.contains { $0.hasPrefix("uploads/") || $0.hasPrefix("blobs/") }, "\(files)")
    }

    @Test(arguments: [
        "/v1/assets?name=a.zip HTTP/1.1\r\n", "/v1/assets HTTP/1.1\r\nContent-Type: application/json\r\n",
        "/v1/assets HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\n",
        "/v1/assets HTTP/1.1\r\nIdempotency-Key: a\r\n",
    ])
    func aClientThatBreaksOffIsNoFaultOfTheService(_ beginning: String) throws {
        let service = try ServiceProcess(data: folder.path)
        do {
            let connection = try LoopbackClient(port: service.port)
            connection.send("POST \(beginning)Host: localhost\r\nContent-Length: 1000\r\n\r\nabc")
            #expect(try service.client.get("/healthz").status == 200)
        }
        let line = try eventually("the end of the request") { service.logged("answered with a problem").first }
        #expect(line["status"] == 400)
        #expect(line["detail"]?.string?.contains("broke") == true)
        #expect(service.logged("failed").isEmpty)
        try expectNothingStored(service)
    }

    @Test(arguments: [[:], ["Content-Type": "application/x-www-form-urlencoded"], ["Content-Type": "text/json"]])
    func anOrderWithoutItsTypeIsToldToSayIt(_ headers: [String: String]) throws {
        let service = try ServiceProcess(data: folder.path)
        let body = Array(" \r\n{\"url\": \"https://example.org/a.zip\"}".utf8)
        let answer = try service.client.send("POST", "/v1/assets", headers: headers, body: body)
        #expect(answer.status == 415)
        #expect(answer.json?["detail"]?.string?.contains("Content-Type: application/json") == true)
        try expectNothingStored(service)
        // What says that it is a file is one.
        #expect(try service.client.send("POST", "/v1/assets?name=a.zip", headers: headers, body: body).status == 201)
        let declared = ["Content-Type": "application/octet-stream"]
        #expect(try service.client.send("POST", "/v1/assets", headers: declared, body: body).status == 201)
    }

    @Test(arguments: ["http://", "http://[::1", "http://a b/", "http://a.example:99999/", "https://u:p@/a.zip"])
    func anAddressThatIsNoneIsRefusedAtOnce(_ url: String) throws {
        let service = try ServiceProcess(data: folder.path)
        let answer = try service.client.send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json"],
            body: Array("{\"url\":\"\(url)\"}".utf8))
        #expect(answer.status == 400)
        #expect(answer.json?["code"]?.string == "DOWNLOAD_URL_INVALID")
        #expect(!answer.text.contains("u:p"))
        try expectNothingStored(service)
    }

    @Test func whatIsTooLargeIsSaidToBeSoOnAFullDisk() throws {
        let service = try ServiceProcess(
            data: folder.path, ["--upload-limit", "1000", "--free-disk", "\(1 << 59)"])
        let large = [UInt8](repeating: 7, count: 2000)
        let answer = try service.client.send("POST", "/v1/assets?name=a.zip", body: large)
        #expect(answer.status == 413)
        #expect(answer.json?["code"]?.string == "DOWNLOAD_TOO_LARGE")
        #expect(try service.client.send("POST", "/v1/assets?name=a.zip", body: Array(large[..<10])).status == 507)
    }

    @Test func anUploadThatWaitsToBeAskedForIsAsked() throws {
        let service = try ServiceProcess(data: folder.path)
        let connection = try LoopbackClient(port: service.port)
        for _ in 0..<2 {
            connection.send(
                "POST /v1/assets?name=a.zip HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 8\r\n\r\n")
            #expect(connection.readAnswer().text == "HTTP/1.1 100 Continue\r\n\r\n")
            connection.send("no model")
            #expect(connection.readAnswer().text.hasPrefix("HTTP/1.1 201"))
        }
        // A refusal is an answer, too.
        connection.send(
            "POST /v1/assets?name=a.zip HTTP/1.1\r\nHost: other.example\r\nExpect: 100-continue\r\n"
                + "Content-Length: 8\r\nConnection: close\r\n\r\n")
        #expect(connection.rest().text.contains("HTTP/1.1 421"))
    }
}

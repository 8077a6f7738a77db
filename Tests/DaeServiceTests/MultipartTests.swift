import TestSupport
import Testing

/// Files that come as a part of a form.
@Suite struct MultipartTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path, ["--upload-limit", "100000"])
        client = service.client
    }

    private static func part(_ disposition: String, _ body: [UInt8], boundary: String = "xyz") -> [UInt8] {
        let head = "--\(boundary)\r\nContent-Type: application/zip\r\nContent-Disposition: \(disposition)\r\n\r\n"
        return Array(head.utf8) + body + Array("\r\n".utf8)
    }

    private static let end = Array("--xyz--\r\n".utf8)
    private static let type = "multipart/form-data; boundary=xyz"

    /// Sends a body in chunks of so many bytes: the service sees each by itself.
    private func send(_ body: [UInt8], chunk: Int) throws -> ServiceClient.Answer {
        let connection = try LoopbackClient(port: service.port)
        connection.send(
            "POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: \(Self.type)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
        var rest = body[...]
        var text: [UInt8] = []
        while !rest.isEmpty {
            let piece = rest.prefix(chunk)
            text += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
            rest = rest.dropFirst(chunk)
        }
        connection.send(text + Array("0\r\n\r\n".utf8))
        return try client.checked(ServiceClient.answer(connection.rest().bytes), to: "POST", "/v1/assets")
    }

    /// What is kept, but for the database.
    private func kept() throws -> [String] {
        try Repository.files(below: folder.path).filter { name in
            ["uploads/", "blobs/", "partials/", "results/"].contains { name.hasPrefix($0) }
        }
    }

    // The bytes hold what nearly is a boundary, and end with a part of one.
    private static let nearly = Array("PK\r\n--xy\r\n--xYz\r\r\n-".utf8)

    @Test(arguments: [1, 7, 100_000])
    func aFormsFileIsTakenHoweverItsBytesAreCut(chunk: Int) throws {
        let body =
            Array("preamble\r\n".utf8) + Self.part("form-data; name=\"note\"", Array("a note".utf8))
            + Self.part("form-data; name=\"file\"; filename=\"a b.zip\"", Self.nearly)
            + Self.part("form-data; name=\"more\"; filename=\"second.zip\"", Array("another".utf8)) + Self.end
            + Array("epilogue --xyz".utf8)
        let answer = try send(body, chunk: chunk)
        #expect(answer.status == 201)
        #expect(answer.json?["name"] == "a b.zip")
        let id = try #require(answer.json?["id"]?.string)
        #expect(try client.get("/v1/assets/\(id)/original").body == Self.nearly)
    }

    private static let names = [
        ("form-data; name=f; filename=\"../../etc/passwd\"", "passwd"),
        ("form-data; name=f; filename=\"C:\\\\models\\\\a.zip\"", "a.zip"),
        ("form-data; name=f; filename=\"x.zip\"; filename*=UTF-8''%E2%82%AC.zip", "€.zip"),
        ("form-data; name=f; filename=\"..\"", "model"), ("form-data; name=f; filename=\"\"", "model"),
        ("form-data; name=f; filename=\"a\u{202E}piz.exe\"", "apiz.exe"),
    ]

    @Test func aFormsNameIsCleaned() throws {
        for (disposition, name) in Self.names {
            let answer = try send(Self.part(disposition, Array("bytes".utf8)) + Self.end, chunk: 1000)
            #expect(answer.json?["name"]?.string == name)
        }
    }

    @Test func aBodysNameComesFromTheQueryElseFromItsDisposition() throws {
        let headers = ["Content-Disposition": "attachment; filename=\"dir/said.zip\""]
        let body = Array("bytes".utf8)
        #expect(try client.send("POST", "/v1/assets", headers: headers, body: body).json?["name"] == "said.zip")
        let both = try client.send("POST", "/v1/assets?name=%2Ftmp%2Fasked.zip", headers: headers, body: body)
        #expect(both.json?["name"] == "asked.zip")
    }

    struct Bad: Sendable {
        let what: String
        let type: String
        let body: [UInt8]
        let status: Int
    }

    static let bad: [Bad] = {
        let file = part("form-data; name=f; filename=a.zip", Array("bytes".utf8))
        let longHead = part("form-data; name=\"\(String(repeating: "a", count: 20_000))\"", [])
        let inner = part("form-data; filename=\"a.zip\"", Array("bytes".utf8), boundary: "in")
        let many = (0..<101).flatMap { _ in part("form-data; name=n", []) }
        return [
            Bad(what: "no last boundary", type: type, body: file, status: 400),
            Bad(what: "cut boundary", type: type, body: file + Array("--xyz-".utf8), status: 400),
            Bad(what: "no bytes", type: type, body: [UInt8](), status: 400),
            Bad(what: "no file", type: type, body: part("form-data; name=f", Array("text".utf8)) + end, status: 400),
            Bad(what: "empty file", type: type, body: part("form-data; filename=a", []) + end, status: 400),
            Bad(what: "no boundary", type: "multipart/form-data", body: file + end, status: 415),
            Bad(
                what: "long boundary", type: "multipart/form-data; boundary=\(String(repeating: "b", count: 71))",
                body: file + end, status: 415),
            Bad(what: "other kind", type: "multipart/mixed; boundary=xyz", body: file + end, status: 415),
            Bad(what: "long header", type: type, body: longHead + end, status: 400),
            Bad(what: "endless header", type: type, body: Array("--xyz\r\n".utf8) + many, status: 400),
            Bad(
                what: "header without colon", type: type, body: Array("--xyz\r\nnone\r\n\r\nb\r\n".utf8) + end,
                status: 400),
            Bad(what: "no disposition", type: type, body: Array("--xyz\r\nA: b\r\n\r\nb\r\n".utf8) + end, status: 400),
            Bad(what: "junk behind boundary", type: type, body: Array("--xyzjunk\r\n".utf8) + file + end, status: 400),
            Bad(what: "nested form", type: type, body: part("form-data; name=files", inner) + end, status: 400),
            Bad(what: "too many parts", type: type, body: many + end, status: 400),
            Bad(
                what: "long preamble", type: type, body: [UInt8](repeating: 65, count: 80_000) + file + end, status: 400
            ),
            Bad(
                what: "file beyond the limit", type: type,
                body: part("form-data; filename=a", [UInt8](repeating: 65, count: 100_001)) + end, status: 413),
        ]
    }()

    @Test func aBadFormLeavesNothing() throws {
        let before = try kept()
        for bad in Self.bad {
            let answer = try client.send("POST", "/v1/assets", headers: ["Content-Type": bad.type], body: bad.body)
            #expect(answer.status == bad.status, "\(bad.what)")
            #expect(answer.json?["instance"] == "/v1/assets")
            // The thread that wrote last lets go of the file, maybe after the answer.
            _ = try eventually("that nothing is kept of \(bad.what)") { try kept() == before ? true : nil }
        }
        #expect(try client.get("/v1/assets").json?["assets"]?.elements.isEmpty == true)
    }

    @Test func aFormWithinAFormIsAFileWhereItIsNamed() throws {
        let inner = Self.part("form-data; filename=\"a.zip\"", Array("bytes".utf8), boundary: "in")
        let answer = try send(Self.part("form-data; filename=\"in.txt\"", inner) + Self.end, chunk: 10)
        let id = try #require(answer.json?["id"]?.string)
        #expect(try client.get("/v1/assets/\(id)/original").body == inner)
    }
}

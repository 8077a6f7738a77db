import Daedalus
import FoundationEssentials
import TestSupport
import Testing

/// The description of the API is whole, and the API is as described.
@Suite struct APIDescriptionTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient

    init() throws {
        folder = try TemporaryFolder()
        // In the place of the viewer, which is no part of the repository.
        let viewer = folder.path + "/viewer"
        try FileManager.default.createDirectory(atPath: viewer, withIntermediateDirectories: true)
        try Data("export const THREE = {};".utf8).write(to: URL(filePath: viewer + "/three.js"))
        service = try ServiceProcess(data: folder.path, ["--viewer", viewer])
        client = service.client
    }

    @Test func whatIsServedIsWhatIsPrinted() throws {
        let served = try client.get("/v1/openapi.json")
        #expect(try served.body == APIDescription.printed())
        #expect(served.json?["openapi"] == "3.1.0")
        #expect(served.json?["info"]?["version"]?.string == ReportTool.daedalus.version)
    }

    @Test func everyOperationNamesItselfAndItsAnswers() throws {
        let description = try APIDescription.present.get()
        #expect(description.operations.count >= 25)
        let nodes = (description.document["paths"]?.members ?? [:]).flatMap { _, item in
            item.members.filter { $0.key != "parameters" }.map(\.value)
        }
        let names = nodes.compactMap { $0["operationId"]?.string }
        #expect(Set(names).count == nodes.count)
        #expect(nodes.allSatisfy { ($0["responses"]?.members.count ?? 0) > 1 })
    }

    /// Each answer on the way is checked by the client.
    @Test func everyOperationIsExercised() throws {
        let walker = try Repository.fixture("bundles/walker.zip")
        let id = try client.upload(walker, name: "walker.zip")
        let asset = "/v1/assets/\(id)"
        _ = try client.outcome(of: id)
        for path in [
            "/", "/page/app.js", "/viewer/three.js", "/healthz", "/readyz", "/v1/openapi.json", "/v1/assets",
            "/v1/findings",
            "/v1/session",
        ] {
            #expect(try client.get(path).status == 200)
        }
        for form in [
            "inspect", "tree", "report", "model.glb", "model.usdz", "model.stl", "model.obj.zip", "thumbnail.png",
            "changes",
            "original", "files", "files/walker.dae",
        ] {
            #expect(try client.get(asset + "/" + form).status == 200, "\(form)")
        }
        let convert = Array(#"{"version":1,"action":"convert"}"#.utf8)
        #expect(try client.send("POST", asset + "/actions", body: convert).status == 202)
        #expect(try client.send("POST", asset + "/links", body: Array("{}".utf8)).status == 200)
        #expect(try client.get("/v1/tokens").status == 200)
        #expect(try client.send("DELETE", "/v1/tokens/none").status == 404)
        #expect(try client.send("POST", "/v1/session").status == 409)
        #expect(try client.send("DELETE", "/v1/session").status == 204)
        try exerciseUploads()
        try exerciseWebhooks()
        #expect(try client.get("/v1/usage").status == 200)
        #expect(try client.send("PATCH", asset, body: Array(#"{"labels":{"a":"b"}}"#.utf8)).status == 200)
        #expect(try client.send("DELETE", "/v1/assets?label=b&limit=1").json?["removed"] == 0)
        try exerciseEvents(asset)
        #expect(try client.get(asset).status == 404)
        let described = Set(try APIDescription.present.get().operations)
        #expect(described.subtracting(APIDescription.seen(at: service.port)).sorted() == [])
    }

    private func exerciseUploads() throws {
        let tus = ["Tus-Resumable": "1.0.0"]
        #expect(try client.send("OPTIONS", "/v1/uploads").status == 204)
        let begun = try client.send("POST", "/v1/uploads", headers: tus.merging(["Upload-Length": "5"]) { $1 })
        let path = try #require(begun.headers["location"])
        #expect(try client.send("OPTIONS", path).status == 204)
        #expect(try client.send("HEAD", path, headers: tus).headers["upload-offset"] == "0")
        let piece = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
        #expect(
            try client.send("PATCH", path, headers: tus.merging(piece) { $1 }, body: Array("abc".utf8)).status == 204)
        #expect(try client.get(path).json?["offset"] == 3)
        #expect(try client.send("DELETE", path, headers: tus).status == 204)
    }

    private func exerciseWebhooks() throws {
        let order = #"{"url":"https://example.org/hook","secret":"0123456789abcdef","events":["removed"]}"#
        #expect(try client.send("PUT", "/v1/webhooks/one", body: Array(order.utf8)).status == 200)
        #expect(try client.get("/v1/webhooks").json?["webhooks"]?.elements.count == 1)
        #expect(try client.send("DELETE", "/v1/webhooks/one").status == 204)
    }

    private func exerciseEvents(_ asset: String) throws {
        let all = try LoopbackClient(port: service.port)
        all.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        let one = try LoopbackClient(port: service.port)
        one.send("GET \(asset)/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < 12, case let more = one.read(1), !more.isEmpty {
            bytes += more
        }
        #expect(try client.send("DELETE", asset).status == 204)
        bytes += one.rest().bytes
        let answer = try client.checked(ServiceClient.answer(bytes), to: "GET", asset + "/events")
        #expect(answer.text.contains("event: removed"))
        var head = ""
        while !head.contains("\r\n\r\n"), case let more = all.read(1), !more.isEmpty {
            head += String(decoding: more, as: UTF8.self)
        }
        #expect(try client.checked(ServiceClient.answer(Array(head.utf8)), to: "GET", "/v1/events").status == 200)
    }
}

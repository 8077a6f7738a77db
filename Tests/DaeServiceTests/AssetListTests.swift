import TestSupport
import Testing

/// Assets in pages, and those that fit.
@Suite struct AssetListTests {
    private let folder: TemporaryFolder
    private let client: ServiceClient
    private let service: ServiceProcess

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
    }

    private func names(_ answer: ServiceClient.Answer) -> [String] {
        answer.json?["assets"]?.elements.compactMap { $0["name"]?.string } ?? []
    }

    @Test func aNameWithANULIsRefused() throws {
        let service = try ServiceProcess(data: folder.path)
        let answer = try service.client.get("/v1/assets?name=a%00b")
        #expect(answer.status == 400)
        #expect(answer.json?["parameter"]?.string == "name")
    }

    @Test func pagesFollowTheirLinks() throws {
        for number in 0..<5 { _ = try client.upload(Array("\(number)".utf8), name: "\(number).dae") }
        var path: String? = "/v1/assets?limit=2&name=.dae"
        var pages: [[String]] = []
        while let next = path {
            let answer = try client.get(next)
            pages.append(names(answer))
            path = answer.json?["links"]?["next"]?.string
            #expect((answer.headers["link"] != nil) == (path != nil))
            if let path { #expect(answer.headers["link"] == "<\(path)>; rel=\"next\"") }
        }
        #expect(pages == [["4.dae", "3.dae"], ["2.dae", "1.dae"], ["0.dae"]])
    }

    @Test func filtersFindWhatFits() throws {
        let first = try client.upload(Array("one".utf8), name: "Chair_1%25.dae")
        _ = try client.upload(Array("two".utf8), name: "table.dae")
        let digest = try #require(try client.get("/v1/assets/\(first)").json?["sha256"]?.string)
        #expect(names(try client.get("/v1/assets?name=chair")) == ["Chair_1%.dae"])
        #expect(names(try client.get("/v1/assets?name=1%25.")) == ["Chair_1%.dae"])
        // No pattern, but the characters themselves.
        #expect(names(try client.get("/v1/assets?name=t_ble")).isEmpty)
        #expect(names(try client.get("/v1/assets?name=t%25e")).isEmpty)
        #expect(names(try client.get("/v1/assets?sha256=\(digest)")) == ["Chair_1%.dae"])
        #expect(names(try client.get("/v1/assets?state=ready")).isEmpty)
    }

    private static let bad = [
        ("limit", "0"), ("limit", "501"), ("limit", "x"), ("limit", ""), ("after", "0"), ("after", "-1"),
        ("after", "9999999999999999999999"), ("state", "dreaming"), ("sha256", "12"), ("name", ""),
        ("name", String(repeating: "a", count: 201)), ("sate", "ready"), ("lable", "a=b"), ("token", "x"),
    ]

    @Test func aBadParameterIsNamed() throws {
        for (name, value) in Self.bad {
            let answer = try client.get("/v1/assets?\(name)=\(value)")
            #expect(answer.status == 400, "\(name)=\(value)")
            #expect(answer.json?["parameter"]?.string == name)
        }
    }
}

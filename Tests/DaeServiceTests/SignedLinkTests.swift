import Glibc
import TestSupport
import Testing

/// Links by which whoever holds one gets a file without a token.
@Suite struct SignedLinkTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: ServiceClient
    private let asset: String
    private let reader: [String: String]
    private let walker: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path)
        client = service.client
        walker = try Repository.fixture("bundles/walker.zip")
        let id = try client.upload(walker, name: "walker.zip")
        asset = "/v1/assets/\(id)"
        _ = try client.outcome(of: id)
        let run = try Program.run(
            ["token", "add", "reader", "--data", folder.path], program: ServiceProcess.program)
        reader = ["Authorization": "Bearer " + run.text.dropLast()]
    }

    private func links(_ body: String) throws -> JSONNode {
        let answer = try client.send("POST", asset + "/links", headers: reader, body: Array(body.utf8))
        try #require(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    /// Browsers do not say which page wants a picture.
    @Test func pagesOfNamedSitesMayShowWhatALinkLeadsTo() throws {
        let name = "cross-origin-resource-policy"
        let original = try #require(try links("{}")["links"]?["original"]?.string)
        #expect(try client.get(original).headers[name] == "same-origin")
        let service = try ServiceProcess(data: folder.path, ["--cors-origin", "https://viewer.example"])
        #expect(try service.client.get(original).headers[name] == "cross-origin")
        let others = [
            try service.client.get(asset + "/original", headers: reader), try service.client.get(original + "0"),
            try service.client.get("/healthz"),
        ]
        for answer in others { #expect(answer.headers[name] == "same-origin") }
    }

    @Test func aLinkGivesItsFileAndNothingElse() throws {
        let answer = try links(#"{"expiresIn": 600, "files": ["textures/skin tone.png"]}"#)
        for name in ["model.glb", "model.usdz", "thumbnail.png", "original", "report", "files/textures/skin tone.png"] {
            let link = try #require(answer["links"]?[name]?.string)
            #expect(try client.get(link).status == 200)
            #expect(try client.get(link + "0").status == 403)
        }
        let original = try #require(answer["links"]?["original"]?.string)
        #expect(try client.get(original).body == walker)
        #expect(try client.send("HEAD", original).status == 200)
        #expect(try client.send("DELETE", original).status == 401)
        let query = try #require(original.split(separator: "?").last)
        for path in ["/report", "/model.glb", "/inspect", "", "/files/walker.dae"] {
            #expect(try client.get(asset + path + "?" + query).status == 403)
        }
        #expect(try client.get("/v1/assets?" + query).status == 403)
        #expect(!service.logText.contains(query))
    }

    @Test func whatWasAlteredOrHasExpiredIsRefusedAndLogged() throws {
        let link = try #require(try links(#"{"expiresIn": 1}"#)["links"]?["original"]?.string)
        let expires = try #require(link.split(separator: "=").dropFirst().first?.prefix { $0 != "&" })
        let later = link.replacing("expires=\(expires)", with: "expires=\(Int64(expires).map { $0 + 1000 } ?? 0)")
        let altered = try client.get(later)
        #expect(altered.status == 403)
        #expect(altered.json?["detail"] == "The link's signature does not fit it.")
        var answer = try client.get(link)
        for _ in 0..<300 where answer.status == 200 {
            usleep(50_000)
            answer = try client.get(link)
        }
        #expect(answer.status == 403)
        #expect(answer.headers["content-type"] == "application/problem+json")
        #expect(answer.json?["detail"] == "The link has expired.")
        #expect(service.logText.contains("The link has expired."))
        for (key, digits) in [("expires", "-1"), ("expires", "x"), ("key", ""), ("signature", "00")] {
            let parts = link.split(separator: "?")
            let query = parts[1].split(separator: "&").map {
                $0.hasPrefix(key) ? "\(key)=\(digits)" : String($0)
            }
            #expect(try client.get(parts[0] + "?" + query.joined(separator: "&")).status == 403)
        }
    }

    @Test func aRetiredKeysLinksHoldNoLonger() throws {
        func key(_ words: String...) throws -> Program.Outcome {
            try Program.run(["key"] + words + ["--data", folder.path], program: ServiceProcess.program)
        }
        let old = try #require(try links("{}")["links"]?["original"]?.string)
        let first = try #require(try key("list").text.split(separator: " ").first)
        #expect(old.contains("key=\(first)&"))
        let second = try key("add").text.dropLast()
        let new = try #require(try links("{}")["links"]?["original"]?.string)
        #expect(new.contains("key=\(second)&"))
        #expect(try client.get(old).status == 200)
        #expect(try key("retire", String(first)).code == 0)
        let answer = try client.get(old)
        #expect(answer.status == 403)
        #expect(answer.json?["detail"] == "The link's key is no longer in use.")
        #expect(try client.get(new).status == 200)
        #expect(try key("retire", String(first)).code == 3)
        #expect(try key("list").text == "\(second)  active\n\(first)  retired\n")
    }

    @Test func linksAreMadeForThoseWhoMaySee() throws {
        let body = Array("{}".utf8)
        #expect(try client.send("POST", asset + "/links", body: body).status == 401)
        for order in [#"{"expiresIn": 0}"#, #"{"expiresIn": 99999999}"#, "[]", ""] {
            let answer = try client.send("POST", asset + "/links", headers: reader, body: Array(order.utf8))
            #expect(answer.status == 400)
        }
        let misspelt = try client.send(
            "POST", asset + "/links", headers: reader, body: Array(#"{"expires": 600}"#.utf8))
        #expect(misspelt.status == 400)
        #expect(misspelt.json?["parameter"] == "expires")
        #expect(try client.send("POST", "/v1/assets/none/links", headers: reader, body: body).status == 404)
    }
}

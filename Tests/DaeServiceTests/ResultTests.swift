import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What is given of an asset that was read, and how strangers' bytes are handed out.
@Suite(.sharedService) struct ResultTests {
    private let service: ServiceProcess
    private let client: ServiceClient
    private let walker: [UInt8]
    private let asset: String

    init() throws {
        service = try SharedService.present
        client = service.client
        walker = try Repository.fixture("bundles/walker.zip")
        let id = try client.upload(walker, name: "walker.zip")
        asset = "/v1/assets/\(id)"
        _ = try client.outcome(of: id)
    }

    @Test func whatWasReadIsThere() throws {
        let inspection = try client.get(asset + "/inspect").json
        #expect(inspection?["source"]?["input"] == "walker.zip")
        #expect(inspection?["scene"]?["triangles"] == 140)
        #expect(try client.get(asset + "/tree").json?["scene"]?["nodes"]?.elements.isEmpty == false)
        let files = try client.get(asset + "/files").json?["files"]?.elements.compactMap { $0["path"]?.string }
        #expect(files == ["textures/skin tone.png", "walker.dae"])
        #expect(try client.get(asset + "/original").body == walker)
    }

    @Test func equalBytesOfAnotherNameAreNamedSo() throws {
        let id = try client.upload(walker, name: "other.zip")
        let inspection = try client.get("/v1/assets/\(id)/inspect").json
        #expect(inspection?["source"]?["input"] == "other.zip")
        #expect(inspection?["scene"]?["triangles"] == 140)
    }

    @Test func aReportComesInEachForm() throws {
        let report = try client.get(asset + "/report")
        #expect(report.json?["findings"]?["warnings"]?.number ?? 0 >= 1)
        #expect(try client.get(asset + "/report?format=sarif").json?["version"] == "2.1.0")
        let markdown = try client.get(asset + "/report", headers: ["Accept": "text/markdown"])
        #expect(markdown.text.hasPrefix("## Validation"))
        #expect(try client.get(asset + "/report?format=pdf").status == 400)
    }

    @Test func aThumbnailIsDrawnAndKnownByItsTag() throws {
        let whole = try client.get(asset + "/thumbnail.png")
        #expect(whole.status == 200)
        #expect(whole.headers["content-type"] == "image/png")
        let tag = try #require(whole.headers["etag"])
        #expect(try client.get(asset + "/thumbnail.png?size=256", headers: ["If-None-Match": tag]).status == 304)
        let small = try client.get(asset + "/thumbnail.png?size=64")
        #expect(small.headers["etag"] != tag)
        for (answer, side) in [(whole, 256), (small, 64)] {
            #expect(answer.body.starts(with: [0x89, 0x50, 0x4e, 0x47]))
            // The header's width and height.
            #expect(
                answer.body[16..<24].elementsEqual([
                    0, 0, UInt8(side >> 8), UInt8(side & 255), 0, 0, UInt8(side >> 8), UInt8(side & 255),
                ]))
        }
        let again = try client.get(asset + "/thumbnail.png")
        #expect(again.body == whole.body)
        for size in ["63", "1025", "-1", "256.0", "", "99999999999999999999"] {
            let answer = try client.get(asset + "/thumbnail.png?size=\(size)")
            #expect(answer.status == 400)
            #expect(answer.json?["parameter"] == "size")
        }
    }

    @Test func aModelIsMadeAndKnownByItsTag() throws {
        let whole = try client.get(asset + "/model.glb")
        #expect(whole.body.starts(with: "glTF".utf8))
        #expect(whole.headers["content-type"] == "model/gltf-binary")
        let tag = try #require(whole.headers["etag"])
        #expect(try client.get(asset + "/model.glb", headers: ["If-None-Match": tag]).status == 304)
        let part = try client.get(asset + "/model.glb", headers: ["Range": "bytes=4-7"])
        #expect(part.status == 206)
        #expect(part.body == Array(whole.body[4..<8]))
        #expect(part.headers["content-range"] == "bytes 4-7/\(whole.body.count)")
        #expect(try client.get(asset + "/model.glb", headers: ["Range": "bytes=99999999-"]).status == 416)
    }

    @Test(arguments: [
        ("model.usdz", "model/vnd.usdz+zip", "PK"), ("model.stl", "model/stl", ""),
        ("model.obj.zip", "application/zip", "PK"), ("model.glb?compact=1", "model/gltf-binary", "glTF"),
        ("model.glb?compact=meshopt", "model/gltf-binary", "glTF"),
    ])
    func aModelComesInOtherFormats(_ name: String, _ type: String, _ signature: String) throws {
        let answer = try client.get("\(asset)/\(name)")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.headers["content-type"] == type)
        #expect(answer.body.starts(with: signature.utf8))
        #expect(answer.headers["content-disposition"]?.contains("walker.") == true)
        let links = try #require(answer.headers["link"])
        let plain = String(name.prefix { $0 != "?" })
        for other in ["model.glb", "model.usdz", "model.stl", "model.obj.zip"] {
            #expect(links.contains("<\(asset)/\(other)>; rel=\"alternate\"") == (other != plain), "\(other): \(links)")
        }
        let tag = try #require(answer.headers["etag"])
        #expect(tag != (try client.get("\(asset)/model.glb").headers["etag"]))
        #expect(try client.get("\(asset)/\(name)", headers: ["If-None-Match": tag]).status == 304)
        #expect(try client.get(asset).json?["links"]?[plain]?.string == "\(asset)/\(plain)")
    }

    @Test func aCompactModelIsSmallerAndAnArchiveHasAllFiles() throws {
        let plain = try client.get(asset + "/model.glb").body
        let quantized = try client.get(asset + "/model.glb?compact=quantized")
        #expect(quantized.body.count < plain.count)
        #expect(quantized.text.contains("KHR_mesh_quantization"))
        let names = ["model.obj", "model.mtl", "model-skin-tone.png"]
        let archive = try client.get(asset + "/model.obj.zip").text
        for name in names { #expect(archive.contains(name), "\(name)") }
    }

    @Test(arguments: ["model.glb?compact=0", "model.glb?compact=", "model.usdz?compact=1", "model.stl?compact=meshopt"])
    func whatCannotBeCompactIsRefused(_ name: String) throws {
        let answer = try client.get("\(asset)/\(name)")
        #expect(answer.status == 400)
        #expect(answer.json?["parameter"] == "compact")
    }

    @Test(arguments: ["/original", "/files/walker.dae", "/files/textures/skin%20tone.png"])
    func strangersBytesAreInert(_ path: String) throws {
        let answer = try client.get(asset + path)
        #expect(answer.status == 200)
        #expect(answer.headers["content-disposition"]?.hasPrefix("attachment;") == true)
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["content-security-policy"] == "sandbox; default-src 'none'")
    }

    @Test(arguments: [
        "/files/nix", "/files/..%2f..%2f..%2fdaed.sqlite", "/files/%2fetc%2fpasswd", "/files/%00",
        "/files/../../../../daed.sqlite", "/files/..%252f..%252fdaed.sqlite", "/files/..%5c..%5cdaed.sqlite",
        "/files//etc/passwd", "/files/textures/../walker.dae", "/files/./walker.dae",
        "/files/C:%5cWindows%5cwin.ini",
    ])
    func noPathLeadsOut(_ path: String) throws {
        let answer = try client.get(asset + path)
        #expect(answer.status == 404)
        #expect(answer.json?["code"] == "SOURCE_NOT_FOUND")
        #expect(try client.get("/healthz").status == 200)
    }

    @Test func aPathThatIsNoTextIsRefused() throws {
        #expect(try client.get(asset + "/files/%c0%ae%c0%ae/daed.sqlite").status == 400)
    }

    @Test func eventsAreReplayedFromTheLastOneSeen() throws {
        // Of bytes that were not read before.
        let id = try client.upload(walker + [0], name: "walker.zip")
        _ = try client.outcome(of: id)
        let connection = try LoopbackClient(port: service.port)
        connection.send("GET /v1/assets/\(id)/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var text = ""
        while !text.contains("\"state\":\"ready\""), case let bytes = connection.read(64), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
        }
        let states = ["downloading", "unzipping", "parsing", "ready"].compactMap {
            text.firstRange(of: "\"state\":\"\($0)\"")?.lowerBound
        }
        #expect(states.count == 4)
        #expect(states == states.sorted())
    }

    @Test func actionsThatFitNoStateAreRefused() throws {
        let answer = try client.send("POST", asset + "/actions", body: Array(#"{"version":1,"action":"retry"}"#.utf8))
        #expect(answer.status == 409)
        #expect(answer.json?["code"] == "ASSET_ACTION_REFUSED")
        let unknown = try client.send("POST", asset + "/actions", body: Array(#"{"version":1,"action":"fly"}"#.utf8))
        #expect(unknown.status == 400)
        #expect(unknown.headers["content-type"] == "application/problem+json")
    }
}

import TestSupport
import Testing

/// Ranges and conditions as RFC 9110 has them.
@Suite(.sharedService) struct RangeAnswerTests {
    private let client: ServiceClient
    private let path: String

    init() throws {
        client = try SharedService.present.client
        path = "/v1/assets/\(try client.upload(Array("no model".utf8), name: "a.zip"))/original"
    }

    @Test func aRangeBeyondTheEndIsToldTheLength() throws {
        let answer = try client.get(path, headers: ["Range": "bytes=8-"])
        #expect(answer.status == 416)
        #expect(answer.headers["content-range"] == "bytes */8")
    }

    @Test func aHeadHasNoRanges() throws {
        let answer = try client.send("HEAD", path, headers: ["Range": "bytes=2-3"])
        #expect(answer.status == 200)
        #expect(answer.headers["content-length"] == "8")
        #expect(answer.headers["content-range"] == nil)
        #expect(try client.send("HEAD", path, headers: ["Range": "bytes=8-"]).status == 200)
        #expect(try client.get(path, headers: ["Range": "bytes=2-3"]).text == " m")
    }

    @Test func aListOfTagsMayHaveWhiteSpaceAroundEach() throws {
        let tag = try #require(try client.get(path).headers["etag"])
        for known in ["\"a\" , \(tag)", "\"a\"\t,\t\(tag)\t,\"b\"", "W/\(tag) ,\"a\"", " * "] {
            #expect(try client.get(path, headers: ["If-None-Match": known]).status == 304, "\(known)")
        }
        for other in ["\"a\"", "\"a\", *", "a \(tag)"] {
            #expect(try client.get(path, headers: ["If-None-Match": other]).status == 200, "\(other)")
        }
    }
}

import Testing

@testable import DaeObjectStore

@Suite struct S3SettingsTests {
    @Test(arguments: [
        ("s3://abc", "abc", ""), ("s3://abc/", "abc", ""), ("s3://a-b.c1/x", "a-b.c1", "x/"),
        ("s3://abc/x/ö y/", "abc", "x/ö y/"),
    ])
    func aLocationIsABucketAndAPrefix(_ text: String, bucket: String, prefix: String) throws {
        let location = try S3Location(text)
        #expect(location.bucket == bucket && location.prefix == prefix)
    }

    @Test(arguments: [
        "", "s3://", "s3:///x", "http://abc", "s3://ab", "s3://ABC", "s3://-abc", "s3://a..b", "s3://a_b_c",
        "s3://abc//",
        "s3://abc/../x", "s3://abc/a//b", "s3://abc/\u{0}", "s3://ab@c", "s3://\(String(repeating: "a", count: 64))",
        "s3://abc/\(String(repeating: "x", count: 600))",
    ])
    func whatIsNoLocationIsRefused(_ text: String) {
        #expect(throws: S3Error.self) { try S3Location(text) }
    }

    @Test func anEndpointIsAddressedByPathAndAWSByHost() throws {
        func url(
            _ region: String, _ endpoint: String?, _ addressing: S3Settings.Addressing? = nil, bucket: String = "abc"
        ) throws -> String {
            var settings = S3Settings(region: region, endpoint: endpoint)
            settings.addressing = addressing
            let endpoint = try S3Endpoint(S3Location("s3://" + bucket), settings)
            return endpoint.url(endpoint.path("k ö"), "")
        }
        #expect(try url("eu-north-1", nil) == "https://abc.s3.eu-north-1.amazonaws.com/k%20%C3%B6")
        #expect(try url("cn-north-1", nil) == "https://abc.s3.cn-north-1.amazonaws.com.cn/k%20%C3%B6")
        #expect(try url("us-east-1", nil, .path) == "https://s3.us-east-1.amazonaws.com/abc/k%20%C3%B6")
        // A certificate for all names below one is for no deeper ones.
        #expect(try url("us-east-1", nil, bucket: "a.b") == "https://s3.us-east-1.amazonaws.com/a.b/k%20%C3%B6")
        #expect(try url("x", "http://127.0.0.1:9000/") == "http://127.0.0.1:9000/abc/k%20%C3%B6")
        #expect(try url("x", "https://Store.example.org:443") == "https://store.example.org/abc/k%20%C3%B6")
        #expect(try url("x", "https://store.example.org", .virtualHost) == "https://abc.store.example.org/k%20%C3%B6")
        for endpoint in ["", "ftp://a", "store.example.org:x", "http://user:secret@a", "http://a/path", "http://a?x=1"]
        {
            let error = #expect(throws: S3Error.self, "\(endpoint)") { try url("x", endpoint) }
            #expect(error?.description.contains("secret") == false)
        }
        for region in ["", "a b", "a/b", "eu.west"] {
            #expect(throws: S3Error.self) { try url(region, nil) }
        }
    }
}

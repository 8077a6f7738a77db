import Testing

@testable import DaeObjectStore

/// The examples that AWS publishes for S3 ("Signature Calculations for the Authorization Header" and "Using Query
/// Parameters"), and signatures that botocore 1.44 made.
@Suite struct SignatureV4Tests {
    private static let aws = SignatureV4(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1", time: 1_369_353_600)
    private static let host = "examplebucket.s3.amazonaws.com"
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: SignatureV4.Message
        var payload = SignatureV4Tests.empty
        let names: String
        let signature: String
    }

    private static let published: [Example] = [
        Example(
            testDescription: "GET of a range",
            message: .init(method: "GET", host: host, path: "/test.txt", headers: [("Range", "bytes=0-9")]),
            names: "host;range;x-amz-content-sha256;x-amz-date",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            testDescription: "PUT",
            message: .init(
                method: "PUT", host: host, path: "/test%24file.text",
                headers: [
                    ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ]),
            payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            names: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            testDescription: "a parameter without a value",
            message: .init(method: "GET", host: host, path: "/", query: [("lifecycle", "")]),
            names: "host;x-amz-content-sha256;x-amz-date",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            testDescription: "a list",
            message: .init(method: "GET", host: host, path: "/", query: [("prefix", "J"), ("max-keys", "2")]),
            names: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test(arguments: published)
    func aPublishedExampleIsSignedAsPublished(_ example: Example) {
        let headers = Self.aws.headers(example.message, payload: example.payload)
        #expect(
            headers.last?.value
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=\(example.names),Signature=\(example.signature)")
    }

    @Test func aPublishedAddressIsSignedAsPublished() {
        let query = Self.aws.presignedQuery(.init(method: "GET", host: Self.host, path: "/test.txt"), seconds: 86_400)
        #expect(
            query
                == "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3"
                + "%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature="
                + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    private static let botocore = SignatureV4(
        credentials: S3Credentials(accessKey: "AKIDEXAMPLE", secret: "se/cr+et", sessionToken: "to/ke+n=="),
        region: "eu-central-1", time: 1_795_888_800)
    private static let local = "127.0.0.1:9000"

    private static let computed: [Example] = [
        Example(
            testDescription: "PUT where absent, of a key that is encoded",
            message: .init(
                method: "PUT", host: local, path: "/bucket/gr%C3%BCn/a%20b%2B~c",
                headers: [("x-amz-checksum-sha256", "abc="), ("If-None-Match", "*")]),
            payload: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
            names: "host;if-none-match;x-amz-checksum-sha256;x-amz-content-sha256;x-amz-date;x-amz-security-token",
            signature: "d77274e4001e27d3f6690f3701bb02b85862d7ae2bed50b7203badb976b332e9"),
        Example(
            testDescription: "a part",
            message: .init(
                method: "PUT", host: local, path: "/bucket/k", query: [("uploadId", "a/b="), ("partNumber", "2")]),
            names: "host;x-amz-content-sha256;x-amz-date;x-amz-security-token",
            signature: "f748b7396ae14226c48455d1d18eae0eabd1f1c16bb06b24d29bf85eb4430c41"),
        Example(
            testDescription: "a list",
            message: .init(
                method: "GET", host: local, path: "/bucket",
                query: [("list-type", "2"), ("start-after", "a b/+"), ("prefix", "a b/"), ("max-keys", "10")]),
            names: "host;x-amz-content-sha256;x-amz-date;x-amz-security-token",
            signature: "c1179a54f2743b192dbe1ee5ee7a070dd87f4039a3218c91f464132869aaeec3"),
    ]

    @Test(arguments: computed)
    func aRoleSignsAsBotocoreDoes(_ example: Example) {
        let headers = Self.botocore.headers(example.message, payload: example.payload)
        #expect(
            headers.last?.value == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261128/eu-central-1/s3/aws4_request,"
                + "SignedHeaders=\(example.names),Signature=\(example.signature)")
        #expect(headers.contains { $0 == ("x-amz-security-token", "to/ke+n==") })
    }

    @Test func aRoleSignsAddressesAsBotocoreDoes() {
        let query: [SignatureV4.Field] = [
            ("response-content-type", "model/gltf-binary"),
            ("response-content-disposition", "attachment; filename=\"x y.glb\""),
        ]
        let signed = Self.botocore.presignedQuery(
            .init(method: "GET", host: Self.local, path: "/bucket/a%20b", query: query), seconds: 60)
        #expect(signed.contains("&X-Amz-Security-Token=to%2Fke%2Bn%3D%3D&"))
        #expect(signed.contains("response-content-disposition=attachment%3B%20filename%3D%22x%20y.glb%22"))
        #expect(signed.hasSuffix("&X-Amz-Signature=4729cfd02ee9a93d28a58418a977939935f6f9f58dab8b289ac86f5dc9c292e8"))
    }

    @Test(arguments: [0, 951_782_400, 1_369_353_600, 1_795_888_800, 4_102_444_799] as [Int64])
    func aMomentIsReadAsItIsWritten(_ seconds: Int64) {
        #expect(S3Time.seconds(S3Time.text(seconds)) == seconds)
    }

    @Test func aMomentHasItsForms() {
        #expect(S3Time.text(1_369_353_600) == "2013-05-24T00:00:00Z")
        #expect(S3Time.compact(1_369_353_600) == "20130524T000000Z")
        #expect(S3Time.seconds("2013-05-24T00:00:00.000Z") == 1_369_353_600)
        for text in ["", "Z", "2013-05-24", "2013-05-24T00:00:00", "2013-13-24T00:00:00Z", "-1-99999999999-0T0:0:0Z"] {
            #expect(S3Time.seconds(text) == nil, "\(text)")
        }
    }
}

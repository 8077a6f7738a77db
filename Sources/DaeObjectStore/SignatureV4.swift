// Pure: the time is given. Source: AWS Signature Version 4, as S3 takes it (the path is encoded once).

import DaeCore
import FoundationEssentials

/// Signs requests in the name of an access key.
struct SignatureV4 {
    typealias Field = (name: String, value: String)

    let credentials: S3Credentials
    let region: String
    /// Seconds since 1970.
    let time: Int64

    /// What is signed of a request.
    struct Message {
        let method: String
        let host: String
        /// Percent-encoded.
        let path: String
        var query: [Field] = []
        /// Beside those that a signature adds.
        var headers: [Field] = []
    }

    /// The digest of a body that is not signed.
    static let unsigned = "UNSIGNED-PAYLOAD"

    /// All headers that the request is sent with, but `Host`.
    ///
    /// - Parameter payload: The body's SHA-256 in hexadecimal digits, or ``unsigned``.
    func headers(_ message: Message, payload: String) -> [Field] {
        var headers = message.headers
        headers += [("x-amz-date", S3Time.compact(time)), ("x-amz-content-sha256", payload)]
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        let query = Self.query(message.query)
        let (names, signature) = sign(message, query, headers, payload)
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
        return headers + [("Authorization", authorization)]
    }

    /// The query by which whoever has it may make the request until so many seconds have passed.
    func presignedQuery(_ message: Message, seconds: Int) -> String {
        var fields = message.query
        fields += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"),
            ("X-Amz-Date", S3Time.compact(time)), ("X-Amz-Expires", "\(seconds)"), ("X-Amz-SignedHeaders", "host"),
        ]
        if let token = credentials.sessionToken { fields.append(("X-Amz-Security-Token", token)) }
        let query = Self.query(fields)
        return query + "&X-Amz-Signature=" + sign(message, query, [], Self.unsigned).signature
    }

    private var scope: String { "\(S3Time.compact(time).prefix(8))/\(region)/s3/aws4_request" }

    private func sign(
        _ message: Message, _ query: String, _ headers: [Field], _ payload: String
    ) -> (names: String, signature: String) {
        let fields = (headers + [("host", message.host)]).map { ($0.name.lowercased(), Self.collapsed($0.value)) }
            .sorted { $0.0 < $1.0 }
        let names = fields.map(\.0).joined(separator: ";")
        let lines = fields.map { "\($0):\($1)\n" }.joined()
        let request = "\(message.method)\n\(message.path)\n\(query)\n\(lines)\n\(names)\n\(payload)"
        let digest = SHA256Digest(hashing: Array(request.utf8)).hex
        let text = "AWS4-HMAC-SHA256\n\(S3Time.compact(time))\n\(scope)\n\(digest)"
        var key = Array("AWS4\(credentials.secret)".utf8)
        for part in scope.split(separator: "/") + [Substring(text)] {
            key = HMACSHA256.code(of: Array(part.utf8), key: key).bytes
        }
        return (names, SHA256Digest(bytes: key)?.hex ?? "")
    }

    /// In the order of the encoded names, which is the one that is signed.
    static func query(_ fields: [Field]) -> String {
        fields.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }.sorted {
            ($0.0, $0.1) < ($1.0, $1.1)
        }
        .map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private static func collapsed(_ value: String) -> String {
        value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
}

/// Moments as S3 writes them, in seconds since 1970. Source: ISO 8601.
enum S3Time {
    /// `20130524T000000Z`.
    static func compact(_ seconds: Int64) -> String { text(seconds).filter { $0 != "-" && $0 != ":" } }

    /// `2013-05-24T00:00:00Z`.
    static func text(_ seconds: Int64) -> String { Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601) }

    /// Reads ``text(_:)``, with a fraction of a second or without; `nil` for another text.
    static func seconds(_ text: String) -> Int64? {
        let whole = text.hasSuffix("Z") ? text.prefix { $0 != "." && $0 != "Z" } + "Z" : ""
        return (try? Date(String(whole), strategy: .iso8601)).map { Int64($0.timeIntervalSince1970) }
    }
}

import DaeCore
package import DaeDownload

/// Where objects lie: a bucket, and what their keys begin with.
package struct S3Location: Sendable, Hashable {
    package let bucket: String
    /// Empty, or with a slash at its end.
    package let prefix: String

    /// Takes `s3://bucket` or `s3://bucket/prefix`.
    package init(_ text: String) throws(S3Error) {
        let shown = text.printable(limit: 100)
        guard text.hasPrefix("s3://") else { throw .configuration("\(shown) is no S3 address; expected s3://bucket") }
        let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = String(parts[0])
        guard bucket.wholeMatch(of: /[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/) != nil, !bucket.contains("..") else {
            throw .configuration(
                "\(shown) names no bucket; expected 3 to 63 small letters, digits, dots and hyphens behind s3://")
        }
        let rest = parts.count > 1 ? String(parts[1]) : ""
        prefix = rest.isEmpty || rest.hasSuffix("/") ? rest : rest + "/"
        guard prefix.isEmpty || Self.isKey(prefix) && prefix.utf8.count <= 512 else {
            throw .configuration("\(shown) has no usable prefix; expected names parted by single slashes")
        }
    }

    /// Whether a text can be a key: a path that neither a client nor a server on the way takes for another.
    static func isKey(_ text: String) -> Bool {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last == "" { parts.removeLast() }
        return text.utf8.count <= 1024 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && parts.allSatisfy { !["", ".", ".."].contains($0) }
    }
}

/// How a store is spoken to.
package struct S3Settings: Sendable {
    /// Where the bucket's name stands.
    package enum Addressing: Sendable {
        case path
        case virtualHost
    }

    package var region: String
    /// Such as `https://storage.example.org:9000`; `nil` for AWS.
    package var endpoint: String?
    /// `nil` for the usual one: in the path where an endpoint is given, else in the host.
    package var addressing: Addressing?
    package var credentials = S3CredentialSource.automatic
    /// Certificates to trust instead of the system's, as a PEM file.
    package var caFile: String?
    package var retries = RetryPolicy()
    /// How long an answer may stay away, or bytes may come slower than 1,000 a second.
    package var patience: Duration = .seconds(30)

    package init(region: String = "us-east-1", endpoint: String? = nil) {
        (self.region, self.endpoint) = (region, endpoint)
    }
}

/// Where requests of one bucket go.
struct S3Endpoint: Sendable {
    private let scheme: String
    /// As a request names it: without the scheme's own port.
    let host: String
    private let base: String

    init(_ location: S3Location, _ settings: S3Settings) throws(S3Error) {
        let region = settings.region
        guard !region.isEmpty, PercentEncoding.encode(region) == region, !region.contains(".") else {
            throw .configuration("\(region.printable(limit: 40)) is no region; expected a name such as us-east-1")
        }
        let (scheme, authority) = try Self.parts(of: settings.endpoint, region)
        let hasDotUnderTLS = scheme == "https" && location.bucket.contains(".")
        let usual: S3Settings.Addressing = settings.endpoint == nil && !hasDotUnderTLS ? .virtualHost : .path
        self.scheme = scheme
        switch settings.addressing ?? usual {
        case .path: (host, base) = (authority, "/" + location.bucket)
        case .virtualHost: (host, base) = ("\(location.bucket).\(authority)", "")
        }
    }

    private static func parts(of endpoint: String?, _ region: String) throws(S3Error) -> (String, String) {
        guard let endpoint else {
            return ("https", "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : ""))
        }
        let expected = "expected an address such as https://storage.example.org:9000"
        guard !endpoint.contains("@") else {
            throw .configuration("the S3 endpoint contains a user name; \(expected), and credentials elsewhere")
        }
        let base: String
        do { base = try HTTPClient.base(endpoint) } catch {
            throw .configuration("the S3 endpoint cannot be used: \(error.message)")
        }
        let parts = base.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].contains("/") else {
            throw .configuration("the S3 endpoint \(base.printable()) has a path; \(expected)")
        }
        let (scheme, usual) = parts[0] == "https:" ? ("https", ":443") : ("http", ":80")
        let authority = parts[2].lowercased()
        return (scheme, authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority)
    }

    /// The path of a key, or of the bucket, as it is signed and sent.
    func path(_ key: String?) -> String {
        key.map { base + "/" + PercentEncoding.encode($0, keeping: "/") } ?? (base.isEmpty ? "/" : base)
    }

    func url(_ path: String, _ query: String) -> String {
        "\(scheme)://\(host)\(path)" + (query.isEmpty ? "" : "?" + query)
    }
}

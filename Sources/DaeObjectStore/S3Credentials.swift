import DaeCore
import DaeDiagnostics

/// An access key with its secret, which no text shows.
package struct S3Credentials: Sendable, Equatable {
    package let accessKey: String
    let secret: String
    /// Of a role.
    let sessionToken: String?
    /// In seconds since 1970; `nil` for never.
    package let expires: Int64?

    package init(accessKey: String, secret: String, sessionToken: String? = nil, expires: Int64? = nil) {
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
        self.expires = expires
    }

    /// What a role's server answers. `nil` for any other text.
    init?(role json: [UInt8]) {
        guard let json = try? LocatedJSON.value(in: json), let key = json["AccessKeyId"]?.string,
            let secret = json["SecretAccessKey"]?.string, let token = json["Token"]?.string,
            let expires = json["Expiration"]?.string.flatMap(S3Time.seconds)
        else { return nil }
        self.init(accessKey: key, secret: secret, sessionToken: token, expires: expires)
    }

    /// A profile of a credentials file; `nil` where it is not there or lacks a key.
    init?(file: String, profile: String) {
        var values: [Substring: String] = [:]
        var section: Substring = ""
        for line in file.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = line.dropFirst().dropLast().trimmed
            } else if section == profile, !line.hasPrefix("#"), let mark = line.firstIndex(of: "=") {
                values[line[..<mark].trimmed] = String(line[mark...].dropFirst().trimmed)
            }
        }
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
        self.init(accessKey: key, secret: secret, sessionToken: values["aws_session_token"])
    }
}

extension S3Credentials: CustomStringConvertible, CustomReflectable {
    package var description: String { "access key \(accessKey.printable(limit: 40))" }
    package var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}

/// Where credentials come from. The variables are those of AWS's own tools.
package enum S3CredentialSource: Sendable {
    case fixed(S3Credentials)
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`.
    case environment
    /// `AWS_SHARED_CREDENTIALS_FILE` or `~/.aws/credentials`; `AWS_PROFILE` or `default`. Read again every five minutes.
    case file
    /// `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `…_FULL_URI`, with `AWS_CONTAINER_AUTHORIZATION_TOKEN` or `…_TOKEN_FILE`.
    case container
    /// Of the machine, by the second version of its metadata service (`AWS_EC2_METADATA_SERVICE_ENDPOINT`).
    case instance
    /// The first of environment, file, container and instance that there is.
    case automatic
}

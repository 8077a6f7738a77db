import DaeCore
import DaeDiagnostics
import DaeDownload

/// Why an S3 store did not do what was asked. No text of it holds a secret or a signature.
package enum S3Error: Error, Sendable, Hashable {
    /// What was configured cannot be used: an address, a bucket's name, a region.
    case configuration(String)
    /// There are none, or they cannot be had now.
    case credentials(String)
    case bucketAbsent(String)
    case keyAbsent(String)
    case wrongRegion(bucket: String, region: String)
    /// By the rights or the rules of the store; in its own word.
    case refused(code: String, status: Int)
    /// In seconds since 1970.
    case clockSkew(ours: Int64, theirs: Int64)
    /// No connection was made.
    case unreachable(String)
    /// The store was there, but had a fault that should pass, and was asked as often as is allowed.
    case transient(String)
    case checksumMismatch(key: String)
    case tooLarge(key: String, limit: Int64)
    /// No byte of the object is in the range.
    case outOfRange(key: String)
    /// An answer that is none of S3's.
    case unexpected(String)
    /// Of this machine.
    case file(String)
    case cancelled
}

extension S3Error: CustomStringConvertible {
    package var description: String {
        switch self {
        case .configuration(let reason): reason
        case .credentials(let reason): "no credentials for the S3 store: \(reason)"
        case .bucketAbsent(let bucket): "the S3 store has no bucket \(bucket)"
        case .keyAbsent(let key): "the S3 store has no object \(key.printable())"
        case .wrongRegion(let bucket, let region):
            "the bucket \(bucket) is in region \(region); set that as the region"
        case .refused(let code, let status): "the S3 store refused (\(code), \(status)): \(Self.meaning(of: code))"
        case .clockSkew(let ours, let theirs):
            "the clocks differ too much: here it is \(S3Time.text(ours)), at the S3 store \(S3Time.text(theirs))"
        case .unreachable(let reason): "the S3 store cannot be reached: \(reason)"
        case .transient(let reason): "the S3 store does not serve now: \(reason)"
        case .checksumMismatch(let key): "the bytes of \(key.printable()) are not those of its SHA-256"
        case .tooLarge(let key, let limit): "\(key.printable()) is larger than \(limit) bytes"
        case .outOfRange(let key): "the range is behind the end of \(key.printable())"
        case .unexpected(let reason): "the answer is not that of an S3 store: \(reason)"
        case .file(let reason): reason
        case .cancelled: "the transfer was cancelled"
        }
    }

    private static func meaning(of code: String) -> String {
        switch code {
        case "InvalidAccessKeyId": "it does not know the access key"
        case "SignatureDoesNotMatch": "the secret key is not that of the access key"
        case "AccessDenied", "Forbidden": "the access key has not the right"
        case "ExpiredToken", "TokenRefreshRequired", "InvalidToken": "the session token has expired"
        case "PreconditionFailed": "the object is not in the state that was expected"
        default: "it does not do what was asked"
        }
    }
}

/// What an answer that is no success means.
struct S3Fault: Error {
    let error: S3Error
    /// Whether the same request may succeed soon.
    let isPassing: Bool
    /// Whether other credentials may help.
    var isOfCredentials = false
    /// Seconds; as the store says.
    var retryAfter: Int64?

    private static let passing: Set = [
        "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "OperationAborted",
        "ConditionalRequestConflict", "Throttling", "ThrottlingException", "RequestLimitExceeded",
    ]
    private static let digests: Set = [
        "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch",
    ]
    private static let expired: Set = ["ExpiredToken", "TokenRefreshRequired", "InvalidToken", "InvalidAccessKeyId"]
    /// What a store allows is a quarter of an hour; where it says nothing but 403, less makes it likely already.
    private static let mostSkew: Int64 = 600

    init(_ error: S3Error, isPassing: Bool = false) {
        self.error = error
        self.isPassing = isPassing
    }

    /// - Parameter hasAnswered: Whether the head of an answer had come.
    init(_ failure: DownloadError?, hasAnswered: Bool) {
        let passing: Set<FindingCode> = [.downloadConnectionFailed, .downloadTimeout, .downloadTruncated]
        let reason = failure?.message ?? "nothing came"
        isPassing = failure.map { passing.contains($0.code) } ?? true
        error = failure?.isCancelled == true ? .cancelled : hasAnswered ? .transient(reason) : .unreachable(reason)
    }

    /// - Parameters:
    ///   - answer: Of a status that is no success; its body is empty or an XML document.
    ///   - signed: When the request was signed, in seconds since 1970.
    init(_ answer: S3Answer, to request: S3Request, bucket: String, region: String, signed: Int64) {
        let (head, document) = (answer.head, S3Document(answer.body))
        let status = head.status
        let code = document?["Code"]?.printable(limit: 80) ?? ""
        let shown = code.isEmpty ? "\(status) \(head.phrase)" : "\(status) \(code)"
        let actual = head.bucketRegion ?? document?["Region"]?.printable(limit: 40)
        retryAfter = head.retryAfter
        isOfCredentials = Self.expired.contains(code)
        isPassing = Self.passing.contains(code) || status == 408 || status == 429 || status >= 500
        let key = request.key ?? ""
        let skewed = head.date.map { abs($0 - signed) > Self.mostSkew } ?? false
        if isPassing {
            error = .transient("it answered \(shown)")
        } else if code == "RequestTimeTooSkewed" || status == 403 && skewed {
            error = .clockSkew(ours: signed, theirs: head.date ?? signed)
        } else if let actual, !actual.isEmpty, actual != region, (300...399).contains(status) || status == 400 {
            error = .wrongRegion(bucket: bucket, region: actual)
        } else if code == "NoSuchBucket" || status == 404 && request.key == nil {
            error = .bucketAbsent(bucket)
        } else if status == 404, code.isEmpty || code == "NoSuchKey" {
            error = .keyAbsent(key)
        } else if Self.digests.contains(code) {
            error = .checksumMismatch(key: key)
        } else if status == 413 || code == "EntityTooLarge" {
            error = .tooLarge(key: key, limit: S3Client.mostBytes)
        } else if status == 416 {
            error = .outOfRange(key: key)
        } else if (400...499).contains(status) {
            error = .refused(code: code.isEmpty ? head.phrase : code, status: status)
        } else {
            error = .unexpected("\(shown)")
        }
    }
}

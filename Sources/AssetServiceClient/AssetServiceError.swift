public import AssetPipeline
public import Diagnostics
public import Download

/// Why the service did not do what was asked for.
public enum AssetServiceError: Error, Sendable {
    /// The server's address makes no sense.
    case invalidServer(String)
    /// The service was not reached, or the connection broke; or a file to be sent cannot be read.
    case unreachable(DownloadError)
    /// The service said no.
    case refused(ServiceProblem)
    /// What answered is no service of this kind, or a newer one.
    case notUnderstood(String)
    /// What was fetched cannot be written.
    case cannotWrite(path: String, reason: String)
    /// An asset ended otherwise than as `ready`.
    case failed(AssetState.Failure)
    /// By the caller.
    case cancelled
}

extension AssetServiceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidServer(let reason): reason
        case .unreachable(let error): error.message
        case .refused(let problem): problem.description
        case .notUnderstood(let reason): "the answer is none of this service: \(reason)"
        case .cannotWrite(let path, let reason): "\(path): cannot be written: \(reason)"
        case .failed(let failure): "\(failure.message) [\(failure.code.rawValue)]"
        case .cancelled: "cancelled"
        }
    }
}

/// Why the service refused a request, in its own words. Source: RFC 9457.
public struct ServiceProblem: Sendable, Hashable {
    /// Of HTTP.
    public let status: Int
    /// The finding code; `nil` for what is no matter of an asset.
    public let code: FindingCode?
    public let title: String
    public let detail: String
    /// Which occurrence it is; `nil` where the service does not say.
    public let instance: String?
    /// By which the service's log knows the request.
    public let requestID: String?
    /// Seconds after which asking again may help.
    public let retryAfter: Int64?

    /// - Parameter body: Of the answer; what is no problem in JSON leaves the title alone.
    init(status: Int, phrase: String, body: [UInt8], retryAfter: Int64?) {
        let json = try? JSONValue(text: body)
        self.status = status
        self.retryAfter = retryAfter
        code = json?["code"]?.string.flatMap { FindingCode(rawValue: $0) }
        title = json?["title"]?.string ?? phrase
        detail = json?["detail"]?.string ?? ""
        instance = json?["instance"]?.string
        requestID = json?["requestId"]?.string
    }
}

extension ServiceProblem: CustomStringConvertible {
    public var description: String {
        let name = code.map { " [\($0.rawValue)]" } ?? ""
        return "the service answered \(status) \(title)\(detail.isEmpty ? "" : ": " + detail)\(name)"
    }
}

import Glibc

/// Why bytes could not be had.
public struct ByteSourceError: Error, Sendable, Hashable {
    public enum Cause: Sendable, Hashable {
        /// The thing to be read does not exist (as against being unreadable).
        case missing
        /// There are more bytes than the reader was allowed to take.
        case overLimit
        case failed
        /// The bytes lie on a server that did not give them.
        case remote(RemoteFailure)
    }

    /// What was tried, such as `open` or `read`.
    public let operation: String
    /// The name of the file or address, as it was given.
    public let subject: String
    /// The system's reason, such as "No such file or directory".
    public let reason: String
    public let cause: Cause

    public var isMissing: Bool { cause == .missing }

    public init(operation: String, subject: String, reason: String, cause: Cause) {
        self.operation = operation
        self.subject = subject
        self.reason = reason
        self.cause = cause
    }

    public init(operation: String, subject: String, reason: String, isMissing: Bool = false) {
        self.init(operation: operation, subject: subject, reason: reason, cause: isMissing ? .missing : .failed)
    }

    /// The reason that the system gives for `errno`.
    public init(operation: String, subject: String, errno code: Int32) {
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        self.init(
            operation: operation, subject: subject, reason: reason, isMissing: code == ENOENT || code == ENOTDIR)
    }
}

extension ByteSourceError: CustomStringConvertible {
    public var description: String { "\(subject): cannot \(operation): \(reason)" }
}

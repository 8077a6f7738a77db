/// How far a download has come.
public struct DownloadProgress: Sendable, Hashable {
    /// Bytes on disk so far, at least 0.
    public let received: Int64
    /// Bytes in all; `nil` where the server does not say.
    public let expected: Int64?

    public init(received: Int64, expected: Int64?) {
        self.received = received
        self.expected = expected
    }
}

package import DaeCore
package import DaeDiagnostics

/// Whom a download tells how it goes, on its own thread; it waits for them.
struct DownloadReport: Sendable {
    var progress: @Sendable (DownloadProgress) -> Void = { _ in }
    var notice: @Sendable (DownloadNotice) -> Void = { _ in }
    /// Gets a file to read while it arrives; `nil` where nobody would.
    var arriving: (@Sendable (ArrivingFile) -> Void)?
}

/// What a person who waits for a download should know of its way.
package enum DownloadNotice: Sendable, Hashable {
    /// Another process fetches the same address: its file will be ours.
    case waitingForAnotherProcess
    /// An earlier transfer is gone on with behind that many bytes.
    case resuming(bytes: Int64)
    /// The request failed for a passing reason and is made again after a pause.
    case tryingAgain(seconds: Double, reason: String)
    /// What had come is of no use: the file is fetched from its first byte.
    case startingOver(reason: String)
    /// The work on a file that was read by ranges has ended.
    case readByRanges(url: String, RemoteByteSource.Usage)
}

extension DownloadNotice {
    /// One sentence without a full stop.
    package var text: String {
        switch self {
        case .waitingForAnotherProcess: "waiting for another process that fetches the same address"
        case .resuming(let bytes): "going on behind the \(bytes) bytes that are there"
        case .tryingAgain(let seconds, let reason):
            "\(reason); trying again in \(Double(Int(seconds * 10)) / 10) s"
        case .startingOver(let reason): "\(reason); fetching the file from its first byte"
        case .readByRanges(let url, let usage):
            "\(url): fetched \(usage.bytes) of \(usage.size) bytes in \(usage.requests) requests"
        }
    }
}

/// How far a download has come.
package struct DownloadProgress: Sendable, Hashable {
    /// Bytes on disk so far, at least 0.
    package let received: Int64
    /// Bytes in all; `nil` where the server does not say.
    package let expected: Int64?

    package init(received: Int64, expected: Int64?) {
        self.received = received
        self.expected = expected
    }
}

/// A whole file in the cache, with what the server said of it.
package struct DownloadedFile: Sendable, Hashable {
    /// Where its bytes came from this time.
    package enum Origin: Sendable, Hashable {
        /// The server; `resumedAt` is where this transfer began, 0 for all.
        case server(resumedAt: Int64)
        /// The cache; the server confirmed that nothing changed.
        case confirmed
        /// The cache; no server was asked, or another process had just fetched it.
        case cache
    }

    /// In the cache; named by the digest, so without an extension.
    package let path: String
    /// Bytes, at least 0.
    package let size: Int64
    package let sha256: SHA256Digest
    /// The address it came from in the end, after all redirects; without user name, password and fragment.
    package let url: String
    /// As the server wrote it, such as `application/zip`; `nil` where it said nothing.
    package let contentType: String?
    /// A name fit for a file: the one the server proposed, else the last part of the address. Never empty, without
    /// separators, control characters and leading dots, at most 200 bytes.
    package let suggestedName: String
    package let origin: Origin
    /// What was odd on the way, none of it an error.
    package let findings: [Finding]
}

/// A file whose download has just begun or goes on.
package struct ArrivingFile: Sendable {
    /// Its bytes, as they come. Whatever is made of them counts for nothing before ``ArrivingByteSource/sha256`` is there.
    package let source: ArrivingByteSource
    /// As ``DownloadedFile/suggestedName``, unless a later request ends elsewhere.
    package let suggestedName: String
}

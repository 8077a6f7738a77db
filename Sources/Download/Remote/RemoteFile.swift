/// A file on a server that is read by ranges.
public struct RemoteFile: Sendable {
    public let source: RemoteByteSource
    /// After all redirects; without user name, password and fragment.
    public let url: String
    public let contentType: String?
    /// As ``DownloadedFile/suggestedName``.
    public let suggestedName: String
    let signal: StopSignal

    /// Ends all reading for good: whoever waits for the server, or will, gets an error.
    public func stop() { signal.stop() }
}

/// Where the bytes of an address are read from.
public enum OpenedAddress: Sendable {
    /// Its server, a range at a time.
    case remote(RemoteFile)
    /// The cache, as a whole.
    case whole(DownloadedFile)
}

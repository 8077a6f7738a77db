/// What a download may take before it is ended.
public struct DownloadLimits: Sendable, Hashable {
    /// The body's bytes: held against the announced length, then against what really arrives.
    public var bytes: Int64 = 4 << 30
    /// Bytes of all headers of one answer, interim ones and trailers included.
    public var headerBytes = 256 << 10
    /// Redirects that are followed.
    public var redirects = 10
    /// For finding the host, connecting and agreeing on encryption, of each address. At least a millisecond.
    public var connectTimeout: Duration = .seconds(30)
    /// How long a transfer may stay below ``slowestRate``. Rounded up to whole seconds.
    public var stallTimeout: Duration = .seconds(60)
    /// Bytes a second, as a mean over some seconds.
    public var slowestRate = 100

    public init() {}
}

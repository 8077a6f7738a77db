public import ByteSource
public import Diagnostics

/// How images and documents that a scene refers to by http or https are got, and how many of them. Nothing here knows the network.
public struct WebFetch: Sendable {
    /// What came of one address.
    public enum Answer: Sendable {
        case file(any ByteSource)
        /// - Parameters:
        ///   - received: Bytes that arrived nevertheless, at least 0.
        case failed(FindingCode, message: String, received: Int64)
    }

    /// Addresses that are asked for in one report, at most.
    public var addresses = 64
    /// Bytes that may arrive for one report, those of failed transfers counted.
    public var bytes: Int64 = 256 << 20
    /// Gets one file of at most `limit` bytes. Called on the thread that inspects, which it may block; ends soon once
    /// `isCancelled` says so.
    public var get: @Sendable (_ url: String, _ limit: Int64, _ isCancelled: () -> Bool) -> Answer

    public init(get: @escaping @Sendable (_ url: String, _ limit: Int64, _ isCancelled: () -> Bool) -> Answer) {
        self.get = get
    }
}

public import Diagnostics

/// Why a cache could not be looked at, checked or pruned.
public struct CacheError: CodedError, Hashable {
    let failure: DownloadFailure

    public var code: FindingCode { failure.code }
    /// The path stands in the message.
    public var place: Place { Place() }
    /// Whether it was ended by the caller.
    public var isCancelled: Bool { failure == .cancelled }
    public var message: String {
        isCancelled ? "the work on the cache was stopped" : "\(failure.observed); \(failure.expected)"
    }

    /// Runs what fails with a failure as what fails with such an error.
    static func wrapping<Value>(_ body: () throws(DownloadFailure) -> Value) throws(CacheError) -> Value {
        do throws(DownloadFailure) {
            return try body()
        } catch {
            throw CacheError(failure: error)
        }
    }
}

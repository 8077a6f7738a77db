/// How far what is in the cache already may stand for the server.
public enum CacheMode: String, Sendable, Hashable, CaseIterable {
    /// As long as the server allowed; then it is asked whether anything changed.
    case revalidate
    /// Always, and no server is asked: what is not in the cache is a failure.
    case offline
    /// Never: every byte is fetched again.
    case refresh
}

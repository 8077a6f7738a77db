/// What every download of one downloader has in common.
struct TransferConfiguration: Sendable {
    var cache: DownloadCache
    var limits: DownloadLimits
    /// With the policy and the options of every request.
    var pool: LoopPool
}

/// What every request of one downloader has in common. The network policy of a later step belongs here.
struct TransferConfiguration: Sendable {
    var cache: DownloadCache
    var limits: DownloadLimits
    var userAgent: String
    /// Certificates to trust instead of the system's, as PEM.
    var caFile: String?
}

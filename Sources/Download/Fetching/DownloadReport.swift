/// Whom a download tells how it goes, on its own thread; it waits for them.
struct DownloadReport: Sendable {
    var progress: @Sendable (DownloadProgress) -> Void = { _ in }
    var notice: @Sendable (DownloadNotice) -> Void = { _ in }
    /// Gets a file to read while it arrives; `nil` where nobody would.
    var arriving: (@Sendable (ArrivingFile) -> Void)?
}

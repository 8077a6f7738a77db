/// What a person who waits for a download should know of its way.
public enum DownloadNotice: Sendable, Hashable {
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
    public var text: String {
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

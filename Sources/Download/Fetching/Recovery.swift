/// What trying again, when a person asks for it, can do about a failure.
public enum Recovery: Sendable, Hashable {
    /// It may go on behind the bytes that arrived.
    case resume
    /// It may begin with the first byte: those that arrived are not to be trusted.
    case startOver
    /// The same would come of it.
    case nothing
}

/// An error that knows better than its code whether trying again may help.
public protocol RecoverableError: Error {
    var recovery: Recovery { get }
}

extension DownloadFailure {
    /// Generous: a server, a certificate or a disk may have been mended meanwhile.
    var recovery: Recovery {
        switch self {
        // A resolver that is out of order for a while cannot be told from a name that does not exist.
        case .hostNotFound, .connectionFailed, .connectTimedOut, .connectionBroken, .stalled, .truncated, .tls: .resume
        case .io, .noResources, .noLibrary, .noFile, .notInCache, .cancelled: .resume
        case .status: isTriedAgain ? .resume : .nothing
        case .checksumMismatch, .wrongRange, .page, .changed: .startOver
        case .invalidURL, .blocked, .tooManyRedirects, .tooLarge, .headerTooLarge: .nothing
        }
    }
}

public import Diagnostics
import Download

extension AssetState {
    /// The stage that could not be ended, why, and what a retry would start from.
    public struct Failure: Sendable, Hashable {
        public let stage: AssetStage
        public let attempt: Attempt
        public let reason: Reason
        /// The next attempt, ready to run; `nil` when trying again cannot help.
        ///
        /// Its `received` is what had arrived; the download finds out how much of that is still there.
        public let resume: Download?

        /// The failure of `stage` in the attempt that came as far as `download`.
        init(_ stage: AssetStage, _ reason: Reason, _ recovery: Recovery, of download: Download) {
            self.init(
                stage: stage, attempt: download.attempt, reason: reason, resume: recovery.resume(download))
        }

        init(stage: AssetStage, attempt: Attempt, reason: Reason, resume: Download?) {
            self.stage = stage
            self.attempt = attempt
            self.reason = reason
            self.resume = resume
        }

        public var code: FindingCode { reason.code }
        public var message: String { reason.message }
        public var place: Place { reason.place }
    }

    /// Why a stage could not be ended.
    public struct Reason: Sendable, Hashable {
        public let code: FindingCode
        /// One sentence: what, and what was expected.
        public let message: String
        public let place: Place

        public init(_ code: FindingCode, _ message: String, at place: Place = Place()) {
            self.code = code
            self.message = message
            self.place = place
        }

        /// What an operation threw; an error without a code becomes `IO_ERROR` with its text.
        public init(_ error: any Error) {
            if let coded = error as? any CodedError {
                self.init(coded.code, coded.message, at: coded.place)
            } else if error is CancellationError {
                self = .cancelled
            } else {
                self.init(.ioError, String(String(describing: error).prefix(500)))
            }
        }

        /// Someone asked for the work to stop.
        public static let cancelled = Reason(.assetCancelled, "Stopped on request.")
    }
}

extension Recovery {
    /// As the error says; where it says nothing, its code tells.
    init(after error: any Error) {
        if let error = error as? any RecoverableError {
            self = error.recovery
        } else if let error = error as? any CodedError {
            self =
                Self.passing.contains(error.code) ? .resume : Self.spoilt.contains(error.code) ? .startOver : .nothing
        } else {
            self = .resume  // stopped on request, or a failure of the system
        }
    }

    func resume(_ download: AssetState.Download) -> AssetState.Download? {
        let next = download.attempt.next
        return switch self {
        case .resume: .init(source: download.source, attempt: next, bytes: download.bytes)
        case .startOver: .init(source: download.source, attempt: next, bytes: .none)
        case .nothing: nil
        }
    }

    // Sets and not a switch: a code that is new is final until someone has thought about it.
    // Those of downloads are of files that are read by ranges, whose errors come through the archive's.
    private static let passing: Set<FindingCode> = [
        .assetCancelled, .ioError, .sourceNotFound, .downloadHTTPStatus, .downloadTruncated, .downloadTimeout,
        .downloadConnectionFailed,
    ]
    private static let spoilt: Set<FindingCode> = [.downloadValidatorChanged, .archiveInvalid, .archiveSizeMismatch]
}

// A local file passes through the same cases: its downloading settles at once.

public import DaeDiagnostics
import DaeDownload

/// Where one asset is on its way from an address to a scene that can be used.
///
/// Exactly one case holds at a time, and each carries only what that stage has. Values are small: what a stage
/// made (file, bundle, scene) is with the pipeline, not here.
public enum AssetState: Sendable, Hashable {
    case downloading(Download)
    case unzipping(Unzip)
    case parsing(Parse)
    case ready(Ready)
    case failed(Failure)

    /// Bytes on their way here.
    public struct Download: Sendable, Hashable {
        /// Which try this is.
        public let attempt: Attempt
        let bytes: StageProgress

        /// The first attempt, with nothing received.
        package static let first = Download(attempt: .first, bytes: .none)

        /// For tests and previews, which show a state that no pipeline has.
        public init(attempt: Attempt, bytes: StageProgress) {
            self.attempt = attempt
            self.bytes = bytes
        }

        /// Bytes that have arrived, those of earlier attempts included.
        public var received: Int64 { bytes.done }
        /// Bytes in all; `nil` until the server has said.
        public var expected: Int64? { bytes.total }

        func advanced(to newer: StageProgress) -> Download {
            Download(attempt: attempt, bytes: bytes.advanced(to: newer))
        }
    }

    /// The bundle is being opened: every entry checked against the budgets, the scene picked.
    public struct Unzip: Sendable, Hashable {
        /// The archive's name, without its folder.
        public let archive: String
        /// Which try this is.
        public let attempt: Attempt
        let entries: StageProgress

        /// The first attempt, with no entry checked.
        package init(archive: String) { self.init(archive: archive, attempt: .first, entries: .none) }

        /// For tests and previews.
        public init(archive: String, attempt: Attempt, entries: StageProgress) {
            self.archive = archive
            self.attempt = attempt
            self.entries = entries
        }

        /// Entries that were checked.
        public var entriesDone: Int { Int(clamping: entries.done) }
        /// Entries in all; `nil` until the directory was read.
        public var entriesTotal: Int? { entries.total.map { Int(clamping: $0) } }

        func advanced(to newer: StageProgress) -> Unzip {
            Unzip(archive: archive, attempt: attempt, entries: entries.advanced(to: newer))
        }
    }

    /// The scene's document is being read.
    public struct Parse: Sendable, Hashable {
        /// The document's path in the bundle.
        public let document: String
        /// Which try this is.
        public let attempt: Attempt
        let bytes: StageProgress

        /// The first attempt, with nothing read.
        package init(document: String, bytesTotal: Int64? = nil) {
            self.init(document: document, attempt: .first, bytes: StageProgress(done: 0, of: bytesTotal))
        }

        /// For tests and previews.
        public init(document: String, attempt: Attempt, bytes: StageProgress) {
            self.document = document
            self.attempt = attempt
            self.bytes = bytes
        }

        /// Bytes of the document that were read.
        public var bytesRead: Int64 { bytes.done }
        /// Bytes in all; `nil` where only reading to the end can tell.
        public var bytesTotal: Int64? { bytes.total }

        func advanced(to newer: StageProgress) -> Parse {
            Parse(document: document, attempt: attempt, bytes: bytes.advanced(to: newer))
        }
    }

    /// The scene can be used; it is had from the pipeline.
    public struct Ready: Sendable, Hashable {
        /// Which try this was.
        public let attempt: Attempt
        /// Counts, bounds, digest and number of findings.
        public let summary: AssetSummary

        /// For tests and previews.
        public init(attempt: Attempt, summary: AssetSummary) {
            self.attempt = attempt
            self.summary = summary
        }
    }
}

extension AssetState {
    /// The stage that could not be ended, why, and what a retry would start from.
    public struct Failure: Sendable, Hashable {
        /// The stage that failed.
        public let stage: AssetStage
        /// Which try this was.
        public let attempt: Attempt
        package let reason: Reason
        /// The next attempt, ready to run; `nil` when trying again cannot help.
        ///
        /// Its `received` is what had arrived; the download finds out how much of that is still there.
        public let resume: Download?

        /// The failure of `stage` in the attempt that came as far as `download`.
        init(_ stage: AssetStage, _ reason: Reason, _ recovery: Recovery, of download: Download) {
            self.init(
                stage: stage, attempt: download.attempt, reason: reason, resume: recovery.resume(download))
        }

        /// For tests and previews: a failure that can be tried again.
        public init(
            stage: AssetStage, attempt: Attempt, code: FindingCode, message: String, place: Place = Place()
        ) {
            self.init(
                stage: stage, attempt: attempt, reason: Reason(code, message, at: place),
                resume: Download(attempt: attempt.next, bytes: .none))
        }

        init(stage: AssetStage, attempt: Attempt, reason: Reason, resume: Download?) {
            self.stage = stage
            self.attempt = attempt
            self.reason = reason
            self.resume = resume
        }

        /// What kind of failure it is.
        public var code: FindingCode { reason.code }
        /// What is wrong and what was expected, as one sentence for people.
        public var message: String { reason.message }
        /// Where in the bundle it is; empty where that says nothing.
        public var place: Place { reason.place }
    }

    /// Why a stage could not be ended.
    package struct Reason: Sendable, Hashable {
        package let code: FindingCode
        /// One sentence: what, and what was expected.
        package let message: String
        package let place: Place

        package init(_ code: FindingCode, _ message: String, at place: Place = Place()) {
            self.code = code
            self.message = message
            self.place = place
        }

        /// What an operation threw; an error without a code becomes `IO_ERROR` with its text.
        package init(_ error: any Error) {
            if let coded = error as? any CodedError {
                self.init(coded.code, coded.message, at: coded.place)
            } else if error is CancellationError {
                self = .cancelled
            } else {
                self.init(.ioError, String(String(describing: error).prefix(500)))
            }
        }

        /// Someone asked for the work to stop.
        package static let cancelled = Reason(.assetCancelled, "Stopped on request.")
    }
}

extension Recovery {
    /// As the error says; where it says nothing, its code tells.
    init(after error: any Error) {
        if let error = error as? DownloadError {
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
        case .resume: .init(attempt: next, bytes: download.bytes)
        case .startOver: .init(attempt: next, bytes: .none)
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

extension AssetState {
    /// A state without what it carries. Raw values are what is written.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case downloading, unzipping, parsing, ready, failed
    }

    /// Which of the five it is.
    public var kind: Kind {
        switch self {
        case .downloading: .downloading
        case .unzipping: .unzipping
        case .parsing: .parsing
        case .ready: .ready
        case .failed: .failed
        }
    }

    /// The try that this state belongs to.
    public var attempt: Attempt {
        switch self {
        case .downloading(let download): download.attempt
        case .unzipping(let unzip): unzip.attempt
        case .parsing(let parse): parse.attempt
        case .ready(let ready): ready.attempt
        case .failed(let failure): failure.attempt
        }
    }

    /// The stage at work; `nil` once the asset has settled.
    public var stage: AssetStage? {
        switch self {
        case .downloading: .download
        case .unzipping: .unzip
        case .parsing: .parse
        case .ready, .failed: nil
        }
    }

    /// Share of the present stage that is done, 0...1; `nil` when it cannot be known.
    public var progress: Double? {
        switch self {
        case .downloading(let download): download.bytes.fraction
        case .unzipping(let unzip): unzip.entries.fraction
        case .parsing(let parse): parse.bytes.fraction
        case .ready: 1
        case .failed: nil
        }
    }

    /// Whether nothing happens any more unless someone asks for it.
    public var isSettled: Bool { stage == nil }

    /// Whether there is a scene.
    public var isReady: Bool { summary != nil }

    /// Whether the asset settled because someone asked for it to stop.
    public var isCancelled: Bool { failure?.code == .assetCancelled }

    package var canRetry: Bool { failure?.resume != nil }

    /// What there is to say of the scene; `nil` before it is ready.
    public var summary: AssetSummary? {
        switch self {
        case .ready(let ready): ready.summary
        case .downloading, .unzipping, .parsing, .failed: nil
        }
    }

    /// What went wrong; `nil` in every state but the failed.
    public var failure: Failure? {
        switch self {
        case .failed(let failure): failure
        case .downloading, .unzipping, .parsing, .ready: nil
        }
    }

    /// What may be asked for now, the most likely first.
    public var availableActions: [AssetAction.Kind] {
        switch self {
        case .downloading, .unzipping, .parsing: [.cancel, .remove]
        case .ready: [.convert, .remove]
        case .failed(let failure): failure.resume == nil ? [.remove] : [.retry, .remove]
        }
    }

    /// One word for a person.
    public var title: String {
        switch self {
        case .downloading: "Downloading"
        case .unzipping: "Unzipping"
        case .parsing: "Parsing"
        case .ready: "Ready"
        case .failed: isCancelled ? "Cancelled" : "Failed"
        }
    }
}

/// The work an asset goes through, in order.
public enum AssetStage: String, Sendable, Hashable, CaseIterable, Codable {
    case download, unzip, parse
}

// Totals come from servers and archives, which may lie; this type is where a lie ends.

/// How much of a stage is done, and of how much in all: bytes or entries. Never negative, never more than the total.
public struct StageProgress: Sendable, Hashable {
    /// Nothing done, of a total that is not known.
    public static let none = StageProgress(done: 0)

    /// What is done: bytes, or entries while unzipping.
    public let done: Int64
    /// `nil` until it is known, and again once it has been exceeded.
    public let total: Int64?

    /// Negative numbers count as 0; a total below `done` was wrong and is forgotten.
    public init(done: Int64, of total: Int64? = nil) {
        let done = max(0, done)
        self.done = done
        self.total = total.flatMap { $0 < done ? nil : $0 }
    }

    /// `nil` for numbers that no tally has; for values read from outside.
    init?(exactly done: Int64, of total: Int64?) {
        self.init(done: done, of: total)
        guard self.done == done, self.total == total else { return nil }
    }

    /// The newer count; a total that it does not name is the one known before.
    func advanced(to newer: StageProgress) -> StageProgress {
        StageProgress(done: newer.done, of: newer.total ?? total)
    }

    /// Share that is done, 0...1; `nil` while the total is unknown.
    package var fraction: Double? { total.map { $0 == 0 ? 1 : Double(done) / Double($0) } }
}

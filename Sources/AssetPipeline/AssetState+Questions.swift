import Diagnostics

extension AssetState {
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

    public var isReady: Bool { summary != nil }

    /// Whether the asset settled because someone asked for it to stop.
    public var isCancelled: Bool { failure?.code == .assetCancelled }

    public var canRetry: Bool { failure?.resume != nil }

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

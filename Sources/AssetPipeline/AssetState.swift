// A local file passes through the same cases: its downloading settles at once.

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
        /// Path or address, as it was given.
        public let source: String
        public let attempt: Attempt
        let bytes: Tally

        /// The first attempt, with nothing received.
        public init(source: String) { self.init(source: source, attempt: .first, bytes: .none) }

        init(source: String, attempt: Attempt, bytes: Tally) {
            self.source = source
            self.attempt = attempt
            self.bytes = bytes
        }

        /// Bytes that have arrived, those of earlier attempts included.
        public var received: Int64 { bytes.done }
        /// Bytes in all; `nil` until the server has said.
        public var expected: Int64? { bytes.total }

        func advanced(to newer: Tally) -> Download {
            Download(source: source, attempt: attempt, bytes: bytes.advanced(to: newer))
        }
    }

    /// The bundle is being opened: every entry checked against the budgets, the scene picked.
    public struct Unzip: Sendable, Hashable {
        /// The archive's name, without its folder.
        public let archive: String
        public let attempt: Attempt
        let entries: Tally

        /// The first attempt, with no entry checked.
        public init(archive: String) { self.init(archive: archive, attempt: .first, entries: .none) }

        init(archive: String, attempt: Attempt, entries: Tally) {
            self.archive = archive
            self.attempt = attempt
            self.entries = entries
        }

        /// Entries that were checked.
        public var entriesDone: Int { Int(clamping: entries.done) }
        /// Entries in all; `nil` until the directory was read.
        public var entriesTotal: Int? { entries.total.map { Int(clamping: $0) } }

        func advanced(to newer: Tally) -> Unzip {
            Unzip(archive: archive, attempt: attempt, entries: entries.advanced(to: newer))
        }
    }

    /// The scene's document is being read.
    public struct Parse: Sendable, Hashable {
        /// The document's path in the bundle.
        public let document: String
        public let attempt: Attempt
        let bytes: Tally

        /// The first attempt, with nothing read.
        public init(document: String, bytesTotal: Int64? = nil) {
            self.init(document: document, attempt: .first, bytes: Tally(done: 0, of: bytesTotal))
        }

        init(document: String, attempt: Attempt, bytes: Tally) {
            self.document = document
            self.attempt = attempt
            self.bytes = bytes
        }

        public var bytesRead: Int64 { bytes.done }
        /// Bytes in all; `nil` where only reading to the end can tell.
        public var bytesTotal: Int64? { bytes.total }

        func advanced(to newer: Tally) -> Parse {
            Parse(document: document, attempt: attempt, bytes: bytes.advanced(to: newer))
        }
    }

    /// The scene can be used; it is had from the pipeline.
    public struct Ready: Sendable, Hashable {
        public let attempt: Attempt
        public let summary: AssetSummary

        init(attempt: Attempt, summary: AssetSummary) {
            self.attempt = attempt
            self.summary = summary
        }
    }
}

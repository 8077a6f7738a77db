package import DaeArchive
import DaeCore
package import DaeDiagnostics
public import DaeMesh
public import DaeScene

/// What the pipeline may do to the world, as closures: each front end composes its own, a test swaps just one.
public struct AssetOperations: Sendable {
    /// Tells how far a stage has come, in totals; cheap, may be called from any thread, thousands of times.
    public typealias Report = @Sendable (StageProgress) -> Void

    /// Work that takes time. Runs in the asset's own task, one stage at a time; ends soon once that task is cancelled.
    public struct Stages: Sendable {
        /// Fetches and verifies the source. What is left of an earlier attempt is found and used.
        public var download: @Sendable (AssetSource, AssetState.Download, @escaping Report) async throws -> AssetFile
        /// Opens the bundle, checks every entry, picks the scene.
        public var unzip: @Sendable (AssetState.Unzip, AssetFile, @escaping Report) async throws -> OpenedBundle
        /// Reads the scene.
        public var parse:
            @Sendable (AssetState.Parse, AssetFile, OpenedBundle, @escaping Report) async throws -> Dae.Model

        /// Stages of one's own; take ``AssetOperations/live(_:)``'s and change one where the others shall stay.
        public init(
            download:
                @escaping @Sendable (AssetSource, AssetState.Download, @escaping Report) async throws -> AssetFile,
            unzip: @escaping @Sendable (AssetState.Unzip, AssetFile, @escaping Report) async throws -> OpenedBundle,
            parse:
                @escaping @Sendable (AssetState.Parse, AssetFile, OpenedBundle, @escaping Report) async throws ->
                Dae.Model
        ) {
            self.download = download
            self.unzip = unzip
            self.parse = parse
        }
    }

    /// What is done at once and cannot fail. Called on the pipeline's actor or in an asset's task: short, never blocking.
    package struct Instant: Sendable {
        /// Milliseconds since 1970, UTC.
        package var now: @Sendable () -> Int64
        /// A name that no asset of the pipeline has.
        package var makeID: @Sendable () -> AssetID

        package init(
            now: @escaping @Sendable () -> Int64 = Instant.systemTime,
            makeID: @escaping @Sendable () -> AssetID = { .random() }
        ) {
            self.now = now
            self.makeID = makeID
        }

        /// The machine's clock.
        package static let systemTime: @Sendable () -> Int64 = {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }
    }

    /// Writes a ready asset's model, and says what was changed on the way. Runs in the asset's own task, once for each
    /// `convert` that was asked for; ends soon once that task is cancelled.
    public typealias Convert = @Sendable (AssetID, Dae.Model) async throws -> FidelityReport

    /// The work that takes time.
    public var stages: Stages
    package var instant: Instant
    /// `nil` where models have no place to go: the pipeline refuses to convert then.
    public var convert: Convert?

    /// Operations of one's own, by the machine's clock.
    public init(stages: Stages, convert: Convert? = nil) {
        self.init(stages: stages, instant: Instant(), convert: convert)
    }

    package init(stages: Stages, instant: Instant, convert: Convert? = nil) {
        self.stages = stages
        self.instant = instant
        self.convert = convert
    }
}

// What one stage hands to the next. These stay with the asset's worker and, the last, with the pipeline; states carry
// only what is small and can be written down.

/// What downloading gives: all bytes of the source, verified.
public struct AssetFile: Sendable, Hashable {
    /// Where the bytes are.
    package enum Location: Sendable, Hashable {
        /// A file or a folder, as a person named it.
        case path(String)
        /// A file of the download cache, whose name and place say nothing.
        case cached(String)
        /// A server, of which parts are read when they are needed.
        case remote(String)
        /// Read from whoever has them.
        case reader(AssetSource.SharedReader)
    }

    /// The name without its folder, for people.
    package let name: String
    package let location: Location
    /// `nil` for a folder.
    package let bytes: Int64?
    /// In hexadecimal; `nil` where it is not known yet or there is no single file.
    package let sha256: String?
    /// The source as it is shown to people (``SourceAddress/display(_:)``).
    package let input: String
    /// The entry that was asked for; `nil` for the bundle's own scene.
    package let entry: String?
    /// What was odd on the way.
    package let findings: [Finding]
    /// What was read of it while it arrived; gone with the last copy of this value.
    let headStart: HeadStart?
    /// The connection to its server, for ``Location/remote(_:)``; closed with the last copy of this value.
    let remote: OpenedRemote?
    /// Of one of several models, what was opened when the first of them was looked for.
    let model: OpenedModel?

    package init(
        name: String, location: Location, bytes: Int64? = nil, sha256: String? = nil, input: String,
        entry: String? = nil, findings: [Finding] = []
    ) {
        self.init(
            name: name, location: location, bytes: bytes, sha256: sha256, input: input, entry: entry,
            findings: findings, headStart: nil, remote: nil)
    }

    init(
        name: String, location: Location, bytes: Int64?, sha256: String?, input: String, entry: String?,
        findings: [Finding], headStart: HeadStart?, remote: OpenedRemote?, model: OpenedModel? = nil
    ) {
        self.findings = findings
        self.remote = remote
        self.model = model
        self.headStart = headStart
        self.name = name
        self.location = location
        self.bytes = bytes
        self.sha256 = sha256
        self.input = SourceAddress.display(input)
        self.entry = entry
    }
}

// For downloads of one's own.
extension AssetFile {
    /// A file or a folder of this machine.
    public static func path(_ path: String) -> AssetFile {
        AssetFile(name: path.split(separator: "/").last.map(String.init) ?? path, location: .path(path), input: path)
    }

    /// A file in memory; its name's ending says what it is where the bytes alone do not.
    public static func bytes(_ bytes: [UInt8], name: String) -> AssetFile {
        AssetFile(
            name: name, location: .reader(.init(MemoryByteSource(bytes))), bytes: Int64(bytes.count), input: name)
    }
}

extension AssetFile {
    /// The same file, of which one of several models is asked for; what was odd on the way is told with the first.
    func naming(_ model: SceneSearch.Model, in outermost: Bundle, sha256: String? = nil) -> AssetFile {
        AssetFile(
            name: name, location: location, bytes: bytes, sha256: sha256 ?? self.sha256,
            input: SourceAddress.address(of: model.address, in: input),
            entry: entry.map { SourceAddress.address(of: model.address, in: $0) } ?? model.address, findings: [],
            headStart: nil, remote: remote, model: OpenedModel(model, in: outermost))
    }

    /// Whether parts of it are read from a server when they are needed.
    package var isRemote: Bool {
        switch location {
        case .remote: true
        case .path, .cached, .reader: false
        }
    }
}

/// What unzipping gives: a bundle that was checked, and the scene picked from it.
public struct OpenedBundle: Sendable {
    /// The source itself, or the archive within it that holds the scene.
    package let bundle: Bundle
    /// The source itself.
    package let outermost: Bundle
    package let choice: SceneChoice
    /// What was odd about the archive and its manifests.
    package let findings: FindingLog

    package init(
        bundle: Bundle, in outermost: Bundle? = nil, choice: SceneChoice, findings: FindingLog = FindingLog()
    ) {
        self.bundle = bundle
        self.outermost = outermost ?? bundle
        self.choice = choice
        self.findings = findings
    }

    /// The scene's path in the bundle.
    package var scene: String { choice.entry.path }
    /// Bytes of the scene's document.
    package var sceneBytes: Int64? { choice.entry.size }
    /// Entries in the bundle.
    package var entries: Int { bundle.entries.count }
}

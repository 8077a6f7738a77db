import Glibc

/// What the pipeline may do to the world, as closures: each front end composes its own, a test swaps just one.
public struct AssetOperations: Sendable {
    /// Tells how far a stage has come, in totals; cheap, may be called from any thread, thousands of times.
    public typealias Report = @Sendable (Tally) -> Void

    /// Work that takes time. Runs in the asset's own task, one stage at a time; ends soon once that task is cancelled.
    public struct Stages: Sendable {
        /// Fetches and verifies the source. What is left of an earlier attempt is found and used by it.
        public var download: @Sendable (AssetState.Download, @escaping Report) async throws -> AssetFile
        /// Opens the bundle, checks every entry, picks the scene.
        public var unzip: @Sendable (AssetState.Unzip, AssetFile, @escaping Report) async throws -> OpenedBundle
        /// Reads the scene.
        public var parse:
            @Sendable (AssetState.Parse, AssetFile, OpenedBundle, @escaping Report) async throws -> AssetProduct

        public init(
            download: @escaping @Sendable (AssetState.Download, @escaping Report) async throws -> AssetFile,
            unzip: @escaping @Sendable (AssetState.Unzip, AssetFile, @escaping Report) async throws -> OpenedBundle,
            parse:
                @escaping @Sendable (AssetState.Parse, AssetFile, OpenedBundle, @escaping Report) async throws ->
                AssetProduct
        ) {
            self.download = download
            self.unzip = unzip
            self.parse = parse
        }
    }

    /// What is done at once and cannot fail. Called on the pipeline's actor or in an asset's task: short, never blocking.
    public struct Instant: Sendable {
        /// Deletes what a stopped or removed download left; called when nothing writes to it any more, maybe twice.
        public var discardPartial: @Sendable (AssetState.Download) -> Void
        /// Milliseconds since 1970, UTC.
        public var now: @Sendable () -> Int64
        /// A name that no asset of the pipeline has.
        public var makeID: @Sendable () -> AssetID

        public init(
            discardPartial: @escaping @Sendable (AssetState.Download) -> Void = { _ in },
            now: @escaping @Sendable () -> Int64 = Instant.systemTime,
            makeID: @escaping @Sendable () -> AssetID = { .random() }
        ) {
            self.discardPartial = discardPartial
            self.now = now
            self.makeID = makeID
        }

        /// The machine's clock.
        public static let systemTime: @Sendable () -> Int64 = {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }
    }

    /// Makes a ready asset's converted model, where there is a place for it; by itself a pipeline has none. Runs in the
    /// asset's own task, once for each `convert` that was asked for.
    public typealias Conversion = @Sendable (AssetID, AssetProduct) async -> Void

    public var stages: Stages
    public var instant: Instant
    public var convert: Conversion

    public init(stages: Stages, instant: Instant = Instant(), convert: @escaping Conversion = { _, _ in }) {
        self.stages = stages
        self.instant = instant
        self.convert = convert
    }
}

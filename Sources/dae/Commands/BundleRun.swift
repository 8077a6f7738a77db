import Daedalus

/// Opens sources, reads of them what the work asks for, and writes what is made of each, in the order given.
struct BundleRun {
    private let sources: [String]
    private let options: RunOptions
    private let live: AssetOperations.LiveOptions
    private let jobs: Int

    /// - Parameter jobs: How many sources are worked on at once.
    init(_ sources: [String], _ options: RunOptions, _ live: AssetOperations.LiveOptions? = nil, jobs: Int = 1) throws {
        self.sources = sources
        self.options = options
        self.live = try live ?? options.live()
        self.jobs = jobs
    }

    /// What became of one source.
    struct Outcome: Sendable {
        var rendering: SourceRun.Rendering
        var exit = DaeExit.fine
        /// What is said of it on standard error.
        var complaint: String?
        /// The line that the complaint is about.
        var excerpt: [String] = []
        /// Bytes of the source.
        var read: Int64?
    }

    typealias Work = @Sendable (LiveBundle, _ isCancelled: () -> Bool) throws -> Outcome

    /// - Parameters:
    ///   - goal: What the end of an address means.
    ///   - work: Called on a thread of its own; looks at its last argument now and then, and ends soon once that says so.
    /// - Throws: ``DaeExit`` unless all is fine.
    func run(
        _ goal: LiveBundle.Goal, isCompact: Bool, format: OutputFormat, work: @escaping Work
    ) async throws {
        try OutputGuard.check(options.output, sources: sources)
        let writer = ResultWriter(path: options.output, isCompact: isCompact, isSeparated: format == .text)
        let task = Task { await self.worst(goal, format, work, writer) }
        let interrupts = Interrupts { task.cancel() }
        let worst = await task.value
        if let code = interrupts.code { throw code }
        try writer.finish()
        if worst != .fine { throw worst }
    }

    private func worst(
        _ goal: LiveBundle.Goal, _ format: OutputFormat, _ work: @escaping Work, _ writer: ResultWriter
    ) async -> DaeExit {
        await withTaskGroup(of: (index: Int, outcome: Outcome).self) { group in
            var worst = DaeExit.fine
            var held: [Int: Outcome] = [:]
            var (begun, written) = (0, 0)
            func begin() {
                // Those that ended before an earlier one are held, so they count as being at work.
                while begun < sources.count, begun - written < jobs {
                    let (index, source, live) = (begun, sources[begun], live)
                    group.addTask { (index, await Self.outcome(of: source, goal, live, format, work)) }
                    begun += 1
                }
            }
            begin()
            while let (index, outcome) = await group.next() {
                held[index] = outcome
                while let outcome = held.removeValue(forKey: written) {
                    if Task.isCancelled { break }
                    worst = max(worst, outcome.exit)
                    if let complaint = outcome.complaint { complain(complaint) }
                    for line in outcome.excerpt { writeToStandardError(line + "\n") }
                    if options.verbose { complain("\(AssetSource.display(sources[written])): done") }
                    let limit = options.outputLimit(of: sources[written], read: outcome.read)
                    guard writer.write(outcome.rendering, within: limit) else {
                        group.cancelAll()
                        return worst
                    }
                    written += 1
                }
                if Task.isCancelled { break }
                begin()
            }
            return worst
        }
    }

    private static func outcome(
        of source: String, _ goal: LiveBundle.Goal, _ live: AssetOperations.LiveOptions, _ format: OutputFormat,
        _ work: @escaping Work
    ) async -> Outcome {
        do {
            let bundle = try await LiveBundle.open(source, goal: goal, options: live)
            var outcome = try await bundle.run { bundle, isCancelled in try work(bundle, isCancelled) }
            outcome.read = bundle.source.bytes
            return outcome
        } catch let exit as DaeExit {
            return Outcome(rendering: .nothing, exit: exit)
        } catch is CancellationError {
            return Outcome(rendering: .nothing, exit: .interrupted)
        } catch let error as SceneExportError where error.code == .assetCancelled {
            return Outcome(rendering: .nothing, exit: .interrupted)
        } catch {
            var outcome = Self.outcome(of: error, AssetSource.display(source), format)
            let failure = InspectionFailure(error, source: Inspection.Source(input: AssetSource.display(source)))
            outcome.excerpt = await SourceExcerpts.lines(about: failure, options: live)
            return outcome
        }
    }

    /// What becomes of a source, or of a model in it, that could not be read or written.
    static func outcome(of error: any Error, _ source: String, _ format: OutputFormat) -> Outcome {
        let failure = InspectionFailure(error, source: Inspection.Source(input: source))
        let isAboutTarget =
            (error as? UnpackError)?.isAboutTarget == true || (error as? SceneExportError)?.code == .ioError
        return Outcome(
            rendering: format == .json ? .json(failure.json) : .nothing,
            exit: isAboutTarget ? .cannotWrite : DaeExit(failure: failure.code),
            complaint: SourceRun.text(of: failure))
    }
}

extension LiveBundle {
    /// Says on standard error what is odd about a bundle that is listed or copied.
    func tellWarnings() {
        for finding in bundle.findings where finding.severity >= .warning {
            complain("\(file.input): \(finding.message) [\(finding.code.rawValue)]")
        }
    }
}

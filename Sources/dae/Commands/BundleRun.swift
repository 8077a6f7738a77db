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
        let progress = ProgressLine.isWanted(quiet: options.quiet) ? ProgressLine(sources: sources.count) : nil
        let flow = BundleFlow(
            sources: sources, options: options, jobs: jobs, writer: writer, progress: progress
        ) { source in
            BundleFlow.One(source: source, goal: goal, live: live, format: format, work: work, progress: progress)
        }
        try await CommandRun(writer: writer, progress: progress).run { await flow.start() }
    }

    /// What becomes of a source, or of a model in it, that could not be read or written.
    static func outcome(of error: any Error, _ source: String, _ format: OutputFormat) -> Outcome {
        let failure = InspectionFailure(error, source: Inspection.Source(input: source))
        let isAboutTarget = (error as? UnpackError)?.isAboutTarget == true
        return Outcome(
            rendering: format == .json ? .json(failure.json) : .nothing,
            exit: isAboutTarget ? .cannotWrite : DaeExit(failure: failure.code),
            complaint: SourceRun.text(of: failure))
    }
}

/// Opens sources side by side, and writes what became of each in their order.
private struct BundleFlow: Coordinator {
    let sources: [String]
    let options: RunOptions
    let jobs: Int
    let writer: ResultWriter
    let progress: ProgressLine?
    let child: @Sendable (_ source: String) -> One

    /// The exit code of the worst.
    func start() async -> DaeExit {
        var worst = DaeExit.fine
        await startChildren(count: sources.count, atMost: jobs) {
            child(sources[$0])
        } take: { index, outcome in
            if Task.isCancelled { return false }
            progress?.clear()
            worst = max(worst, outcome.exit)
            if let complaint = outcome.complaint { complain(complaint) }
            for line in outcome.excerpt { writeToStandardError(line + "\n") }
            if options.verbose { complain("\(SourceAddress.display(sources[index])): done") }
            return writer.write(
                outcome.rendering, within: options.outputLimit(of: sources[index], read: outcome.read))
        }
        return worst
    }

    /// One source.
    struct One: Coordinator {
        let source: String
        let goal: LiveBundle.Goal
        let live: AssetOperations.LiveOptions
        let format: OutputFormat
        let work: BundleRun.Work
        let progress: ProgressLine?

        func start() async -> BundleRun.Outcome {
            do {
                let bundle = try await LiveBundle.open(.typed(source), goal: goal, options: live) {
                    progress?.show(.downloading($0), of: source)
                }
                var outcome = try await bundle.run { bundle, isCancelled in try work(bundle, isCancelled) }
                outcome.read = bundle.source.bytes
                return outcome
            } catch let exit as DaeExit {
                return .init(rendering: .nothing, exit: exit)
            } catch is CancellationError {
                return .init(rendering: .nothing, exit: .interrupted)
            } catch {
                let shown = SourceAddress.display(source)
                var outcome = BundleRun.outcome(of: error, shown, format)
                let failure = InspectionFailure(error, source: Inspection.Source(input: shown))
                outcome.excerpt = await SourceExcerpts.lines(about: failure, options: live)
                return outcome
            }
        }
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

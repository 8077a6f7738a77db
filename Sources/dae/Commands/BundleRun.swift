import Daedalus

/// Opens sources one after the other, without reading their scenes, and writes what is made of each.
struct BundleRun {
    private let sources: [String]
    private let options: RunOptions
    private let live: AssetOperations.LiveOptions

    init(_ sources: [String], _ options: RunOptions, _ live: AssetOperations.LiveOptions? = nil) {
        self.sources = sources
        self.options = options
        self.live = live ?? options.live
    }

    /// What became of one source.
    struct Outcome: Sendable {
        var rendering: SourceRun.Rendering
        var exit = DaeExit.fine
    }

    /// - Parameter work: Called on a thread of its own; looks at its last argument now and then, and ends soon once that
    ///   says so.
    /// - Throws: ``DaeExit`` unless all is fine.
    func run(
        isCompact: Bool, format: OutputFormat,
        work: @escaping @Sendable (LiveBundle, _ isCancelled: () -> Bool) throws -> Outcome
    ) async throws {
        let writer = ResultWriter(path: options.output, isCompact: isCompact, isSeparated: format == .text)
        let (sources, live, verbose) = (sources, live, options.verbose)
        let task = Task { () -> DaeExit in
            var worst = DaeExit.fine
            for source in sources {
                let outcome = await Self.outcome(of: source, live, format, work)
                if Task.isCancelled { break }
                worst = max(worst, outcome.exit)
                if verbose { complain("\(AssetSource.display(source)): done") }
                if !writer.write(outcome.rendering) { break }
            }
            return worst
        }
        let interrupts = Interrupts { task.cancel() }
        let worst = await task.value
        if let code = interrupts.code { throw code }
        try writer.finish()
        if worst != .fine { throw worst }
    }

    private static func outcome(
        of source: String, _ live: AssetOperations.LiveOptions, _ format: OutputFormat,
        _ work: @escaping @Sendable (LiveBundle, () -> Bool) throws -> Outcome
    ) async -> Outcome {
        do {
            let bundle = try await LiveBundle.open(source, options: live)
            return try await bundle.run { bundle, isCancelled in try work(bundle, isCancelled) }
        } catch let exit as DaeExit {
            return Outcome(rendering: .nothing, exit: exit)
        } catch is CancellationError {
            return Outcome(rendering: .nothing, exit: .interrupted)
        } catch {
            let failure = InspectionFailure(error, source: Inspection.Source(input: AssetSource.display(source)))
            complain(SourceRun.text(of: failure))
            let isAboutTarget = (error as? UnpackError)?.isAboutTarget == true
            return Outcome(
                rendering: format == .json ? .json(failure.json) : .nothing,
                exit: isAboutTarget ? .cannotWrite : DaeExit(failure: failure.code))
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

import ArgumentParser
import Daedalus
import Glibc

/// Sends sources to a service and writes what it says of each, in the order given.
struct ServedRun: Sendable {
    /// One source on the service, nothing working on it any more.
    struct Settled: Sendable {
        /// As it was given, but for a user name and password.
        let source: String
        let asset: ServedAsset
    }

    /// What is made of a source that is ready; or, with its failure, of one that is not.
    typealias Work = @Sendable (AssetServiceClient, Settled) async throws(AssetServiceError) -> BundleRun.Outcome

    let client: AssetServiceClient
    let sources: [String]
    let options: RunOptions

    /// - Parameter isCompact: One line a source.
    /// - Throws: ``DaeExit`` unless all is fine.
    func run(isCompact: Bool = false, work: @escaping Work) async throws {
        for source in sources { try Self.check(source) }
        try OutputGuard.check(options.output, sources: sources)
        let writer = ResultWriter(path: options.output, isCompact: isCompact, isSeparated: false)
        let isShown = !options.quiet && isatty(STDERR_FILENO) == 1
        let progress = isShown ? ProgressLine(sources: sources.count) : nil
        let task = Task {
            var worst = DaeExit.fine
            for source in sources where !Task.isCancelled {
                let outcome = await outcome(of: source, work, progress)
                progress?.clear()
                if Task.isCancelled { break }
                if let complaint = outcome.complaint { complain(complaint) }
                worst = max(worst, outcome.exit)
                if !writer.write(isCompact ? outcome.rendering.onOneLine : outcome.rendering) { break }
            }
            return worst
        }
        let interrupts = Interrupts { task.cancel() }
        let worst = await task.value
        progress?.clear()
        if let code = interrupts.code { throw code }
        try writer.finish()
        if worst != .fine { throw worst }
    }

    /// A service has neither this machine's folders nor its standard input.
    private static func check(_ source: String) throws {
        let shown = AssetSource.display(source).withoutControls
        let given = AssetSource(source, exists: { ControlFile.kind($0) != nil })
        guard given.entry == nil else {
            throw ValidationError("\(shown) names an entry of an archive; --server takes whole files.")
        }
        switch given.location {
        case .url: break
        case .standardInput: throw ValidationError("Standard input cannot be sent with --server; name a file.")
        case .path(let path):
            if ControlFile.kind(path) == S_IFDIR {
                throw ValidationError("\(shown) is a folder, which cannot be sent with --server; pack it first.")
            }
        }
    }

    private func outcome(
        of source: String, _ work: Work, _ progress: ProgressLine?
    ) async -> BundleRun.Outcome {
        let shown = AssetSource.display(source)
        do throws(AssetServiceError) {
            let asset = try await settled(source, progress)
            let settled = Settled(source: shown, asset: asset)
            var outcome = try await work(client, settled)
            if let failure = asset.state.failure {
                outcome.exit = max(outcome.exit, DaeExit(failure: failure.code))
                let said = InspectionFailure(
                    source: Inspection.Source(input: shown), stage: .init(failure.stage), code: failure.code,
                    message: failure.message, place: failure.place)
                outcome.complaint = SourceRun.text(of: said)
            }
            return outcome
        } catch {
            let text = Self.text(of: error)
            return .init(
                rendering: .nothing, exit: DaeExit(error), complaint: text.hasPrefix(shown) ? text : "\(shown): \(text)"
            )
        }
    }

    private func settled(
        _ source: String, _ progress: ProgressLine?
    ) async throws(AssetServiceError) -> ServedAsset {
        let added: ServedAsset
        switch AssetSource(source, exists: { ControlFile.kind($0) != nil }).location {
        case .url(let url): added = try await client.add(url: url)
        case .path(let path):
            added = try await client.add(file: path) { sent in progress?.show("Sending  \(sent) bytes, \(path)") }
        case .standardInput: throw .invalidServer("standard input cannot be sent")
        }
        if added.state.isSettled { return added }
        return try await client.settled(added.id) { progress?.show($0) }
    }

    private static func text(of error: AssetServiceError) -> String {
        switch error {
        case .refused(let problem) where problem.status == 401 || problem.status == 403:
            "\(error); see --token-file and DAE_SERVER_TOKEN"
        case .unreachable(let failure): "\(failure.message) [\(failure.code.rawValue)]"
        case .invalidServer, .refused, .notUnderstood, .cannotWrite, .failed, .cancelled: "\(error)"
        }
    }
}

extension DaeExit {
    /// A service that cannot be had is a source that cannot be had.
    init(_ error: AssetServiceError) {
        self =
            switch error {
            case .invalidServer: .usage
            case .unreachable(let failure): DaeExit(failure: failure.code)
            case .refused(let problem): problem.code.map { DaeExit(failure: $0) } ?? .notFound
            case .notUnderstood: .notFound
            case .cannotWrite: .cannotWrite
            case .failed(let failure): DaeExit(failure: failure.code)
            case .cancelled: .interrupted
            }
    }
}

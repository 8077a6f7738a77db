import ArgumentParser
import DaeCore
import Daedalus

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
        let progress = ProgressLine.isWanted(quiet: options.quiet) ? ProgressLine(sources: sources.count) : nil
        try await CommandRun(writer: writer, progress: progress).run {
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
    }

    /// A service has neither this machine's folders nor its standard input.
    private static func check(_ source: String) throws {
        let shown = SourceAddress.display(source).withoutControls
        let given = SourceAddress(source, exists: { ControlFile.kind($0) != nil })
        guard given.entry == nil else {
            throw ValidationError("\(shown) names an entry of an archive; --server takes whole files.")
        }
        switch given.location {
        case .url: break
        case .standardInput: throw ValidationError("Standard input cannot be sent with --server; name a file.")
        case .path(let path):
            if ControlFile.kind(path) == .folder {
                throw ValidationError("\(shown) is a folder, which cannot be sent with --server; pack it first.")
            }
        }
    }

    private func outcome(
        of source: String, _ work: Work, _ progress: ProgressLine?
    ) async -> BundleRun.Outcome {
        let shown = SourceAddress.display(source)
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
        switch SourceAddress(source, exists: { ControlFile.kind($0) != nil }).location {
        case .url(let url): added = try await client.add(url: url)
        case .path(let path):
            added = try await client.add(file: path) { sent in progress?.show("Sending  \(sent) bytes, \(path)") }
        case .standardInput: throw .invalidServer("standard input cannot be sent")
        }
        if added.state.isSettled { return added }
        return try await client.settled(added.id) { progress?.show($0, of: source) }
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

// The service knows a source by the name it was sent under; the person who asked knows it by what they typed.

/// JSON as the service wrote it: keys sorted, two spaces a level.
struct ServedJSON {
    let bytes: [UInt8]

    /// The same with another text as the source's name.
    func named(_ source: String) -> ServedJSON {
        var naming = NamedText(source: source)
        return ServedJSON(bytes: naming.take(bytes) + naming.end())
    }

    /// The number at the end of a path of keys, each of which begins a line of its own level.
    func number(_ path: String...) -> Int? {
        var rest = bytes[...]
        for (level, name) in path.enumerated() {
            let key = "\n" + String(repeating: "  ", count: level + 1) + "\"\(name)\": "
            guard let found = rest.firstRange(of: Array(key.utf8)) else { return nil }
            rest = rest[found.upperBound...]
        }
        return Int(
            String(decoding: rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }, as: UTF8.self))
    }

    /// The same on one line, without a line end.
    var compact: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = Place.between
        for byte in bytes {
            switch (place, byte) {
            case (.between, 0x20), (.between, 0x0a): continue
            case (.between, UInt8(ascii: "\"")): place = .text
            case (.text, UInt8(ascii: "\"")): place = .between
            case (.text, UInt8(ascii: "\\")): place = .escape
            case (.escape, _): place = .text
            case (.between, _), (.text, _): break
            }
            result.append(byte)
        }
        return result
    }

    private enum Place {
        case between, text, escape
    }
}

extension SourceRun.Rendering {
    /// A service's JSON as a line.
    var onOneLine: SourceRun.Rendering {
        switch self {
        case .bytes(let bytes): .bytes(ServedJSON(bytes: bytes).compact + [UInt8(ascii: "\n")])
        case .json, .jsonLines, .jsonPieces, .text, .textPieces, .nothing: self
        }
    }
}

/// Which service does the work, where it is not this program.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let the service daed at this address do the work: each source is sent to it, or its address, and kept there.",
            valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the service's token; else DAE_SERVER_TOKEN says it.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    mutating func validate() throws {
        if server == nil, tokenFile != nil { throw ValidationError("--token-file is for --server.") }
    }

    /// The service that was asked for; `nil` where this program works by itself.
    ///
    /// - Parameter allowed: Options that mean the same there; any other one is refused, so that none is lost silently.
    func client(_ run: RunOptions, allowing allowed: [String]) throws -> AssetServiceClient? {
        guard let server else { return nil }
        try refuseOthers(than: Set(allowed + Self.always))
        do throws(AssetServiceError) {
            let options = try requests(run)
            return try AssetServiceClient(server, options: options)
        } catch { throw ValidationError("--server is \(server.withoutControls): \(error)") }
    }

    /// The texts are drawn from the scene, which stays where it was read.
    static func check(_ format: OutputFormat?) throws {
        switch format {
        case .json, nil: return
        case .text: throw ValidationError("--format text does not go together with --server; expected json.")
        }
    }

    private static let always = [
        "--server", "--token-file", "--output", "-o", "--quiet", "-q", "--verbose", "-v", "--cacert", "--color",
    ]

    private func refuseOthers(than allowed: Set<String>) throws {
        for argument in CommandLine.arguments.dropFirst() {
            if argument == "--" { return }
            guard argument.hasPrefix("-"), argument != "-" else { continue }
            let name = String(argument.prefix { $0 != "=" })
            guard allowed.contains(name) else {
                let why = name.hasPrefix("--password") ? ": the service opens no encrypted archives" : ""
                throw ValidationError("\(name.withoutControls) does not go together with --server\(why).")
            }
        }
    }

    private func requests(_ run: RunOptions) throws(AssetServiceError) -> RequestOptions {
        var options = RequestOptions()
        options.userAgent = "dae/\(Dae.version)"
        options.caFile = run.network.cacert
        if run.verbose { options.log = { complain($0) } }
        if let token = try token() {
            do throws(RequestHeaderError) { options.bearerToken = try BearerToken(token) } catch {
                throw .invalidServer("\(error)")
            }
        }
        return options
    }

    private func token() throws(AssetServiceError) -> String? {
        if let tokenFile {
            let bytes: [UInt8]
            do throws(ControlError) { bytes = try ControlFile.bytes(tokenFile, limit: 4096) } catch {
                throw .invalidServer("--token-file: \(error)")
            }
            let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
            return String(decoding: line, as: UTF8.self)
        }
        guard let token = getenv("DAE_SERVER_TOKEN").map({ String(cString: $0) }), !token.isEmpty else { return nil }
        return token
    }
}

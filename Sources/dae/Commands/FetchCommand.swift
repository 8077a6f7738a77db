import ArgumentParser
import DaeCore
import Daedalus

struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Download addresses into the cache, verified, and print what they hash to and where they lie.",
        discussion: """
            Prints a line an address that sha256sum --check takes: the SHA-256, then the path in the cache, or with \
            --output the path there. A transfer that was cut goes on where it ended, now or the next time.

            DAE_BEARER_TOKEN holds a token that goes along; the variables https_proxy, http_proxy and no_proxy name \
            proxies. dae cache looks into the cache.

            Examples:
              dae fetch https://example.org/model.zip
              dae fetch https://example.org/model.zip -o models/ --sha256 DIGITS
              dae fetch --jobs 8 --per-host 4 $(cat list.txt)
              dae fetch https://example.org/model.zip | sha256sum --check
            """)

    @Argument(help: ArgumentHelp("http(s):// or file:// addresses.", valueName: "url"))
    var urls: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Put it there too: a file, a folder that exists or ends in a slash, or - for standard output.",
            valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Let --output replace a file that is there and holds something else.")
    var force = false

    @Option(help: ArgumentHelp("How many addresses to fetch at once.", valueName: "n"))
    var jobs = 4

    @Option(help: ArgumentHelp("How many of these from one server.", valueName: "n"))
    var perHost = 2

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Flag(name: .shortAndLong, help: "No progress and no notes on standard error.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Tell each request on standard error.")
    var verbose = false

    @OptionGroup(title: "The network") var network: NetworkOptions

    mutating func validate() throws {
        if urls.isEmpty { throw ValidationError("Name at least one address.") }
        for url in urls where !["http://", "https://", "file://"].contains(where: { url.lowercased().hasPrefix($0) }) {
            let shown = SourceAddress.display(url).withoutControls
            throw ValidationError("\(shown) is no address; expected one that begins with http://, https:// or file://.")
        }
        if !(1...256).contains(jobs) { throw ValidationError("--jobs is \(jobs); expected 1 to 256.") }
        if !(1...256).contains(perHost) { throw ValidationError("--per-host is \(perHost); expected 1 to 256.") }
        if network.sha256 != nil, urls.count > 1 {
            throw ValidationError("--sha256 is for one address; of several each may end in #sha256=DIGITS.")
        }
        if output == "-", format == .json {
            throw ValidationError("--output - puts the file on standard output, where --format json writes as well.")
        }
        if let output, urls.count > 1, !FetchTarget.isFolder(output) {
            throw ValidationError("--output is one file for several addresses; expected a folder.")
        }
    }

    func run() async throws {
        let downloader = Downloader(
            cache: try NetworkOptions.cache(), options: try network.requests(isVerbose: verbose))
        let target = output.map { FetchTarget($0, replaces: force) }
        let display = FetchDisplay(.init(quiet: quiet), count: urls.count)
        let writer = ResultWriter(path: nil, isCompact: urls.count > 1, isSeparated: false)
        let format = format
        let requests = urls.map { DownloadRequest($0, sha256: network.digest, mode: network.mode) }
        let (limit, hostLimit) = (jobs, perHost)
        let showing = Task { await display.follow() }
        let failure: (any Error)?
        do {
            try await CommandRun(writer: writer, progress: nil).run {
                await FetchRun(downloader: downloader, display: display).run(
                    requests, atMost: limit, perHost: hostLimit
                ) { result in
                    switch result {
                    case .success(let fetched):
                        var exit = DaeExit.fine
                        var place: String? = fetched.file.path
                        if let target {
                            do throws(DaeExit) { place = try target.put(fetched.file) } catch { exit = error }
                        }
                        guard let place else { return exit }
                        return write(format == .json ? .json(fetched.json(at: place)) : .text(fetched.line(at: place)))
                            ? exit : nil
                    case .failure(let failure):
                        let exit = DaeExit(failure: failure.error.code)
                        return format == .text || write(.json(failure.json)) ? exit : nil
                    }
                }
            }
            failure = nil
        } catch { failure = error }
        showing.cancel()
        display.end(isStopped: [.interrupted, .terminated].contains(failure as? DaeExit))
        if let failure { throw failure }

        @Sendable func write(_ rendering: SourceRun.Rendering) -> Bool { display.pausing { writer.write(rendering) } }
    }
}

/// Fetches many addresses, a few at a time; the results come in the order of the addresses.
private struct FetchRun: Sendable {
    struct Fetched: Sendable {
        let url: String
        let file: DownloadedFile
    }
    struct Failed: Error {
        let url: String
        let error: DownloadError
    }
    typealias Outcome = Result<Fetched, Failed>

    let downloader: Downloader
    let display: FetchDisplay

    /// - Parameter deliver: Called one after the other; says which exit code the outcome asks for, or with `nil` that
    ///   nobody takes results any more.
    func run(
        _ requests: [DownloadRequest], atMost limit: Int, perHost hostLimit: Int,
        deliver: @escaping @Sendable (Outcome) -> DaeExit?
    ) async -> DaeExit {
        var queue = DownloadQueue(requests.map(\.url), atMost: limit, perHost: hostLimit)
        var ended = InOrder<Outcome>()
        var worst = DaeExit.fine
        await withTaskGroup(of: (Int, Outcome).self) { group in
            func begin() {
                while !group.isCancelled, let index = queue.next() {
                    group.addTask { (index, await fetch(requests[index], index)) }
                }
            }
            begin()
            while let (index, outcome) = await group.next() {
                queue.end(index)
                // Before what has come is delivered, which may take a while.
                begin()
                ended.add(outcome, at: index)
                while let (_, outcome) = ended.next() {
                    // Who stopped the run knows why nothing came.
                    if case .failure(let failure) = outcome, failure.error.isCancelled { continue }
                    guard let exit = deliver(outcome) else { return group.cancelAll() }
                    worst = max(worst, exit)
                }
            }
        }
        return worst
    }

    private func fetch(_ request: DownloadRequest, _ index: Int) async -> Outcome {
        let url = SourceAddress.display(request.url)
        display.begin(index, url)
        do throws(DownloadError) {
            let progress: @Sendable (DownloadProgress) -> Void = { display.progress(index, $0) }
            let notice: @Sendable (DownloadNotice) -> Void = { display.notice(index, $0) }
            let isFile = request.url.prefix(7).lowercased() == "file://"
            let file =
                if isFile { try await downloader.copy(request, progress: progress, notice: notice) } else {
                    try await downloader.download(request, progress: progress, notice: notice)
                }
            display.end(index, file)
            return .success(Fetched(url: url, file: file))
        } catch {
            display.fail(index, error.isCancelled ? nil : Self.text(of: error))
            return .failure(Failed(url: url, error: error))
        }
    }

    private static func text(of error: DownloadError) -> String {
        let help =
            switch error.status {
            case 401, 403: "; see DAE_BEARER_TOKEN, --header and --netrc"
            case _: ""
            }
        return "\(error.message)\(help) [\(error.code.rawValue)]"
    }
}

extension FetchRun.Fetched {
    /// As sha256sum writes and reads it: a path that would break the line is marked by a backslash and spelled out.
    func line(at path: String) -> String {
        let spelled = path.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
        return "\(spelled == path ? "" : "\\")\(file.sha256.hex)  \(spelled.withoutControls)\n"
    }

    func json(at path: String) -> JSONValue {
        let (origin, resumed): (String, Int64?) =
            switch file.origin {
            case .server(let start): ("server", start)
            case .confirmed: ("confirmed", nil)
            case .cache: ("cache", nil)
            }
        return .object([
            "schemaVersion": 1, "url": .string(url), "finalURL": .string(file.url), "path": .string(path),
            "sha256": .string(file.sha256.hex), "bytes": .integer(file.size), "origin": .string(origin),
            "resumedAt": JSONValue(resumed), "contentType": JSONValue(file.contentType),
            "suggestedName": .string(file.suggestedName), "failure": nil,
            "findings": .array(
                file.findings.map { .object(["code": .string($0.code.rawValue), "message": .string($0.message)]) }),
        ])
    }
}

extension FetchRun.Failed {
    var json: JSONValue {
        .object([
            "schemaVersion": 1, "url": .string(url), "finalURL": nil, "path": nil, "sha256": nil, "bytes": nil,
            "origin": nil, "resumedAt": nil, "contentType": nil, "suggestedName": nil, "findings": [],
            "failure": .object(["code": .string(error.code.rawValue), "message": .string(error.message)]),
        ])
    }
}

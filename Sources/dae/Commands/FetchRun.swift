import Daedalus

/// Fetches many addresses, a few at a time; the results come in the order of the addresses.
struct FetchRun: Sendable {
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
        var held: [Int: Outcome] = [:]
        var (delivered, worst) = (0, DaeExit.fine)
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
                held[index] = outcome
                while let outcome = held.removeValue(forKey: delivered) {
                    delivered += 1
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
        let url = AssetSource.display(request.url)
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

public import AssetPipeline
import Diagnostics
import Download

/// The forms of a report of findings. Raw values are what the service calls them.
public enum ServedReport: String, Sendable, CaseIterable {
    case json
    case sarif
    case markdown = "md"
}

extension AssetServiceClient {
    /// How long the service may take to make what is asked for the first time.
    private static let makingTime = Duration.seconds(1800)

    /// What `dae validate` says of the asset, in one of its forms. Also of an asset that failed.
    public func report(
        _ id: AssetID, _ form: ServedReport = .json
    ) async throws(AssetServiceError) -> [UInt8] {
        try await result("report?format=" + form.rawValue, of: id)
    }

    /// What `dae inspect --format json` says of it.
    public func inspection(_ id: AssetID) async throws(AssetServiceError) -> [UInt8] {
        try await result("inspect", of: id)
    }

    /// What `dae tree --format json` says of it.
    public func tree(_ id: AssetID) async throws(AssetServiceError) -> [UInt8] {
        try await result("tree", of: id)
    }

    /// The files of the bundle.
    public func files(_ id: AssetID) async throws(AssetServiceError) -> [ServedFile] {
        let url = resultAddress("files", of: id)
        let json = try await json { () throws(AssetServiceError) in HTTPExchange(url) }
        guard let elements = json["files"]?.elements else { throw .notUnderstood("a list without files") }
        return elements.compactMap { element in
            element["path"]?.string.map { ServedFile(path: $0, size: element["bytes"]?.integer) }
        }
    }

    /// Fetches a file of the bundle. As ``model(_:to:progress:)``.
    public func file(_ path: String, of id: AssetID, to target: String) async throws(AssetServiceError) {
        try await fetch("files/" + PercentEncoding.path(path), of: id, to: target)
    }

    /// Fetches the scene as a binary glTF, which is made where nobody asked for it before.
    ///
    /// The file appears when it is whole, in the place of one that is there; a transfer that breaks goes on where it
    /// stopped.
    ///
    /// - Parameter progress: Told the bytes that are here, on the transfer's own thread.
    public func model(
        _ id: AssetID, to target: String, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(AssetServiceError) {
        try await fetch("model.glb", of: id, to: target, progress: progress)
    }

    /// Fetches the bytes that were uploaded or downloaded. As ``model(_:to:progress:)``.
    public func original(
        _ id: AssetID, to target: String, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(AssetServiceError) {
        try await fetch("original", of: id, to: target, progress: progress)
    }

    private func resultAddress(_ name: String, of id: AssetID) -> String { "\(server)/v1/assets/\(id.text)/\(name)" }

    private func result(_ name: String, of id: AssetID) async throws(AssetServiceError) -> [UInt8] {
        let url = resultAddress(name, of: id)
        return try await bytes { () throws(AssetServiceError) in
            var exchange = HTTPExchange(url)
            exchange.patience = Self.makingTime
            return exchange
        }
    }

    private func fetch(
        _ name: String, of id: AssetID, to target: String, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(AssetServiceError) {
        var exchange = HTTPExchange(resultAddress(name, of: id))
        exchange.patience = Self.makingTime
        let file = try ArrivingTarget(target, progress: progress)
        var (left, failures) = (patience, 0)
        while true {
            exchange.resume = file.nextRequest()
            let before = file.size
            let broken: DownloadError?
            do throws(DownloadError) {
                try await http.run(exchange, to: file.receiver)
                broken = nil
            } catch { broken = error }
            if let failure = file.failure { throw failure }
            if let problem = file.problem {
                guard let pause = problem.pause, pause <= left else { throw .refused(problem) }
                left -= max(1, pause)
                try await Self.wait(.seconds(max(1, pause)))
            } else if let error = broken {
                guard !error.isCancelled else { throw .cancelled }
                failures = file.size > before ? 1 : failures + 1
                guard failures <= retries.attempts, file.size > 0 else { throw .unreachable(error) }
                try await Self.wait(.seconds(retries.pause(after: failures, chance: .random(in: 0..<1))))
            } else {
                return try file.finish()
            }
        }
    }
}

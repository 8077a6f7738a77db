import DaeCore
import DaeDiagnostics
import DaeDownload
import DaePipeline
import TestSupport
import Testing

/// Of addresses, and of what servers make of them.
extension RuleScenario {
    static let downloads: [RuleScenario] = answers + addresses + limits

    private static let path = "/tile.dae"

    private static func served(
        _ faults: [Fault] = [], then after: Fault = .none, _ change: (inout Act.Options) -> Void = { _ in }
    ) async throws -> Set<FindingCode> {
        try await served(FaultResource(Act.tile()), faults, then: after, change)
    }

    private static func served(
        _ resource: FaultResource, _ faults: [Fault] = [], then after: Fault = .none,
        _ change: (inout Act.Options) -> Void = { _ in }
    ) async throws -> Set<FindingCode> {
        let server = try FaultServer([path: resource])
        server.play(faults, then: after, at: path)
        return try await Act().codes(of: server.url(path), change)
    }

    // MARK: - Answers

    private static let answers: [RuleScenario] = [
        RuleScenario(.downloadHTTPStatus) {
            try await served([.status(404)])
        } near: {
            try await served([.redirect(to: .itself, status: 307)])
        },
        RuleScenario(.downloadTruncated) {
            try await served([.cut(after: 100)])
        } near: {
            // The end of the connection is the end of the file.
            try await served([.length(.missing)])
        },
        RuleScenario(.downloadChecksumMismatch) {
            try await served { $0.web.sha256 = SHA256Digest(hex: String(repeating: "0", count: 64)) }
        } near: {
            let act = try Act()
            let pipeline = AssetPipeline(operations: .live(act.options()))
            let asset = try await pipeline.perform(.add(source: act.folder.write(Act.tile(), to: "tile.dae")))
            _ = await pipeline.outcome(of: asset)
            let digest = await pipeline.model(of: asset)?.inspection.source.sha256
            await pipeline.end()
            let known = try #require(digest.flatMap { SHA256Digest(hex: $0) })
            return try await served { $0.web.sha256 = known }
        },
        RuleScenario(.downloadValidatorChanged) {
            let other = try padded(seed: 2)
            return try await served(padded(seed: 1), [.none, .replaced(by: other)]) { $0.web.reading = .byRanges }
        } near: {
            let same = try padded(seed: 1)
            return try await served(padded(seed: 1), [.none, .replaced(by: same)]) { $0.web.reading = .byRanges }
        },
        RuleScenario(.downloadContentTypeMismatch) {
            try await served([.page])
        } near: {
            try await served(FaultResource(Act.tile(), contentType: "text/plain"))
        },
        RuleScenario(.downloadTimeout) {
            try await served([.stall(after: 100)]) { $0.downloadLimits.stallTimeout = .milliseconds(10) }
        } near: {
            try await served([.chunked(100)])
        },
    ]

    /// Larger than what is read of an archive to see whether it can be read by ranges.
    private static func padded(seed: UInt64) throws -> FaultResource {
        var zip = ZipBuilder()
        zip.add("tile.dae", try Act.tile())
        zip.add("padding.bin", FaultResource.noise(1_500_000, seed: seed))
        return FaultResource(zip.bytes(), tag: .strong("\(seed)"))
    }

    // MARK: - Addresses

    private static let addresses: [RuleScenario] = [
        RuleScenario(.downloadURLInvalid) {
            try await Act().codes(of: "http://127.0.0.1:99999/tile.dae")
        } near: {
            try await Act().codes(of: "http://127.0.0.1:1/tile.dae")
        },
        RuleScenario(.downloadHostNotFound) {
            try await Act().codes(of: "http://no-such-host.invalid/tile.dae")
        } near: {
            let server = try FaultServer([path: FaultResource(Act.tile())])
            return try await Act().codes(of: server.url(path, host: "localhost"))
        },
        RuleScenario(.downloadConnectionFailed) {
            try await served([.drop(by: .reset)], then: .drop(by: .reset))
        } near: {
            try await served([.interim(3)])
        },
        RuleScenario(.downloadTLSFailed) {
            let server = try FaultServer([path: FaultResource(Act.tile())])
            return try await Act().codes(of: server.url(path, scheme: "https"))
        } near: {
            try await served()
        },
        RuleScenario(.downloadBlockedAddress) {
            try await served { $0.web.policy = closed(ports: .any, .publicOnly(except: [])) }
        } near: {
            try await served { $0.web.policy = closed(ports: .any, .any) }
        },
        RuleScenario(.downloadNotInCache) {
            try await served { $0.web.mode = .offline }
        } near: {
            let server = try FaultServer([path: FaultResource(Act.tile())])
            let act = try Act()
            let fetched = try await act.codes(of: server.url(path))
            return fetched.union(try await act.codes(of: server.url(path)) { $0.web.mode = .offline })
        },
    ]

    private static func closed(
        ports: NetworkRules.Ports, _ addresses: NetworkRules.Addresses
    ) -> NetworkPolicy {
        var rules = NetworkRules()
        rules.ports = ports
        rules.addresses = addresses
        return .closed(rules)
    }

    // MARK: - Limits

    private static let limits: [RuleScenario] = [
        RuleScenario(.downloadTooLarge) {
            let size = try Int64(Act.tile().count)
            return try await served { $0.downloadLimits.bytes = size - 1 }
        } near: {
            let size = try Int64(Act.tile().count)
            return try await served { $0.downloadLimits.bytes = size }
        },
        RuleScenario(.downloadTooManyRedirects) {
            try await redirected(times: DownloadLimits().redirects + 1)
        } near: {
            try await redirected(times: DownloadLimits().redirects)
        },
    ]

    private static func redirected(times: Int) async throws -> Set<FindingCode> {
        let server = try FaultServer([path: FaultResource(Act.tile())])
        for step in 0..<times {
            server.play([], then: .redirect(to: .text(step == 0 ? path : "/\(step - 1)")), at: "/\(step)")
            server.serve(FaultResource([]), at: "/\(step)")
        }
        return try await Act().codes(of: server.url("/\(times - 1)"))
    }
}

// The one place where the table and the random cases meet the client.

import DaeCore
import DaeDiagnostics
import DaeDownload
import FoundationEssentials
import TestSupport
import Testing

/// A downloader with an empty cache of its own, whose pauses between requests take no time.
struct FaultClient {
    /// What it can do; rows that need more are not asked of it.
    static let skills: Set<FaultCase.Skill> = [.asking, .resuming, .decoding, .verifying]

    struct Run {
        let file: Result<[UInt8], DownloadError>
        /// Codes, in the order found.
        let findings: [String]
    }

    private let fixture: DownloadFixture
    private let retries: RetryPolicy

    /// - Parameters:
    ///   - caFile: Certificates to trust instead of the system's.
    ///   - attempts: Failures in a row that are borne; as many as by default without.
    init(caFile: String? = nil, attempts: Int? = nil) throws {
        var limits = DownloadLimits.forTests
        limits.stallTimeout = .seconds(1)
        fixture = try DownloadFixture(limits: limits, caFile: caFile)
        var retries = RetryPolicy()
        if let attempts { retries.attempts = attempts }
        self.retries = retries
    }

    func run(_ url: String) async throws -> Run {
        var request = DownloadRequest(url)
        request.retries = retries
        do throws(DownloadError) {
            let file = try await fixture.download(request)
            return Run(file: .success(Self.bytes(at: file.path)), findings: file.findings.map(\.code.rawValue))
        } catch {
            return Run(file: .failure(error), findings: [])
        }
    }

    private static func bytes(at path: String) -> [UInt8] { (try? Repository.bytes(at: path)) ?? [] }

    /// Every blob's name is the digest of what it holds.
    func expectWholeBlobs(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for path in fixture.files where path.hasPrefix("blobs/") {
            let bytes = try Repository.bytes(at: fixture.cache.folder + "/" + path)
            #expect(
                path.hasSuffix("/" + SHA256Digest(hashing: bytes).hex), "\(path) is not whole",
                sourceLocation: sourceLocation)
        }
    }
}

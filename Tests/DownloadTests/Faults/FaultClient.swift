// The one place where the table and the random cases meet the client.

import ContentHash
import Diagnostics
import Download
import FoundationEssentials
import TestSupport
import Testing

/// A downloader with an empty cache of its own, whose pauses between requests take no time.
struct FaultClient {
    /// What it can do; rows that need more are not asked of it.
    static let skills: Set<FaultCase.Skill> = [.asking]

    struct Run {
        let file: Result<[UInt8], DownloadError>
        /// Codes, in the order found.
        let findings: [String]
    }

    private let fixture: DownloadFixture

    /// - Parameters:
    ///   - caFile: Certificates to trust instead of the system's.
    ///   - attempts: Failures in a row that are borne; as many as by default without.
    init(caFile: String? = nil, attempts: Int? = nil) throws {
        var limits = DownloadLimits.forTests
        limits.stallTimeout = .seconds(1)
        fixture = try DownloadFixture(limits: limits, caFile: caFile)
    }

    func run(_ url: String) async throws -> Run {
        let result: Result<DownloadedFile, DownloadError>
        do throws(DownloadError) {
            result = .success(try await fixture.download(url))
        } catch {
            result = .failure(error)
        }
        let bytes = try result.map { [UInt8](try Data(contentsOf: URL(filePath: $0.path))) }
        return Run(file: bytes, findings: [])
    }

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

extension Result where Failure == DownloadError {
    /// Of a success, with what may fail for other reasons.
    fileprivate func map<T>(_ change: (Success) throws -> T) throws -> Result<T, DownloadError> {
        switch self {
        case .success(let value): .success(try change(value))
        case .failure(let error): .failure(error)
        }
    }
}

import Glibc
import TestSupport
import Testing

@testable import DaeDownload

/// A downloader under a policy, with a cache of its own.
struct GuardFixture {
    let folder: TemporaryFolder
    let downloader: Downloader

    init(_ policy: NetworkPolicy, options: RequestOptions = RequestOptions()) throws {
        Self.setProxyVariables
        folder = try TemporaryFolder()
        let cache = DownloadCache(folder: folder.path + "/cache")
        downloader = Downloader(cache: cache, limits: .forTests, policy: policy, options: options)
    }

    static let deadProxy = "http://127.0.0.1:9"

    /// A proxy that nobody may come to use: the open policy by the exception, the closed one by itself.
    private static let setProxyVariables: Void = {
        setenv("no_proxy", "*", 1)
        setenv("http_proxy", deadProxy, 1)
    }()

    func failure(of url: String, sourceLocation: SourceLocation = #_sourceLocation) async -> DownloadError? {
        defer { withExtendedLifetime(folder) {} }
        return await #expect(throws: DownloadError.self, sourceLocation: sourceLocation) {
            try await downloader.download(url)
        }
    }

    func download(_ url: String) async throws(DownloadError) -> DownloadedFile {
        defer { withExtendedLifetime(folder) {} }
        return try await downloader.download(url)
    }
}

extension NetworkRules {
    /// The closed policy's rules, at any port and with some addresses excepted.
    static func except(_ blocks: String...) throws -> NetworkRules {
        var rules = NetworkRules()
        rules.ports = .any
        rules.addresses = .publicOnly(except: try blocks.map { try AddressBlock($0) })
        return rules
    }
}

import DaeCore
import DaeDiagnostics
import DaeDownload
import TestSupport
import Testing

@testable import DaePipeline

/// What a failed download says of trying again is what the asset's state keeps.
@Suite(.timeLimit(.minutes(10))) struct RecoveryTests {
    @Test(arguments: [(404, false), (401, false), (503, true), (429, true)])
    func aStatusDecidesWhetherARetryIsOffered(status: Int, canRetry: Bool) async throws {
        let web = try Web([1])
        web.server.play([], then: .status(status), at: Web.path)
        let state = try await state(of: web) { $0.web.retries = .never }
        #expect(state?.failure?.code == .downloadHTTPStatus)
        #expect(state?.canRetry == canRetry)
    }

    @Test func whatIsOnlyLookedForInTheCacheMayComeThere() async throws {
        let state = try await state(of: try Web([1])) { $0.web.mode = .offline }
        #expect(state?.failure?.code == .downloadNotInCache)
        #expect(state?.canRetry == true)
    }

    @Test func anAddressThatThePolicyForbidsStaysForbidden() async throws {
        let state = try await state(of: try Web([1])) { $0.web.policy = .publicHosts }
        #expect(state?.failure?.code == .downloadBlockedAddress)
        #expect(state?.canRetry == false)
    }

    @Test func otherBytesThanWereWantedAreFetchedFromTheFirstOn() async throws {
        let state = try await state(of: try Web(Sample.mesh(ofBytes: 10_000))) {
            $0.web.sha256 = SHA256Digest(hashing: [1])
        }
        #expect(state?.failure?.code == .downloadChecksumMismatch)
        #expect(state?.failure?.resume?.received == 0)
    }

    private func state(
        of web: Web, _ change: (inout AssetOperations.LiveOptions) -> Void
    ) async throws -> AssetState? {
        let pipeline = AssetPipeline(operations: .live(web.options(change)))
        let asset = try await pipeline.perform(.add(source: web.url))
        let state = await pipeline.outcome(of: asset)
        await pipeline.end()
        return state
    }
}

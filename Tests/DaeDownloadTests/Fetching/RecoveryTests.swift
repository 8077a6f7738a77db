import DaeCore
import DaeDiagnostics
import Testing

@testable import DaeDownload

@Suite struct RecoveryTests {
    @Test(
        arguments: [
            (.status(404, phrase: ""), .nothing), (.status(503, phrase: ""), .resume),
            (.status(429, phrase: ""), .resume), (.notInCache, .resume), (.noFile("a"), .resume),
            (.changed, .startOver), (.wrongRange(reason: ""), .startOver), (.page(contentType: nil), .startOver),
            (.truncated(received: 1, expected: 2), .resume), (.tls(reason: ""), .resume), (.cancelled, .resume),
            (.blocked(reason: "", expected: ""), .nothing), (.tooLarge(announced: nil, limit: 1), .nothing),
        ] as [(DownloadFailure, Recovery)])
    func aFailureSaysWhatTryingAgainCanDo(failure: DownloadFailure, recovery: Recovery) {
        #expect(DownloadError(failure, url: "http://h/").recovery == recovery)
    }

    @Test func whatTheDownloadTriesAgainItselfAPersonMayTryAgainToo() {
        let failures: [DownloadFailure] = [
            .connectionBroken(reason: ""), .stalled(seconds: 1, received: 0), .truncated(received: 0, expected: nil),
            .status(408, phrase: ""), .status(500, phrase: ""),
        ]
        for failure in failures {
            #expect(failure.isTriedAgain)
            #expect(failure.recovery == .resume)
        }
    }
}

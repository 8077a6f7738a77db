import DaeDiagnostics
import DaeDownload
import Testing

@testable import DaePipeline

@Suite struct AssetStateTests {
    @Test func aTallyIsNeverNegativeNorMoreThanItsTotal() {
        #expect(StageProgress(done: -5, of: 3) == StageProgress(done: 0, of: 3))
        #expect(StageProgress(done: 4, of: 3).total == nil)
        #expect(StageProgress(done: .max, of: .min).total == nil)
        #expect(StageProgress(done: 5, of: 10).advanced(to: StageProgress(done: 7)) == StageProgress(done: 7, of: 10))
        #expect(StageProgress(done: 5, of: 10).advanced(to: StageProgress(done: 11)).total == nil)
        #expect(StageProgress(done: 0, of: 0).fraction == 1)
        #expect(StageProgress(done: 1, of: 4).fraction == 0.25)
        #expect(StageProgress(done: 1).fraction == nil)
    }

    @Test func attemptsCountFromOneAndNeverOverflow() {
        #expect(Attempt(0) == nil)
        #expect(Attempt(-1) == nil)
        #expect(Attempt.first.next.number == 2)
        #expect(Attempt(.max)?.next.number == .max)
    }

    @Test func anIDCanStandInAPath() {
        #expect(AssetID("a-Z_09")?.text == "a-Z_09")
        for text in ["", "a/b", "..", "a b", "ä", "a\u{0}", String(repeating: "a", count: 65)] {
            #expect(AssetID(text) == nil)
        }
        #expect(AssetID.random() != AssetID.random())
        #expect(AssetID(AssetID.random().text)?.text.count == 32)
    }

    @Test func everyStateAnswersEveryQuestion() throws {
        let downloading = try Sample.state("downloading")
        #expect(downloading.stage == .download)
        #expect(downloading.progress == 1_234_567 / 2_900_000.0)
        #expect(downloading.attempt == Sample.second)
        #expect(!downloading.isSettled && !downloading.canRetry && !downloading.isReady)
        #expect(downloading.availableActions == [.cancel, .remove])

        let unzipping = try Sample.state("unzipping")
        #expect(unzipping.stage == .unzip)
        #expect(unzipping.progress == 0.25)

        let parsing = try Sample.state("parsing-length-unknown")
        #expect(parsing.stage == .parse)
        #expect(parsing.progress == nil)
        #expect(parsing.availableActions == [.cancel, .remove])

        let ready = try Sample.state("ready")
        #expect(ready.isSettled && ready.isReady && !ready.canRetry)
        #expect(ready.progress == 1)
        #expect(ready.summary == Sample.summary)
        #expect(ready.availableActions == [.convert, .remove])

        let failed = try Sample.state("failed-download")
        #expect(failed.isSettled && failed.canRetry && !failed.isCancelled && !failed.isReady)
        #expect(failed.failure?.resume == Sample.download(1_234_567, of: 2_900_000, attempt: Sample.second))
        #expect(failed.availableActions == [.retry, .remove])

        let final = try Sample.state("failed-parse")
        #expect(final.isSettled && !final.canRetry)
        #expect(final.availableActions == [.remove])

        let cancelled = try Sample.state("failed-cancelled")
        #expect(cancelled.isCancelled && cancelled.canRetry)
        #expect(cancelled.title == "Cancelled")
    }

    @Test func aBoxHasFiniteCornersInOrder() {
        #expect(AssetSummary.Bounds(min: [0, 0, 0], max: [0, 0, 0]) != nil)
        #expect(AssetSummary.Bounds(min: [0, 1, 0], max: [0, 0, 0]) == nil)
        #expect(AssetSummary.Bounds(min: [.nan, 0, 0], max: [0, 0, 0]) == nil)
        #expect(AssetSummary.Bounds(min: [0, 0, 0], max: [0, 0, .infinity]) == nil)
    }

    @Test func anErrorWithACodeKeepsItAndOthersBecomeIOError() {
        struct Coded: CodedError {
            let code = FindingCode.archiveEncrypted
            let place = Place(entry: "a.zip")
            let message = "The entry is encrypted."
        }
        struct Plain: Error, CustomStringConvertible { let description = "disk full" }
        let coded = AssetState.Reason(Coded())
        #expect(coded == AssetState.Reason(.archiveEncrypted, "The entry is encrypted.", at: Place(entry: "a.zip")))
        #expect(AssetState.Reason(Plain()) == AssetState.Reason(.ioError, "disk full"))
        #expect(AssetState.Reason(CancellationError()) == .cancelled)
    }

    @Test(arguments: [(Recovery.resume, Int64?(70)), (.startOver, 0), (.nothing, nil)])
    func whatARetryStartsFromDependsOnTheRecovery(recovery: Recovery, received: Int64?) {
        let failure = AssetState.Failure(
            .download, .init(.downloadTimeout, "…"), recovery, of: Sample.download(70, of: 100))
        #expect(failure.resume?.received == received)
        #expect(failure.resume?.attempt ?? Sample.second == Sample.second)
    }

    @Test(arguments: [
        (FindingCode.ioError, Recovery.resume), (.sourceNotFound, .resume), (.assetCancelled, .resume),
        (.archiveInvalid, .startOver), (.archiveSizeMismatch, .startOver), (.archivePathTraversal, .nothing),
        (.docNotCollada, .nothing),
    ])
    func whatLiesOnThisMachineIsTriedAgainByItsCode(code: FindingCode, recovery: Recovery) {
        #expect(Recovery(after: CodedFailure(code, "…")) == recovery)
    }

    @Test func whatHasNoCodeMayBeTriedAgain() {
        struct Plain: Error {}
        #expect(Recovery(after: Plain()) == .resume)
        #expect(Recovery(after: CancellationError()) == .resume)
    }
}

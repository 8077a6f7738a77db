import DaeDiagnostics
import DaeDownload
import Testing

@testable import DaePipeline

@Suite struct AssetStateMachineTests {
    private typealias Event = AssetStateMachine.Event

    private func machine(_ state: AssetState) -> AssetStateMachine {
        AssetStateMachine(source: .url(Sample.source), state: state)
    }

    // MARK: - The way through

    @Test func anAssetGoesThroughItsStagesToReady() throws {
        var (machine, effect) = AssetStateMachine.begin(source: .url(Sample.source))
        #expect(effect == .download(Sample.download()))
        #expect(try machine.handle(.received(StageProgress(done: 5, of: 10), attempt: .first)) == .none)
        #expect(machine.state == .downloading(Sample.download(5, of: 10)))
        effect = try machine.handle(.downloaded(archive: "duck.zip", attempt: .first))
        #expect(effect == .unzip(Sample.unzip()))
        #expect(machine.state == .unzipping(Sample.unzip()))
        #expect(try machine.handle(.checked(StageProgress(done: 1, of: 2), attempt: .first)) == .none)
        #expect(machine.state == .unzipping(Sample.unzip(1, of: 2)))
        effect = try machine.handle(.unzipped(document: "models/duck.dae", bytes: 9, attempt: .first))
        #expect(effect == .parse(Sample.parse(0, of: 9)))
        #expect(try machine.handle(.read(StageProgress(done: 9), attempt: .first)) == .none)
        #expect(machine.state == .parsing(Sample.parse(9, of: 9)))
        #expect(try machine.handle(.parsed(Sample.summary, attempt: .first)) == .keep)
        #expect(machine.state == .ready(.init(attempt: .first, summary: Sample.summary)))
    }

    @Test func aServerThatSendsMoreThanItSaidLosesItsWord() throws {
        var machine = machine(.downloading(Sample.download(5, of: 10)))
        _ = try machine.handle(.received(StageProgress(done: 11), attempt: .first))
        #expect(machine.state == .downloading(Sample.download(11)))
        #expect(machine.state.progress == nil)
    }

    @Test func aServerThatStartsOverIsBelieved() throws {
        var machine = machine(.downloading(Sample.download(5, of: 10)))
        _ = try machine.handle(.received(StageProgress(done: 1, of: 10), attempt: .first))
        #expect(machine.state == .downloading(Sample.download(1, of: 10)))
    }

    // MARK: - Late and early

    @Test(arguments: Sample.states.map(\.name))
    func whatAnOldAttemptStillSaysChangesNothing(name: String) throws {
        for event in Walk.workerEvents(.first) {
            var machine = machine(try Walk.later(Sample.state(name)))
            let before = machine
            #expect(try machine.handle(event) == .none)
            #expect(machine == before)
        }
    }

    @Test func anAttemptThatHasNotBegunIsAMistake() throws {
        for event in Walk.workerEvents(Sample.second) {
            var machine = machine(.downloading(Sample.download()))
            let before = machine
            #expect(throws: AssetStateMachine.UnexpectedEvent(event: event, state: before.state)) {
                _ = try machine.handle(event)
            }
            #expect(machine == before)
        }
    }

    @Test func lateBytesAfterARetryBelongToTheOldAttempt() throws {
        var machine = machine(.downloading(Sample.download(5, of: 10)))
        #expect(try machine.handle(.cancel) == .stop(.download))
        #expect(try machine.handle(.received(StageProgress(done: 7), attempt: .first)) == .none)
        #expect(try machine.handle(.retry) == .download(Sample.download(5, of: 10, attempt: Sample.second)))
        #expect(try machine.handle(.received(StageProgress(done: 8), attempt: .first)) == .none)
        #expect(try machine.handle(.downloaded(archive: "old.zip", attempt: .first)) == .none)
        #expect(try machine.handle(.failed(Sample.timeout, .resume, attempt: .first)) == .none)
        #expect(machine.state == .downloading(Sample.download(5, of: 10, attempt: Sample.second)))
    }

    // MARK: - Failing, stopping, trying again

    @Test(arguments: [
        (AssetState.downloading(Sample.download(7, of: 9)), AssetStage.download, Int64(7)),
        (.unzipping(Sample.unzip(1, of: 2)), .unzip, 0), (.parsing(Sample.parse(1, of: 2)), .parse, 0),
    ])
    func anyStageCanBeStoppedAndTriedAgain(state: AssetState, stage: AssetStage, received: Int64) throws {
        var machine = machine(state)
        #expect(try machine.handle(.cancel) == .stop(stage))
        #expect(machine.state.isCancelled)
        #expect(machine.state.failure?.stage == stage)
        let next = try #require(machine.state.failure?.resume)
        #expect(next.received == received)
        #expect(next.attempt == Sample.second)
        #expect(try machine.handle(.retry) == .download(next))
        #expect(machine.state == .downloading(next))
    }

    @Test func theFirstOutcomeStands() throws {
        for name in ["ready", "failed-download", "failed-parse", "failed-cancelled"] {
            var machine = machine(try Sample.state(name))
            let before = machine
            #expect(try machine.handle(.cancel) == .none)
            #expect(try machine.handle(.failed(Sample.broken, .nothing, attempt: before.state.attempt)) == .none)
            #expect(machine == before)
        }
    }

    @Test func aRetryThatCannotHelpIsRefused() throws {
        for name in ["failed-parse", "ready", "downloading", "unzipping", "parsing"] {
            var machine = machine(try Sample.state(name))
            let before = machine
            #expect(throws: AssetStateMachine.UnexpectedEvent(event: .retry, state: before.state)) {
                _ = try machine.handle(.retry)
            }
            #expect(machine == before)
        }
    }

    @Test func everyFailureThatNamesAResumeCanBeRetried() throws {
        for (stage, reason, recovery) in [
            (AssetState.downloading(Sample.download(3)), Sample.timeout, Recovery.resume),
            (.unzipping(Sample.unzip()), AssetState.Reason(.archiveInvalid, "…"), .startOver),
            (.parsing(Sample.parse()), AssetState.Reason(.ioError, "…"), .resume),
        ] {
            var machine = machine(stage)
            #expect(try machine.handle(.failed(reason, recovery, attempt: .first)) == .none)
            #expect(machine.state.failure?.reason == reason)
            let resume = try #require(machine.state.failure?.resume)
            #expect(try machine.handle(.retry) == .download(resume))
        }
    }

    // MARK: - Kept states

    @Test func workThatWasUnderWayBeginsAgainAsTheNextAttempt() {
        let interrupted = AssetStateMachine.restore(
            .downloading(Sample.download(5, of: 10)), source: .url(Sample.source))
        #expect(interrupted.effect == .download(Sample.download(5, of: 10, attempt: Sample.second)))
        #expect(interrupted.machine.state == .downloading(Sample.download(5, of: 10, attempt: Sample.second)))
        for state in [AssetState.unzipping(Sample.unzip(1)), .parsing(Sample.parse(1))] {
            #expect(
                AssetStateMachine.restore(state, source: .url(Sample.source)).effect
                    == .download(Sample.download(attempt: Sample.second)))
        }
    }

    @Test func whatHadSettledStaysSettled() throws {
        for name in ["ready", "failed-download"] {
            let (machine, effect) = AssetStateMachine.restore(try Sample.state(name), source: .url(Sample.source))
            #expect(effect == .none)
            #expect(machine.state == (try Sample.state(name)))
        }
    }

    // MARK: - Everything with everything

    @Test func everyStateMeetsEveryEventAsTheTableSays() throws {
        try Golden.expect(Walk.table(), in: "transitions.txt")
    }

    @Test(arguments: 0..<200)
    func noOrderOfEventsBreaksTheMachine(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        var (machine, _) = AssetStateMachine.begin(source: .url(Sample.source))
        for _ in 0..<60 {
            let before = machine.state
            let events = Walk.events(around: before.attempt)
            let event = events[Int(random.next() % UInt64(events.count))]
            let effect = try? machine.handle(event)
            #expect(machine.state.attempt >= before.attempt)
            if effect == nil { #expect(machine.state == before) }
            if before.isReady { #expect(machine.state == before) }
            if before.isSettled && event != .retry { #expect(machine.state == before) }
            let written = try Golden.json(machine.state)
            #expect(try Golden.read(AssetState.self, written) == machine.state)
        }
    }
}

/// SplitMix64: the same numbers on every run.
private struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

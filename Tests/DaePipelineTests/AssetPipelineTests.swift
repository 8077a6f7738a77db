import DaeDiagnostics
import DaeMesh
import Testing

@testable import DaePipeline

@Suite(.timeLimit(.minutes(10))) struct AssetPipelineTests {
    // MARK: - The way through

    @Test func anAddedAssetBecomesReadyAndItsProductIsKept() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let id = try await pipeline.perform(.add(source: "duck.zip"))
        #expect(await pipeline.outcome(of: id) == (try Sample.ready()))
        let product = await pipeline.model(of: id)
        #expect(product?.summary == (try Sample.product().summary))
        #expect(product?.scene == (try Sample.product().scene))
        #expect(product?.summary.triangles == 1)
        #expect(await pipeline.source(of: id) == .typed("duck.zip"))
        #expect(await pipeline.assets == [id])
    }

    @Test func eachStageGetsWhatTheOneBeforeMade() async throws {
        var operations = AssetOperations.succeeding()
        operations.stages.download = { source, download, _ in
            #expect(source == .typed("a/triangle.dae") && download == .first)
            return AssetFile(name: "triangle.dae", location: .path("/a/triangle.dae"), input: source.text)
        }
        operations.stages.unzip = { unzip, file, _ in
            #expect(unzip == .init(archive: "triangle.dae"))
            #expect(file.location == .path("/a/triangle.dae"))
            return try Sample.bundle()
        }
        operations.stages.parse = { parse, file, bundle, _ in
            #expect(parse == .init(document: "triangle.dae", bytesTotal: bundle.sceneBytes))
            #expect(file.input == "a/triangle.dae" && bundle.scene == "triangle.dae")
            return try Sample.product()
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a/triangle.dae"))
        #expect(await pipeline.outcome(of: id)?.isReady == true)
    }

    @Test func thousandsOfCountsAndAFailureLeaveOneStateToRead() async throws {
        var operations = AssetOperations.succeeding()
        operations.stages.unzip = { _, _, report in
            for entry in 1...5000 { report(StageProgress(done: Int64(entry), of: 5000)) }
            throw AssetState.Reason.Thrown(code: .archiveEncrypted)
        }
        let pipeline = AssetPipeline(operations: operations)
        let all = await pipeline.states
        let id = try await pipeline.perform(.add(source: "a"))
        await pipeline.rest(of: id)
        await pipeline.end()
        var states: [AssetState] = []
        for await update in all { states.append(update.state) }
        #expect(states.map(\.failure?.code) == [.archiveEncrypted])
    }

    @Test(arguments: AssetStage.allCases)
    func anErrorOfAStageBecomesItsFailure(stage: AssetStage) async throws {
        let entered = Door()
        let door = Door()
        let error = AssetState.Reason.Thrown(code: .downloadTimeout)
        var operations = AssetOperations.holding(stage, entered: entered, door: door)
        switch stage {
        case .download: operations.stages.download = { _, _, _ in throw error }
        case .unzip: operations.stages.unzip = { _, _, _ in throw error }
        case .parse: operations.stages.parse = { _, _, _, _ in throw error }
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        let failure = await pipeline.outcome(of: id)?.failure
        #expect(failure?.stage == stage)
        #expect(failure?.code == .downloadTimeout)
        #expect(failure?.place == Place(entry: "x.dae", line: 3))
        #expect(await pipeline.model(of: id) == nil)
    }

    // MARK: - Cancelling and trying again

    @Test(arguments: AssetStage.allCases)
    func cancellingStopsTheStageAtWorkAndARetrySucceeds(stage: AssetStage) async throws {
        let entered = Door()
        let door = Door()
        let pipeline = AssetPipeline(operations: .holding(stage, entered: entered, door: door))
        let id = try await pipeline.perform(.add(source: "a"))
        try await entered.pass()
        #expect(await pipeline.state(of: id)?.stage == stage)

        try await pipeline.perform(.cancel(id))
        let failure = await pipeline.state(of: id)?.failure
        #expect(failure?.code == .assetCancelled)
        #expect(failure?.stage == stage)
        await pipeline.rest(of: id)  // returns only because the stage was cancelled: the door is shut
        #expect(await pipeline.state(of: id)?.failure == failure)

        door.open()
        try await pipeline.perform(.retry(id))
        #expect(await pipeline.outcome(of: id) == (try Sample.ready(Sample.second)))
    }

    @Test func aStageThatIsDeafToCancellationChangesNothingAfterwards() async throws {
        let entered = Door()
        let door = Door()
        var operations = AssetOperations.succeeding()
        let inside = Headcount()
        operations.stages.download = { source, download, report in
            inside.enter()
            defer { inside.leave() }
            entered.open()
            if download.attempt == .first {
                await door.passInAnyCase()
                report(StageProgress(done: 77, of: 78))
            }
            return Sample.file("of attempt \(download.attempt)")
        }
        operations.stages.unzip = { unzip, _, _ in
            #expect(unzip.archive == "of attempt 2")
            return try Sample.bundle()
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        try await entered.pass()
        try await pipeline.perform(.cancel(id))
        try await pipeline.perform(.retry(id))
        #expect(await pipeline.state(of: id) == .downloading(.init(attempt: Sample.second, bytes: .none)))
        door.open()
        #expect(await pipeline.outcome(of: id) == (try Sample.ready(Sample.second)))
        #expect(inside.most == 1)
    }

    @Test func anAssetThatFailedOnceSucceedsWhenRetried() async throws {
        var operations = AssetOperations.succeeding()
        let stages = operations.stages
        operations.stages.download = { source, download, report in
            guard download.attempt > .first else {
                report(StageProgress(done: 40, of: 100))
                throw CodedFailure(.ioError, "the line was cut")
            }
            #expect(download.received == 40 && download.expected == 100)
            return try await stages.download(source, download, report)
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        #expect(await pipeline.outcome(of: id)?.failure?.resume?.received == 40)
        try await pipeline.perform(.retry(id))
        #expect(await pipeline.outcome(of: id)?.isReady == true)
    }

    // MARK: - What is refused

    @Test func whatTheStateDoesNotAllowIsRefusedAndChangesNothing() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let id = try await pipeline.perform(.add(source: "a"))
        let ready = await pipeline.outcome(of: id)
        let refusal = await #expect(throws: CodedFailure.self) { try await pipeline.perform(.retry(id)) }
        #expect(refusal?.code == .assetActionRefused)
        #expect(refusal?.message == "'retry' is not possible while the asset is ready; possible: convert, remove.")
        try await pipeline.perform(.cancel(id))
        #expect(await pipeline.state(of: id) == ready)
    }

    @Test func removingAnAssetStopsAllOfItsConversions() async throws {
        let (entered, ended) = (Door(), Door())
        var operations = AssetOperations.succeeding()
        let begun = Headcount()
        operations.convert = { _, _ in
            begun.enter()
            guard begun.now == 1 else { return FidelityReport() }
            entered.open()
            do { try await Door().pass() } catch { ended.open() }
            return FidelityReport()
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        await pipeline.coordinator(of: id).start()
        try await pipeline.perform(.convert(id))
        try await entered.pass()
        try await pipeline.perform(.convert(id))
        try await pipeline.perform(.remove(id))
        try await ended.pass()
    }

    @Test func whoIsCancelledStopsTheConversionAndTheAssetStaysReady() async throws {
        let entered = Door()
        var operations = AssetOperations.succeeding()
        operations.convert = { _, _ in
            entered.open()
            try await Door().pass()
            return FidelityReport()
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        let ready = await pipeline.outcome(of: id)
        let converting = Task { try await pipeline.coordinator(of: id).convert() }
        try await entered.pass()
        converting.cancel()
        await #expect(throws: CancellationError.self) { try await converting.value }
        #expect(await pipeline.state(of: id) == ready)
    }

    @Test func onlyAReadyAssetIsConvertedAndStaysReady() async throws {
        let entered = Door()
        let door = Door()
        let converted = Door()
        var operations = AssetOperations.holding(.parse, entered: entered, door: door)
        operations.convert = { _, product in
            if product.summary.triangles == 1 { converted.open() }
            return FidelityReport()
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        try await entered.pass()
        let refusal = await #expect(throws: CodedFailure.self) { try await pipeline.perform(.convert(id)) }
        #expect(refusal?.message == "'convert' is not possible while the asset is parsing; possible: cancel, remove.")
        door.open()
        let ready = await pipeline.outcome(of: id)
        try await pipeline.perform(.convert(id))
        try await converted.pass()
        #expect(await pipeline.state(of: id) == ready)
        await pipeline.end()
    }

    @Test func whereModelsHaveNoPlaceNothingIsConverted() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let id = try await pipeline.perform(.add(source: "a"))
        _ = await pipeline.outcome(of: id)
        let refusal = await #expect(throws: CodedFailure.self) { try await pipeline.perform(.convert(id)) }
        #expect(refusal?.code == .assetActionRefused)
        #expect(refusal?.message == "'convert' is not possible: this pipeline has no place for models.")
    }

    @Test func anAssetOfAnEarlierRunHasNoSceneToConvert() async throws {
        var operations = AssetOperations.succeeding()
        operations.convert = { _, _ in FidelityReport() }
        let pipeline = AssetPipeline(operations: operations)
        let id = try #require(AssetID("earlier"))
        try await pipeline.restore(try Sample.ready(), source: .typed("a"), as: id)
        let refusal = await #expect(throws: CodedFailure.self) { try await pipeline.perform(.convert(id)) }
        #expect(
            refusal?.message == "'convert' is not possible: its scene was read in an earlier run and is not here.")
    }

    @Test func anAssetThatIsNotThereIsSaidSo() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let id = try #require(AssetID("nobody"))
        for action in [AssetAction.retry(id), .cancel(id), .convert(id), .remove(id)] {
            let error = await #expect(throws: CodedFailure.self) { try await pipeline.perform(action) }
            #expect(error?.code == .assetUnknown)
        }
        for await state in await pipeline.states(of: id) { Issue.record("no asset, but \(state)") }
        #expect(await pipeline.outcome(of: id) == nil)
    }

    @Test func aNameIsGivenOnce() async throws {
        let id = try #require(AssetID("one"))
        var operations = AssetOperations.succeeding()
        operations.instant.makeID = { id }
        let pipeline = AssetPipeline(operations: operations)
        try await pipeline.perform(.add(source: "a"))
        let error = await #expect(throws: CodedFailure.self) { try await pipeline.perform(.add(source: "b")) }
        #expect(error?.code == .assetActionRefused)
        #expect(await pipeline.source(of: id) == .typed("a"))
    }

    // MARK: - Removing and ending

    @Test func removingStopsAndForgets() async throws {
        let entered = Door()
        let pipeline = AssetPipeline(operations: .holding(.download, entered: entered, door: Door()))
        let id = try await pipeline.perform(.add(source: "a"))
        let states = await pipeline.states(of: id)
        try await entered.pass()
        try await pipeline.perform(.remove(id))
        #expect(await pipeline.state(of: id) == nil)
        #expect(await pipeline.assets.isEmpty)
        var last: AssetState?
        for await state in states { last = state }
        #expect(last?.isCancelled == true)
        await pipeline.rest(of: id)
        await #expect(throws: CodedFailure.self) { try await pipeline.perform(.retry(id)) }
    }

    @Test func removingAReadyAssetDropsItsProduct() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let id = try await pipeline.perform(.add(source: "a"))
        _ = await pipeline.outcome(of: id)
        try await pipeline.perform(.remove(id))
        #expect(await pipeline.model(of: id) == nil)
    }

    @Test func theEndStopsAllWaitsForAllAndRefusesMore() async throws {
        let inside = Headcount()
        let started = Door()
        var operations = AssetOperations.succeeding()
        operations.stages.parse = { _, _, _, _ in
            inside.enter()
            defer { inside.leave() }
            if inside.now == 3 { started.open() }
            try await Door().pass()
            return try Sample.product()
        }
        let pipeline = AssetPipeline(operations: operations)
        var ids: [AssetID] = []
        for source in ["a", "b", "c"] { ids.append(try await pipeline.perform(.add(source: source))) }
        let states = await pipeline.states
        let actions = await pipeline.actions
        try await started.pass()
        await pipeline.end()
        #expect(inside.now == 0)
        for id in ids { #expect(await pipeline.state(of: id)?.isCancelled == true) }
        var last: [AssetID: AssetState] = [:]
        for await update in states { last[update.asset] = update.state }
        #expect(last.count == 3 && last.values.allSatisfy(\.isCancelled))
        for await action in actions { Issue.record("no action was taken, but \(action)") }
        for action in [AssetAction.add(source: "d"), .retry(ids[0])] {
            let error = await #expect(throws: CodedFailure.self) { try await pipeline.perform(action) }
            #expect(error?.message == "The pipeline has ended.")
        }
        #expect(await pipeline.observerCount == 0)
    }

    @Test func aKeptStateIsTakenUpAgain() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let running = try #require(AssetID("running"))
        let settled = try #require(AssetID("settled"))
        try await pipeline.restore(.downloading(Sample.download(5)), source: .url(Sample.source), as: running)
        try await pipeline.restore(try Sample.state("failed-parse"), source: .url(Sample.source), as: settled)
        #expect(await pipeline.outcome(of: running)?.attempt == Sample.second)
        #expect(await pipeline.outcome(of: running)?.isReady == true)
        #expect(await pipeline.state(of: settled) == (try Sample.state("failed-parse")))
        await #expect(throws: CodedFailure.self) {
            try await pipeline.restore(.downloading(Sample.download()), source: .typed("x"), as: running)
        }
    }
}

extension AssetState.Reason {
    /// An error with a code, as the modules below throw them.
    struct Thrown: CodedError {
        let code: FindingCode
        var place: Place { Place(entry: "x.dae", line: 3) }
        var message: String { "thrown by the test" }
    }
}

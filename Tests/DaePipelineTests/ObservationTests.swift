import DaeDiagnostics
import Testing

@testable import DaePipeline

@Suite(.timeLimit(.minutes(10))) struct ObservationTests {
    @Test func performedActionsAreReadInOrder() async throws {
        let entered = Door()
        let pipeline = AssetPipeline(operations: .holding(.download, entered: entered, door: Door()))
        let actions = await pipeline.actions
        let id = try await pipeline.perform(.add(source: "a"))
        try await entered.pass()
        try await pipeline.perform(.cancel(id))
        try await pipeline.perform(.retry(id))
        await #expect(throws: CodedFailure.self) { try await pipeline.perform(.retry(id)) }
        try await pipeline.perform(.remove(id))
        await pipeline.end()
        var seen: [PerformedAction] = []
        for await action in actions { seen.append(action) }
        #expect(seen.map(\.action) == [.add(source: "a"), .cancel(id), .retry(id), .remove(id)])
        #expect(seen.map(\.number) == [1, 2, 3, 4])
        #expect(seen.allSatisfy { $0.asset == id && $0.at == 1000 })
    }

    @Test func anObserverOfActionsThatIsFarBehindSeesAGapNotAPile() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let actions = await pipeline.actions
        let id = try await pipeline.perform(.add(source: "a"))
        _ = await pipeline.outcome(of: id)
        for _ in 0..<3000 { try await pipeline.perform(.cancel(id)) }
        await pipeline.end()
        var numbers: [Int64] = []
        for await action in actions { numbers.append(action.number) }
        #expect(numbers == Array(1978...3001))
    }

    @Test func twoObserversEachGetThePresentStateFirstAndTheOutcomeLast() async throws {
        let entered = Door()
        let door = Door()
        let pipeline = AssetPipeline(operations: .holding(.unzip, entered: entered, door: door))
        let id = try await pipeline.perform(.add(source: "a"))
        try await entered.pass()
        let read = Door()
        async let first = collect(await pipeline.states(of: id), afterFirst: { read.open() })
        let second = await pipeline.states(of: id)
        try await read.pass()
        door.open()
        _ = await pipeline.outcome(of: id)
        let quick = await first
        #expect(quick.first == .unzipping(.init(archive: "duck.zip")))
        #expect(quick.last?.isReady == true)
        // This one reads nothing until all is over: the states before the outcome are gone.
        #expect(await collect(second) == [(try Sample.ready())])
        // And one that comes late sees where it ended.
        #expect(await collect(pipeline.states(of: id)).map(\.isReady) == [true])
    }

    @Test func everyReadStateIsSeenWhenTheObserverKeepsUp() async throws {
        let steps = (0..<4).map { _ in Door() }
        var operations = AssetOperations.succeeding()
        operations.stages.parse = { _, _, _, report in
            for (index, step) in steps.enumerated() {
                try await step.pass()
                report(StageProgress(done: Int64(index + 1) * 25, of: 100))
            }
            try await Door().pass()
            return try Sample.product()
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        var seen: [Double] = []
        for await state in await pipeline.states(of: id) {
            if state.isSettled { break }
            guard state.stage == .parse, let progress = state.progress else { continue }
            seen.append(progress)
            if seen.count <= steps.count {
                steps[seen.count - 1].open()
            } else {
                try await pipeline.perform(.cancel(id))
            }
        }
        #expect(seen == [0, 0.25, 0.5, 0.75, 1])
    }

    @Test func aSlowObserverHoldsAtMostOneStateAmongThousands() async throws {
        let entered = Door()
        let door = Door()
        var operations = AssetOperations.succeeding()
        operations.stages.download = { _, _, report in
            entered.open()
            try await door.pass()
            for byte in 1...20_000 { report(StageProgress(done: Int64(byte), of: 20_000)) }
            return Sample.file("a")
        }
        let pipeline = AssetPipeline(operations: operations)
        let id = try await pipeline.perform(.add(source: "a"))
        try await entered.pass()
        var iterator = await pipeline.states(of: id).makeAsyncIterator()
        var all = await pipeline.states.makeAsyncIterator()
        #expect(await iterator.next(isolation: nil)?.stage == .download)
        #expect(await all.next(isolation: nil)?.state.stage == .download)
        door.open()
        await pipeline.rest(of: id)
        await pipeline.end()
        #expect(await iterator.next(isolation: nil)?.isReady == true)
        #expect(await iterator.next(isolation: nil) == nil)
        #expect(
            await all.next(isolation: nil)
                == AssetUpdate(asset: id, state: (try Sample.ready())))
        #expect(await all.next(isolation: nil) == nil)
    }

    @Test func aMailboxKeepsTheLastOutcomeBesideTheNewestState() throws {
        let mailbox = UpdateMailbox()
        let id = try #require(AssetID("a"))
        let other = try #require(AssetID("b"))
        let failed = try Sample.state("failed-download")
        mailbox.put(.init(asset: id, state: .downloading(Sample.download(1))))
        mailbox.put(.init(asset: other, state: .downloading(Sample.download(1))))
        mailbox.put(.init(asset: id, state: failed))
        for byte in 1...1000 {
            let download = Sample.download(Int64(byte), attempt: Sample.second)
            mailbox.put(.init(asset: id, state: .downloading(download)))
        }
        #expect(mailbox.take() == .init(asset: id, state: failed))
        #expect(mailbox.take() == .init(asset: id, state: .downloading(Sample.download(1000, attempt: Sample.second))))
        #expect(mailbox.take() == .init(asset: other, state: .downloading(Sample.download(1))))
        #expect(mailbox.take() == nil)
    }

    @Test func aMailboxHandsOutManyAssetsInTheOrderTheyCame() throws {
        let mailbox = UpdateMailbox()
        let ids = try (0..<500).map { try #require(AssetID("asset-\($0)")) }
        for _ in 0..<3 { for id in ids { mailbox.put(.init(asset: id, state: .downloading(Sample.download()))) } }
        var taken: [AssetID] = []
        while let update = mailbox.take() {
            taken.append(update.asset)
            if taken.count == 100 { mailbox.put(.init(asset: ids[0], state: .downloading(Sample.download()))) }
        }
        #expect(taken == ids + [ids[0]])
    }

    @Test func theStatesOfAllBeginWithThePresentOnesInOrder() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        var ids: [AssetID] = []
        for source in ["a", "b", "c"] {
            let id = try await pipeline.perform(.add(source: source))
            _ = await pipeline.outcome(of: id)
            ids.append(id)
        }
        let states = await pipeline.states
        await pipeline.end()
        var seen: [AssetID] = []
        for await update in states { seen.append(update.asset) }
        #expect(seen == ids)
    }

    @Test func observersThatGoAreForgotten() async throws {
        let entered = Door()
        let pipeline = AssetPipeline(operations: .holding(.download, entered: entered, door: Door()))
        let id = try await pipeline.perform(.add(source: "a"))
        try await entered.pass()
        let watching = Task { [pipeline] in
            async let one: Void = { for await _ in await pipeline.states(of: id) {} }()
            async let all: Void = { for await _ in await pipeline.states {} }()
            async let actions: Void = { for await _ in await pipeline.actions {} }()
            _ = await (one, all, actions)
        }
        while await pipeline.observerCount < 3 { await Task.yield() }
        watching.cancel()
        await watching.value
        #expect(await pipeline.observerCount == 0)
        await pipeline.end()
    }

    private func collect(
        _ states: some AsyncSequence<AssetState, Never>, afterFirst: () -> Void = {}
    ) async -> [AssetState] {
        var seen: [AssetState] = []
        for await state in states {
            seen.append(state)
            if seen.count == 1 { afterFirst() }
        }
        return seen
    }
}

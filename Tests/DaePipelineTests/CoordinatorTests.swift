import DaeDiagnostics
import Testing

@testable import DaePipeline

@Suite(.timeLimit(.minutes(10))) struct CoordinatorTests {
    // MARK: - One asset

    @Test func anAssetsFlowEndsWhenItHasSettled() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let id = try await pipeline.perform(.add(source: "a"))
        #expect(await pipeline.coordinator(of: id).start() == id)
        #expect(await pipeline.state(of: id)?.isReady == true)
    }

    @Test(arguments: AssetStage.allCases)
    func anAssetEndsWithTheTaskOfItsFlow(stage: AssetStage) async throws {
        let entered = Door()
        let pipeline = AssetPipeline(operations: .holding(stage, entered: entered, door: Door()))
        let id = try await pipeline.perform(.add(source: "a"))
        let flow = Task { _ = await pipeline.coordinator(of: id).start() }
        try await entered.pass()
        flow.cancel()
        await flow.value
        #expect(await pipeline.state(of: id)?.isCancelled == true)
        #expect(await pipeline.state(of: id)?.failure?.stage == stage)
    }

    // MARK: - Many

    @Test func aBatchKeepsToItsLimitAndToTheOrderGiven() async throws {
        let inside = Headcount()
        let sources = (0..<12).map { "source-\($0)" }
        let doors = Dictionary(uniqueKeysWithValues: sources.map { ($0, Door()) })
        let entries = Mailbox()
        var operations = AssetOperations.succeeding()
        operations.stages.download = { source, _, _ in
            inside.enter()
            defer { inside.leave() }
            entries.post(source.text)
            try await doors[source.text]?.pass()
            if source.text == "source-4" { throw AssetState.Reason.Thrown(code: .downloadHTTPStatus) }
            return Sample.file(source.text)
        }
        let pipeline = AssetPipeline(operations: operations)
        let outcomes = Notes<BatchCoordinator.Outcome>()
        let batch = BatchCoordinator(sources.map(AssetSource.typed), in: pipeline, atMost: 3) { outcomes.add($0) }
        async let done: Void = batch.start()
        var atWork: [String] = []
        var entered = entries.sequence.makeAsyncIterator()
        var remaining = sources.count
        while remaining > 0 {
            while atWork.count < min(3, remaining) {
                guard let source = await entered.next() else { break }
                atWork.append(source)
            }
            // Room for a batch that begins too many to show itself.
            for _ in 0..<200 { await Task.yield() }
            // The youngest first, so that results have to be held back.
            doors[atWork.removeLast()]?.open()
            remaining -= 1
        }
        await done
        #expect(inside.most == 3)
        #expect(outcomes.all.map(\.source) == sources)
        #expect(outcomes.all.map(\.index) == Array(0..<12))
        #expect(outcomes.all.filter { !$0.state.isReady }.map(\.source) == ["source-4"])
        #expect(outcomes.all[4].state.failure?.code == .downloadHTTPStatus)
    }

    @Test func aResultIsGivenAsSoonAsThoseBeforeItAre() async throws {
        let slow = Door()
        var operations = AssetOperations.succeeding()
        operations.stages.download = { source, _, _ in
            if source == .typed("slow") { try await slow.pass() }
            return Sample.file(source.text)
        }
        let pipeline = AssetPipeline(operations: operations)
        let outcomes = Mailbox()
        let batch = BatchCoordinator([.typed("quick"), .typed("slow"), .typed("late")], in: pipeline, atMost: 2) {
            outcomes.post($0.source)
        }
        async let done: Void = batch.start()
        var delivered = outcomes.sequence.makeAsyncIterator()
        #expect(await delivered.next() == "quick")  // the door of the second is still shut
        slow.open()
        #expect(await delivered.next() == "slow")
        #expect(await delivered.next() == "late")
        await done
    }

    @Test func outcomesThatWaitForAnEarlierOneAreBounded() async throws {
        let slow = Door()
        let begun = Headcount()
        let full = Door()
        var operations = AssetOperations.succeeding()
        operations.stages.download = { source, _, _ in
            begun.enter()
            if begun.now == 34 { full.open() }
            if source == .typed("0") { try await slow.pass() }
            return Sample.file(source.text)
        }
        let pipeline = AssetPipeline(operations: operations)
        let outcomes = Notes<Int>()
        let batch = BatchCoordinator((0..<100).map { .typed("\($0)") }, in: pipeline, atMost: 2) {
            outcomes.add($0.index)
        }
        async let done: Void = batch.start()
        try await full.pass()
        // Room for a batch that begins too many to show itself.
        for _ in 0..<200 { await Task.yield() }
        #expect(begun.now == 34 && outcomes.all.isEmpty)
        slow.open()
        await done
        #expect(outcomes.all == Array(0..<100))
    }

    @Test func cancellingABatchEndsItsChildrenAndBeginsNoFurther() async throws {
        let inside = Headcount()
        let full = Door()
        var operations = AssetOperations.succeeding()
        operations.stages.unzip = { _, _, _ in
            inside.enter()
            defer { inside.leave() }
            if inside.now == 3 { full.open() }
            try await Door().pass()
            return try Sample.bundle()
        }
        let pipeline = AssetPipeline(operations: operations)
        let outcomes = Notes<BatchCoordinator.Outcome>()
        let batch = BatchCoordinator((0..<50).map { .typed("\($0)") }, in: pipeline, atMost: 3) { outcomes.add($0) }
        let flow = Task { await batch.start() }
        try await full.pass()
        flow.cancel()
        await flow.value
        #expect(inside.now == 0)
        #expect(outcomes.all.map(\.index) == [0, 1, 2])
        #expect(outcomes.all.map(\.state.isCancelled) == [true, true, true])
        #expect(await pipeline.assets.count == 3)
    }

    @Test func anAssetThatIsRemovedMeanwhileDoesNotHoldTheOthersBack() async throws {
        let entered = Door()
        var operations = AssetOperations.succeeding()
        operations.stages.download = { source, _, _ in
            if source == .typed("a") {
                entered.open()
                try await Door().pass()
            }
            return Sample.file(source.text)
        }
        let pipeline = AssetPipeline(operations: operations)
        let outcomes = Notes<String>()
        let batch = BatchCoordinator([.typed("a"), .typed("b"), .typed("c")], in: pipeline, atMost: 1) {
            outcomes.add($0.source)
        }
        async let done: Void = batch.start()
        try await entered.pass()
        let first = await pipeline.assets.first
        try await pipeline.perform(.remove(try #require(first)))
        await done
        #expect(outcomes.all == ["b", "c"])
    }

    @Test func aReceiverMayRemoveWhatItHasReceived() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        let count = Headcount()
        let batch = BatchCoordinator((0..<100).map { .typed("\($0)") }, in: pipeline, atMost: 4) { outcome in
            #expect(await pipeline.model(of: outcome.asset) != nil)
            _ = try? await pipeline.perform(.remove(outcome.asset))
            count.enter()
        }
        await batch.start()
        #expect(count.now == 100)
        #expect(await pipeline.assets.isEmpty)
    }

    @Test func aBatchInAPipelineThatHasEndedReturns() async throws {
        let pipeline = AssetPipeline(operations: .succeeding())
        await pipeline.end()
        let batch = BatchCoordinator([.typed("a")], in: pipeline, atMost: 2) { Issue.record("no outcome, but \($0)") }
        await batch.start()
        #expect(await pipeline.assets.isEmpty)
    }

    // MARK: - The shared base

    @Test func childrenOfChildrenEndWithTheParent() async throws {
        let leaves = Headcount()
        let full = Door()
        let tree = Branch(
            flows: (0..<2).map { _ in
                Branch(flows: (0..<3).map { _ in Leaf(count: leaves, all: 6, full: full) })
            })
        let flow = Task { await tree.start() }
        try await full.pass()
        flow.cancel()
        await flow.value
        #expect(leaves.now == 0)
    }
}

/// Runs until it is stopped.
private struct Leaf: Coordinator {
    let count: Headcount
    let all: Int
    let full: Door

    func start() async {
        count.enter()
        defer { count.leave() }
        if count.now == all { full.open() }
        try? await Door().pass()
    }
}

/// Runs its flows, all at once.
private struct Branch<Flow: Coordinator>: Coordinator {
    let flows: [Flow]

    func start() async {
        await startChildren(count: flows.count, atMost: .max, begin: { flows[$0] }, take: { _, _ in true })
    }
}

/// Texts from closures to the test, one after the other.
private final class Mailbox: Sendable {
    let sequence: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (sequence, continuation) = AsyncStream.makeStream() }

    func post(_ text: String) { continuation.yield(text) }
}

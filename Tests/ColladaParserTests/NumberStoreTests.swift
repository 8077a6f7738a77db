import SceneModel
import TestSupport
import Testing

@testable import ColladaParser

/// Numbers that went to a file are had back as they were, in whatever order they are asked for.
@Suite struct NumberStoreTests {
    /// What is asked for lies near what was asked for before, or anywhere.
    enum Order: CaseIterable {
        case forward, backward, random, leaping
    }

    @Test(arguments: Order.allCases)
    func everyRunIsHadBackAsItWas(_ order: Order) {
        var numbers = SeededNumbers(seed: 5)
        let store = NumberStore(spool: StoredNumberTests.Files().spool, memoryBlocks: 1)
        var runs: [(run: ArchivedRun, numbers: [Int32])] = []
        for _ in 0..<4000 {
            let count = Int.random(in: 0..<400, using: &numbers)
            let list = (0..<count).map { _ in Int32.random(in: .min ... .max, using: &numbers) }
            runs.append((store.put(list), list))
        }
        // Beyond what is had back at once.
        let long = (0..<40_000).map { Int32($0) }
        runs.insert((store.put(long), long), at: 2000)
        var places = Array(runs.indices)
        switch order {
        case .forward: break
        case .backward: places.reverse()
        case .random: places.shuffle(using: &numbers)
        case .leaping: places.sort { ($0 % 7, $0) < ($1 % 7, $1) }
        }
        for (step, place) in places.enumerated() {
            #expect(store.integers(runs[place].run) == runs[place].numbers)
            guard step % 100 == 0 else { continue }
            // What comes meanwhile is behind the rest.
            let list = [Int32(step)]
            runs.append((store.put(list), list))
            #expect(store.integers(runs[runs.count - 1].run) == list)
        }
    }

    @Test func whatWasForgottenIsNotHadBackForWhatFollows() {
        let store = NumberStore(spool: StoredNumberTests.Files().spool, memoryBlocks: 1)
        for number in Int32(1)...3 {
            let list = [Int32](repeating: number, count: 300_000)
            let run = store.put(list)
            var numbers: [Int32] = []
            let isRead = store.read(100, at: run.start + 1_000_000, into: &numbers)
            #expect(isRead)
            #expect(numbers == Array(list.prefix(100)))
            store.removeAll()
        }
    }
}

import Synchronization
import Testing

@testable import ProcessMemory

@Suite struct ProcessMemoryTests {
    private var steps: ProcessMemory.Steps { ProcessMemory.steps.load(ordering: .relaxed) }

    /// The library's user decides, once.
    @Test func aProcessIsLeftAloneUntilItsProgramSaysSo() {
        #expect(steps == .unsaid)
        // One by one, which is no setting; a thread with a heap of its own has none.
        for _ in 0..<3 { #expect(ProcessMemory.growInLargeSteps() != .byItself) }
        #expect(steps == .unsaid)
        ProcessMemory.setUp()
        #expect(steps == .small)
        #expect(ProcessMemory.growInLargeSteps() == .byItself)
        #expect(steps == .large)
        #expect(ProcessMemory.growInLargeSteps() == .byItself)
        #expect(steps == .large)
    }
}

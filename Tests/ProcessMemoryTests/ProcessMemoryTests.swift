import Synchronization
import Testing

@testable import ProcessMemory

@Suite struct ProcessMemoryTests {
    private var steps: ProcessMemory.Steps { ProcessMemory.steps.load(ordering: .relaxed) }

    /// The library's user decides, once.
    @Test func aProcessIsLeftAloneUntilItsProgramSaysSo() {
        #expect(steps == .unsaid)
        ProcessMemory.growInLargeSteps()
        #expect(steps == .unsaid)
        ProcessMemory.setUp()
        #expect(steps == .small)
        ProcessMemory.growInLargeSteps()
        #expect(steps == .large)
        ProcessMemory.growInLargeSteps()
        #expect(steps == .large)
    }
}

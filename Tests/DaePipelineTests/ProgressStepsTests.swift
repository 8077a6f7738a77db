import Testing

@testable import DaePipeline

@Suite struct ProgressStepsTests {
    private func told(of total: Int64, every chunk: Int64) -> [Int64] {
        let steps = ProgressSteps(of: total)
        return stride(from: chunk, through: total, by: Int64.Stride(chunk)).filter { steps.isNext($0) }
    }

    @Test func aLongStageIsToldInStepsThatCanBeSeen() {
        let told = told(of: 1_280_000, every: 1000)
        #expect(told.first == 1000)
        #expect(told.last == 1_280_000)
        #expect(zip(told, told.dropFirst()).dropLast().allSatisfy { $1 - $0 == 10_000 })
    }

    @Test func noStepIsLongerThanAMebibyte() {
        let told = told(of: 1 << 30, every: 1 << 18)
        #expect(told.count == 1025)
    }

    @Test func aShortStageIsToldWhole() {
        #expect(told(of: 100, every: 1) == Array(1...100))
        #expect(ProgressSteps(of: 0).isNext(0))
    }

    @Test func theEndIsAlwaysTold() {
        let steps = ProgressSteps(of: 1280)
        #expect(steps.isNext(1275))
        #expect(!steps.isNext(1279))
        #expect(steps.isNext(1280))
    }
}

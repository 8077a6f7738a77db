import Testing

@testable import DaeScene

@Suite struct AnimationBehaviorTests {
    /// 0 at 1 s, 4 at 2 s, 2 at 3 s, straight between.
    private func curve(_ both: AnimationBehavior) -> AnimationCurve {
        AnimationCurve(
            times: [1, 2, 3], values: [0, 4, 2], width: 1, interpolations: .all(.linear), before: both, after: both)
    }

    @Test(arguments: [AnimationBehavior.undefined, .constant])
    func theNearestKeyHolds(behavior: AnimationBehavior) {
        #expect(curve(behavior).value(at: -100) == [0])
        #expect(curve(behavior).value(at: 100) == [2])
        #expect(curve(behavior).value(at: .infinity) == [2])
        #expect(curve(behavior).value(at: -.infinity) == [0])
    }

    @Test func aGradientGoesOnThroughTheNearestTwoKeys() {
        #expect(curve(.gradient).value(at: 0) == [-4])
        #expect(curve(.gradient).value(at: 5.5) == [-3])
    }

    @Test func aCycleBeginsAgain() {
        #expect(curve(.cycle).value(at: 3) == [2])
        #expect(curve(.cycle).value(at: 3.5) == [2])
        #expect(curve(.cycle).value(at: 5) == [0])
        #expect(curve(.cycle).value(at: 6) == [4])
        #expect(curve(.cycle).value(at: 0.5) == [3])
        #expect(curve(.cycle).value(at: -1.5) == [3])
    }

    @Test func anOscillationTurnsBack() {
        #expect(curve(.oscillate).value(at: 3.5) == [3])
        #expect(curve(.oscillate).value(at: 4.5) == [2])
        #expect(curve(.oscillate).value(at: 5.5) == [2])
        #expect(curve(.oscillate).value(at: 0.5) == [2])
        #expect(curve(.oscillate).value(at: -0.5) == [3])
        #expect(curve(.oscillate).value(at: -2) == [4])
    }

    @Test func aRelativeCycleBeginsWhereItEnded() {
        #expect(curve(.cycleRelative).value(at: 3.5) == [4])
        #expect(curve(.cycleRelative).value(at: 5) == [4])
        #expect(curve(.cycleRelative).value(at: 5.5) == [6])
        #expect(curve(.cycleRelative).value(at: 0.5) == [1])
        #expect(curve(.cycleRelative).value(at: -1) == [-2])
    }

    @Test(arguments: AnimationBehavior.allCases)
    func hugeAndTinyTimesAreAnswered(behavior: AnimationBehavior) {
        let curve = curve(behavior)
        for time in [1e18, -1e18, 1.7e308, -1.7e308, 0x1p-1074, -0x1p-1074] {
            let value = curve.value(at: time)
            #expect(value.count == 1)
            #expect(!value[0].isNaN)
        }
        #expect(curve.value(at: .nan)[0].isNaN)
    }

    @Test(arguments: AnimationBehavior.allCases)
    func oneKeyAndKeysOfOneTimeHold(behavior: AnimationBehavior) {
        let one = AnimationCurve(
            times: [2], values: [7], width: 1, interpolations: .all(.bezier), before: behavior, after: behavior)
        let two = AnimationCurve(
            times: [2, 2], values: [7, 8], width: 1, interpolations: .all(.linear), before: behavior, after: behavior)
        for time in [-5.0, 2, 5] { #expect(one.value(at: time) == [7]) }
        #expect(two.value(at: 0) == [7])
        #expect(two.value(at: 2) == [8])
        #expect(two.value(at: 9) == [8])
    }

    @Test func namesAreTheSchemas() {
        #expect(
            AnimationBehavior.allCases.map(\.rawValue).sorted()
                == ["CONSTANT", "CYCLE", "CYCLE_RELATIVE", "GRADIENT", "OSCILLATE", "UNDEFINED"])
    }
}

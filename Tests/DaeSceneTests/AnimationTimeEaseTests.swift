import TestSupport
import Testing

@testable import DaeScene

@Suite struct AnimationTimeEaseTests {
    /// The same answer by halving alone, from the curve's definition.
    private func halved(_ ease: TimeEase, _ time: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<1100 {
            let middle = low + (high - low) / 2
            let rest = 1 - middle
            let there =
                3 * ease.first * middle * rest * rest + 3 * ease.second * middle * middle * rest
                + middle * middle * middle
            if there < time { low = middle } else { high = middle }
        }
        return high
    }

    @Test func theParameterSolvesTheCubicToTheLastBits() {
        var numbers = SeededNumbers(seed: 1)
        var (most, all) = (0, 0)
        for _ in 0..<20_000 {
            let ease = TimeEase(first: .random(in: 0...1, using: &numbers), second: .random(in: 0...1, using: &numbers))
            let time = Double.random(in: 0...1, using: &numbers)
            let (parameter, steps) = ease.parameter(at: time)
            most = max(most, steps)
            all += steps
            #expect(abs(ease.time(at: parameter) - time) <= 4 * 0x1p-52)
        }
        #expect(most < TimeEase.stepLimit)
        #expect(all < 20_000 * 8)
    }

    @Test func steepPlacesAgreeWithHalving() {
        for (first, second) in [(0.0, 1.0), (1, 0), (0, 0), (1, 1), (0.42, 0.58), (1e-9, 1 - 1e-9)] {
            let ease = TimeEase(first: first, second: second)
            for step in 1..<1000 where step != 500 {
                let time = Double(step) / 1000
                #expect(abs(ease.parameter(at: time).value - halved(ease, time)) < 1e-9)
            }
        }
    }

    @Test(arguments: [0.0, 1.0, 0.25, 1e-300, 0x1p-1074, 1 - 0x1p-53])
    func hardTimesTakeFewerStepsThanTheLimit(share: Double) {
        for time in [0x1p-1074, 1e-300, 1e-16, 0.5, 0.5 + 0x1p-53, 1 - 0x1p-53] {
            for ease in [TimeEase(first: share, second: 1 - share), TimeEase(first: 1 - share, second: share)] {
                let (parameter, steps) = ease.parameter(at: time)
                #expect(steps < TimeEase.stepLimit)
                #expect(abs(ease.time(at: parameter) - time) <= 4 * 0x1p-52)
            }
        }
    }

    @Test func timesOutsideAreItsEndsAndNoNumberStaysNone() {
        let ease = TimeEase(first: 0.1, second: 0.4)
        #expect(ease.parameter(at: -3).value == 0)
        #expect(ease.parameter(at: 7).value == 1)
        #expect(ease.parameter(at: .nan).value.isNaN)
        #expect(TimeEase.even.parameter(at: 0.7).value == 0.7)
    }
}

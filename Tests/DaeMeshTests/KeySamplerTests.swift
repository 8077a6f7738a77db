import Glibc
import Testing

@testable import DaeMesh

@Suite struct KeySamplerTests {
    private static func sampler(_ value: @escaping (Double) -> Double, tolerance: Double = 1e-3) -> KeySampler<Double> {
        KeySampler(
            tolerance: tolerance, value: value, distance: { abs($0 - $1) }, between: { $0 + ($1 - $0) * $2 })
    }

    @Test func aStraightCurveKeepsItsKeys() {
        var sampler = Self.sampler { 3 * $0 - 1 }
        #expect(sampler.keys(at: [0, 0.5, 2]).map(\.time) == [0, 0.5, 2])
        #expect(sampler.added == 0)
    }

    @Test func aCurveIsFollowedWithinTheTolerance() {
        var sampler = Self.sampler { sin($0) }
        let keys = sampler.keys(at: [0, 3, 6])
        #expect(keys.count > 10 && sampler.deviation <= 1e-3)
        for (start, end) in zip(keys, keys.dropFirst()) {
            for share in stride(from: 0.0, through: 1, by: 0.1) {
                let time = start.time + (end.time - start.time) * share
                #expect(abs(start.value + (end.value - start.value) * share - sin(time)) <= 1.5e-3)
            }
        }
    }

    @Test func aJumpStaysAJump() {
        var sampler = Self.sampler { $0 < 1 ? 0 : 5 }
        let keys = sampler.keys(at: [0, 1, 2])
        #expect(keys.map(\.value) == [0, 0, 5, 5])
        #expect(keys[1].time < 1 && keys[1].time > 0.9999)
    }
}

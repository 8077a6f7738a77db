import DaeScene
import Glibc
import TestSupport
import Testing

@testable import DaeMesh

/// Curves become keys that lead where the curves do.
@Suite struct CurveTests {
    private static let span = TrackSpan(range: 0...2, offset: 0)

    /// Three keys at 0, 1 and 2, with the control points that are given.
    private static func bezier(
        _ values: [Double], in incoming: [Double], out outgoing: [Double]
    ) -> AnimationCurve {
        AnimationCurve(
            times: [0, 1, 2], values: values, width: 1, interpolations: .all(.bezier),
            tangents: AnimationTangents(incoming: incoming, outgoing: outgoing))
    }

    private static func value(_ keys: CurveKeys, at time: Double) -> Double {
        let after = max(1, keys.times.firstIndex { Double($0) > time } ?? keys.times.count - 1)
        let (start, end) = (Double(keys.times[after - 1]), Double(keys.times[after]))
        let share = (time - start) / (end - start)
        switch keys.interpolation {
        case .step: return keys.rows[after - 1]
        case .linear: return keys.rows[after - 1] + (keys.rows[after] - keys.rows[after - 1]) * share
        case .cubic:
            let (first, last) = (keys.rows[3 * after - 2], keys.rows[3 * after + 1])
            let (leaving, arriving) = (keys.rows[3 * after - 1] * (end - start), keys.rows[3 * after] * (end - start))
            let rest = 1 - share
            let controls = (first + leaving / 3, last - arriving / 3)
            return first * rest * rest * rest + 3 * controls.0 * rest * rest * share
                + 3 * controls.1 * rest * share * share + last * share * share * share
        }
    }

    private static func worst(_ keys: CurveKeys, _ curve: AnimationCurve) -> Double {
        stride(from: 0.003, to: 2, by: 0.0137).reduce(0) { worst, time in
            max(worst, abs(value(keys, at: time) - curve.value(at: time)[0]))
        }
    }

    @Test func handlesAtThirdsAreCubicsWithTheDocumentsKeys() throws {
        let curve = Self.bezier(
            [0, 3, -1], in: [-1.0 / 3, 0, 2.0 / 3, 5, 5.0 / 3, 2], out: [1.0 / 3, 4, 4.0 / 3, -2, 7.0 / 3, 0])
        let keys = try #require(
            CurveKeys([CurveNumber(curve: curve, component: 0)], in: Self.span, tolerances: [1e-4]))
        #expect(keys.interpolation == .cubic && keys.times == [0, 1, 2] && !keys.isSampled)
        #expect(Self.worst(keys, curve) < 1e-12)
    }

    @Test func aFormatWithoutCubicsGetsLinesWithinTheTolerance() throws {
        let curve = Self.bezier(
            [0, 3, -1], in: [-1.0 / 3, 0, 2.0 / 3, 5, 5.0 / 3, 2], out: [1.0 / 3, 4, 4.0 / 3, -2, 7.0 / 3, 0])
        var span = Self.span
        span.curves = .none
        let keys = try #require(CurveKeys([CurveNumber(curve: curve, component: 0)], in: span, tolerances: [1e-3]))
        #expect(keys.interpolation == .linear && keys.isSampled && Self.worst(keys, curve) <= 2e-3)
    }

    @Test func otherHandlesAreFollowedWithinTheTolerance() throws {
        var numbers = SeededNumbers(seed: 5)
        for _ in 0..<200 {
            func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
            let curve = Self.bezier(
                [number(-1...1), number(-1...1), number(-1...1)],
                in: [-0.3, 0, number(0.1...0.9), number(-2...2), number(1.1...1.9), number(-2...2)],
                out: [number(0.1...0.9), number(-2...2), number(1.1...1.9), number(-2...2), 2.3, 0])
            let keys = try #require(
                CurveKeys([CurveNumber(curve: curve, component: 0)], in: Self.span, tolerances: [1e-3]))
            #expect(keys.interpolation == .linear && keys.isSampled && keys.deviations[0] <= 1e-3)
            // Times are written as Float: where a curve stands steep that is more than the tolerance.
            #expect(Self.worst(keys, curve) <= 2e-3)
        }
    }

    @Test func theToldDistanceFromTheChordIsTheTrueOne() {
        var numbers = SeededNumbers(seed: 9)
        func number() -> Double { Double.random(in: -2...2, using: &numbers) }
        for round in 0..<200 {
            var values = SIMD4(0, number(), number(), 0)
            if round % 4 == 1 { values.y = 0 }
            if round % 4 == 2 { values.z = 0 }
            if round % 4 == 3 { values.z = values.y }
            let arc = CurveArc(times: SIMD4(0, 1, 2, 3), values: values, depth: 0)
            let sampled = stride(from: 0, through: 1, by: 1.0 / 512).reduce(0) {
                max($0, abs(arc.parts(at: $1).first.values.w))
            }
            #expect(arc.largestDistanceFromChord >= sampled - 1e-12)
            #expect(arc.largestDistanceFromChord <= sampled + 1e-4)
        }
    }

    @Test func aRateBoundsTheKeysThatAreAdded() throws {
        let curve = Self.bezier([0, 9, 0], in: [0, 0, 0.9, 9, 1.9, 0], out: [0.9, -9, 1.1, 30, 2, 0])
        let free = try #require(
            CurveKeys([CurveNumber(curve: curve, component: 0)], in: Self.span, tolerances: [1e-4]))
        let bounded = try #require(
            CurveKeys(
                [CurveNumber(curve: curve, component: 0)], in: TrackSpan(range: 0...2, offset: 0, leastSpan: 0.1),
                tolerances: [1e-4]))
        #expect(free.times.count > 100 && bounded.times.count > 5 && bounded.times.count <= 21)
        #expect(bounded.isSampled && bounded.deviations[0] > free.deviations[0])
        for (start, end) in zip(bounded.times, bounded.times.dropFirst()) { #expect(end - start >= 0.099) }
    }

    @Test func aStepAmongStraightLinesStaysAStep() throws {
        let line = AnimationCurve(
            times: [0, 2], values: [0, 4], width: 1, interpolations: .all(.linear))
        let step = AnimationCurve(
            times: [0, 1, 2], values: [7, 8, 9], width: 1, interpolations: .all(.step))
        let keys = try #require(
            CurveKeys(
                [CurveNumber(curve: line, component: 0), CurveNumber(curve: step, component: 0)], in: Self.span,
                tolerances: [1e-6, 1e-6]))
        #expect(keys.times == [0, Float(1).nextDown, 1, Float(2).nextDown, 2])
        let steps = stride(from: 1, to: keys.rows.count, by: 2).map { keys.rows[$0] }
        #expect(steps == [7, 7, 8, 8, 9])
        #expect(abs(keys.rows[4] - 2) < 1e-6)
    }

    @Test func aPartOfACurveHasItsEnds() throws {
        let curve = AnimationCurve(
            times: [0, 1, 2, 3], values: [0, 1, 4, 9], width: 1, interpolations: .all(.linear))
        let keys = try #require(
            CurveKeys(
                [CurveNumber(curve: curve, component: 0)], in: TrackSpan(range: 1.5...5, offset: 1.5),
                tolerances: [1e-6]))
        #expect(keys.times == [0, 0.5, 1.5, 3.5])
        #expect(keys.rows.map { ($0 * 1000).rounded() / 1000 } == [2.5, 4, 9, 9])
    }

    @Test func aMotionComesApartWhereNothingThatTurnsComesFirst() throws {
        let curve = AnimationCurve(times: [0, 1], values: [0, 90], width: 1, interpolations: .all(.linear))
        func motion(_ transforms: [Transform], moving place: Int) throws -> NodeMotion {
            try #require(
                NodeMotion(
                    transforms: transforms,
                    [NodeMotion.Channel(place: place, member: .named(place == 1 ? .angle : .x), curve: curve)]))
        }
        let usual: [Transform] = [.translate([1, 2, 3]), .rotate(axis: [0, 0, 1], degrees: 5), .scale([2, 2, 2])]
        let turning = try #require(SeparateMotion(try motion(usual, moving: 1)))
        #expect(turning.translation.origin == [1, 2, 3] && turning.translation.numbers.isEmpty)
        #expect(turning.turning?.onlyAngle != nil && turning.scale?.origin == [2, 2, 2])
        let shifting = try #require(SeparateMotion(try motion(usual, moving: 0)))
        #expect(shifting.translation.origin == [0, 2, 3] && shifting.turning == nil)
        // What is turned about a point of its own moves that point.
        let pivot: [Transform] = [
            .translate([1, 0, 0]), .rotate(axis: [0, 0, 1], degrees: 5), .translate([-1, 0, 0]),
        ]
        #expect(SeparateMotion(try motion(pivot, moving: 1)) == nil)
    }
}

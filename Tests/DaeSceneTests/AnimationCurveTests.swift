import Testing

@testable import DaeScene

@Suite struct AnimationCurveTests {
    private func scalar(
        _ times: [Double], _ values: [Double], _ names: String, incoming: [Double] = [], outgoing: [Double] = []
    ) -> AnimationCurve {
        AnimationCurve(
            times: times, values: values, width: 1, interpolationNames: names.split(separator: " ").map(String.init),
            tangents: AnimationTangents(incoming: incoming, outgoing: outgoing))
    }

    /// The value at `time` on a Bézier curve in time and value, by walking it in small steps.
    private func walked(_ points: [(Double, Double)], at time: Double) -> Double {
        func at(_ s: Double) -> (Double, Double) {
            let r = 1 - s
            let weights = [r * r * r, 3 * r * r * s, 3 * r * s * s, s * s * s]
            return zip(points, weights).reduce((0, 0)) { ($0.0 + $1.0.0 * $1.1, $0.1 + $1.0.1 * $1.1) }
        }
        let steps = 200_000
        var before = at(0)
        for step in 1...steps {
            let after = at(Double(step) / Double(steps))
            if after.0 >= time {
                return before.1 + (after.1 - before.1) * (time - before.0) / (after.0 - before.0)
            }
            before = after
        }
        return before.1
    }

    @Test(arguments: ["LINEAR", "BEZIER", "HERMITE", "CARDINAL", "STEP"])
    func aKeysTimeGivesItsValueExactly(name: String) {
        let times = [-0.1, 0, 0.3, 1.0 / 3, 7.7]
        let values = [0.1, -1e9, 1e-9, .pi, 12.3]
        let tangents = [9.0, 8, 7, 6, 5]
        let curve = scalar(times, values, name, incoming: tangents, outgoing: tangents)
        for (time, value) in zip(times, values) { #expect(curve.value(at: time) == [value]) }
    }

    @Test func linearIsAStraightLine() {
        let curve = AnimationCurve(times: [1, 3], values: [0, 10, 4, 20], width: 2, interpolations: .all(.linear))
        #expect(curve.value(at: 1.5) == [1, 12.5])
        #expect(curve.value(at: 2) == [2, 15])
        #expect(curve.issues.isEmpty)
    }

    @Test func aStepHoldsUpToTheNextKey() {
        let curve = scalar([0, 1, 2], [5, 6, 7], "STEP STEP STEP")
        #expect(curve.value(at: 1 - 1e-12) == [5])
        #expect(curve.value(at: 1) == [6])
        #expect(curve.value(at: 1.999) == [6])
    }

    @Test func aBezierWithControlPointsAtTheThirdsIsLinear() {
        let curve = scalar(
            [0, 3], [0, 30], "BEZIER BEZIER", incoming: [-1, 0, 2, 20], outgoing: [1, 10, 4, 40])
        let distances = scalar([0, 3], [0, 30], "BEZIER BEZIER", incoming: [10, 10], outgoing: [10, 10])
        for step in 0...30 {
            let time = Double(step) / 10
            #expect(abs(curve.value(at: time)[0] - time * 10) < 1e-13)
            #expect(abs(distances.value(at: time)[0] - time * 10) < 1e-13)
        }
    }

    @Test(arguments: [
        (0.42, 0.0, 0.58, 1.0), (0.25, 0.1, 0.25, 1), (0, 0, 1, 1), (1, 0, 0, 1), (0.68, -0.55, 0.27, 1.55),
    ])
    func anEaseOfTwoDimensionsAgreesWithWalkingTheCurve(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) {
        let curve = scalar(
            [2, 4], [10, 20], "BEZIER BEZIER", incoming: [0, 0, 2 + 2 * bx, 10 + 10 * by],
            outgoing: [2 + 2 * ax, 10 + 10 * ay, 0, 0])
        let points = [(2.0, 10.0), (2 + 2 * ax, 10 + 10 * ay), (2 + 2 * bx, 10 + 10 * by), (4, 20)]
        for time in [2.001, 2.2, 2.5, 2.9, 3.1, 3.7, 3.99] {
            #expect(abs(curve.value(at: time)[0] - walked(points, at: time)) < 1e-4)
        }
    }

    @Test func aSymmetricEaseIsHalfwayInTheMiddleAndSlowAtTheEnds() {
        let curve = scalar([0, 1], [0, 1], "BEZIER BEZIER", incoming: [0, 0, 0.58, 1], outgoing: [0.42, 0, 1, 1])
        #expect(abs(curve.value(at: 0.5)[0] - 0.5) < 1e-15)
        // Numbers of CSS's ease-in-out, which is this curve.
        #expect(abs(curve.value(at: 0.25)[0] - 0.12916193) < 1e-7)
        #expect(abs(curve.value(at: 0.75)[0] - 0.87083807) < 1e-7)
    }

    @Test func oneDimensionalTangentsAreDistancesUnlessSaidOtherwise() {
        let times = [0.0, 3]
        let list = AnimationTangents(incoming: [9, 2], outgoing: [6, 9])
        let distances = AnimationCurve(
            times: times, values: [1, 10], width: 1, interpolations: .all(.bezier), tangents: list)
        var absolute = list
        absolute.oneDimensional = .controlValues
        let controls = AnimationCurve(
            times: times, values: [1, 10], width: 1, interpolations: .all(.bezier), tangents: absolute)
        // (p0 + 3 c0 + 3 c1 + p1) / 8 halfway: with 1, 7, 8, 10 and with 1, 6, 2, 10.
        #expect(distances.value(at: 1.5) == [7])
        #expect(controls.value(at: 1.5) == [4.375])
        #expect(distances.issues == [.tangentLayout1D])
    }

    @Test func theThreeTangentLayoutsMeanTheSameWhereTheyCan() {
        let (times, values) = ([0.0, 1], [0.0, 0, 0, 1, 2, 3])
        func curve(_ incoming: [Double], _ outgoing: [Double]) -> AnimationCurve {
            AnimationCurve(
                times: times, values: values, width: 3, interpolations: .all(.bezier),
                tangents: AnimationTangents(incoming: incoming, outgoing: outgoing))
        }
        let shared = curve([0, 0, 0, 0, 0.5, 1, 2, 3], [0.2, 0, 1, 0, 0, 0, 0, 0])
        let pairs = curve([0, 0, 0, 0, 0, 0, 0.5, 1, 0.5, 2, 0.5, 3], [0.2, 0, 0.2, 1, 0.2, 0, 0, 0, 0, 0, 0, 0])
        #expect(shared.incoming?.layout == .timeThenValues)
        #expect(pairs.incoming?.layout == .pairs)
        for time in [0.1, 0.4, 0.9] { #expect(shared.value(at: time) == pairs.value(at: time)) }
        #expect(shared.value(at: 0.4) != curve(values, values).value(at: 0.4))
    }

    @Test func aHermiteCurveOfOneDimensionIsItsBasis() {
        let curve = scalar([1, 3], [2, -1], "HERMITE HERMITE", incoming: [0, 4], outgoing: [-6, 0])
        for step in 1..<20 {
            let s = Double(step) / 20
            let points: Double = 2 * (2 * s * s * s - 3 * s * s + 1) - (3 * s * s - 2 * s * s * s)
            let tangents: Double = -6 * (s * s * s - 2 * s * s + s) + 4 * (s * s * s - s * s)
            #expect(abs(curve.value(at: 1 + 2 * s)[0] - points - tangents) < 1e-13)
        }
    }

    @Test func aHermiteCurveOfTwoDimensionsAgreesWithItsBezierCurve() {
        // Tangents are three times the way to the control points.
        let hermite = scalar([0, 2], [0, 8], "HERMITE HERMITE", incoming: [0, 0, 1.5, 3], outgoing: [3, 12, 0, 0])
        let bezier = scalar([0, 2], [0, 8], "BEZIER BEZIER", incoming: [0, 0, 1.5, 7], outgoing: [1, 4, 0, 0])
        for step in 1..<20 {
            let time = Double(step) / 10
            #expect(abs(hermite.value(at: time)[0] - bezier.value(at: time)[0]) < 1e-13)
        }
    }

    @Test(arguments: ["HERMITE", "CARDINAL", "BSPLINE"])
    func slopesMeetAtTheKeys(name: String) {
        let pairs = [0.9, 3, 0.9, -2, 0.9, 1, 0.9, 5]
        let curve = scalar([0, 1, 2, 3], [0, 5, -1, 2], name, incoming: pairs, outgoing: pairs)
        let step = 1e-6
        for key in [1.0, 2] {
            let (left, middle, right) = (
                curve.value(at: key - step)[0], curve.value(at: key)[0], curve.value(at: key + step)[0]
            )
            #expect(abs((middle - left) - (right - middle)) < 1e-9)
            #expect(abs(right - left) > 1e-8)
        }
    }

    @Test func aCardinalCurveIsCatmullRomWithMirroredEnds() {
        let curve = scalar([0, 1, 2, 3], [0, 1, 4, 2], "CARDINAL")
        // Halfway: (−p0 + 9 p1 + 9 p2 − p3) / 16; mirrored: p−1 = −1, p4 = 0.
        for (time, sixteenths) in [(0.5, 6.0), (1.5, 43), (2.5, 53)] {
            #expect(abs(curve.value(at: time)[0] - sixteenths / 16) < 1e-14)
        }
        let line = scalar([0, 0.5, 4, 4.25], [0, 1, 8, 8.5], "CARDINAL")
        for time in [0.2, 0.6, 2, 3.9, 4.1] { #expect(abs(line.value(at: time)[0] - 2 * time) < 1e-13) }
    }

    @Test func aSplineOfEvenKeysIsTheUniformBasis() {
        let values = [0.0, 6, -3, 9, 1]
        let curve = scalar([0, 1, 2, 3, 4], values, "BSPLINE")
        // (p0 + 4 p1 + p2) / 6 at a key, (p0 + 23 p1 + 23 p2 + p3) / 48 halfway.
        #expect(abs(curve.value(at: 2)[0] - 0.5) < 1e-14)
        #expect(abs(curve.value(at: 1.5)[0] - 1.625) < 1e-14)
        #expect(curve.value(at: 0) == [0])
        #expect(curve.value(at: 4) == [1])
    }

    @Test func aSplineOfUnevenKeysStaysOnALineAndIsUnbroken() {
        let times = [0, 0.1, 2, 2.05, 2.1, 9]
        let line = scalar(times, times.map { 3 * $0 - 1 }, "BSPLINE")
        let curve = scalar(times, [0, 4, -2, 8, 1, 1], "BSPLINE")
        var before = curve.value(at: 0)[0]
        for step in 1...90_000 {
            let time = Double(step) / 10_000
            #expect(abs(line.value(at: time)[0] - (3 * time - 1)) < 1e-12)
            let value = curve.value(at: time)[0]
            #expect(abs(value - before) < 0.05)
            before = value
        }
    }

    @Test func kindsMayBeMixed() {
        let curve = scalar(
            [0, 1, 2, 3, 4, 5, 6], [0, 10, 10, 20, 25, 0, 0], "STEP LINEAR BEZIER BSPLINE BSPLINE CARDINAL LINEAR",
            incoming: [0, 0, 0, 0, 0, 0, 2.5, 20, 0, 0, 0, 0, 0, 0],
            outgoing: [0, 0, 0, 0, 2.5, 10, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(curve.issues.isEmpty)
        #expect(curve.value(at: 0.9) == [0])
        #expect(curve.value(at: 1.5) == [10])
        #expect(abs(curve.value(at: 2.5)[0] - 15) < 1e-13)
        for (key, value) in [(1.0, 10.0), (2, 10), (3, 20), (5, 0), (6, 0)] {
            #expect(curve.value(at: key) == [value])
            if key > 1 { #expect(abs(curve.value(at: key - 1e-9)[0] - value) < 1e-6) }
        }
        #expect(abs(curve.value(at: 4)[0] - 20) < 1e-13)
    }

    @Test func aHandleBeyondTheNextKeyIsShortenedAlongItself() {
        let long = scalar([0, 1], [0, 1], "BEZIER BEZIER", incoming: [0, 0, 0.5, 1], outgoing: [4, 2, 0, 0])
        let bent = scalar([0, 1], [0, 1], "BEZIER BEZIER", incoming: [0, 0, 0.5, 1], outgoing: [1, 0.5, 0, 0])
        let away = scalar([0, 1], [0, 1], "BEZIER BEZIER", incoming: [0, 0, 3, 1], outgoing: [-2, 0.5, 0, 0])
        let upright = scalar([0, 1], [0, 1], "BEZIER BEZIER", incoming: [0, 0, 1, 1], outgoing: [0, 0.5, 0, 0])
        for time in [0.01, 0.3, 0.5, 0.99] {
            #expect(long.value(at: time) == bent.value(at: time))
            #expect(away.value(at: time) == upright.value(at: time))
        }
    }

    @Test func aValueIsWrittenWhereItIsWanted() {
        let curve = AnimationCurve(times: [0, 1], values: [1, 2, 3, 4], width: 2, interpolations: .all(.linear))
        var output = [9.0, 9, 9]
        curve.value(at: 0, into: &output, from: 1)
        #expect(output == [9, 1, 2])
        curve.value(at: 1, into: &output, from: 2)
        #expect(output == [9, 1, 3])
        curve.value(at: 1, into: &output, from: 3)
        curve.value(at: 1, into: &output, from: -1)
        #expect(output == [9, 1, 3])
    }
}

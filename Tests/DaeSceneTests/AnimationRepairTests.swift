import TestSupport
import Testing

@testable import DaeScene

@Suite struct AnimationRepairTests {
    @Test func keysThatGoBackInTimeAreSortedWithAllThatIsTheirs() {
        let curve = AnimationCurve(
            times: [2, 0, .nan, 1, 1], values: [20, 0, 99, 10, 11], width: 1,
            interpolationNames: ["LINEAR", "BEZIER", "STEP", "LINEAR", "STEP"],
            tangents: AnimationTangents(incoming: [2, 0, 9, 1, 1], outgoing: [2, 5, 9, 1, 1]))
        #expect(curve.times == [0, 1, 1, 2])
        #expect(curve.values == [0, 10, 11, 20])
        #expect(curve.interpolations == .each([.bezier, .linear, .step, .linear]))
        #expect(curve.value(at: 1) == [11])
        #expect(curve.value(at: 1.9) == [11])
        // Halfway along 0, control values 0 + 5 and 10 − 1, and 10.
        #expect(abs(curve.value(at: 0.5)[0] - 6.5) < 1e-14)
        #expect(
            curve.issues == [
                .tangentLayout1D, .timeNotFinite(index: 2, count: 1), .timeNotIncreasing(index: 1, count: 2),
            ])
    }

    @Test func keysOfOneTimeAreAJump() {
        let curve = AnimationCurve(
            times: [0, 1, 1, 2], values: [0, 1, 5, 6], width: 1, interpolations: .all(.linear))
        #expect(abs(curve.value(at: 1 - 1e-12)[0] - 1) < 1e-11)
        #expect(curve.value(at: 1) == [5])
        #expect(curve.issues == [.timeNotIncreasing(index: 2, count: 1)])
    }

    @Test func keysWithoutAValueAreLeftOut() {
        let curve = AnimationCurve(times: [0, 1, 2], values: [1, 2, 3, 4, 5], width: 2, interpolations: .all(.linear))
        #expect(curve.times == [0, 1])
        #expect(curve.value(at: 5) == [3, 4])
        #expect(curve.issues == [.countMismatch(times: 3, values: 5, width: 2)])
    }

    @Test(arguments: [0, -3, Int.min, Int.max])
    func aWidthThatFitsNothingLeavesNoKey(width: Int) {
        let curve = AnimationCurve(
            times: [0, 1], values: [1, 2], width: width, interpolationNames: ["BEZIER", "LINEAR"],
            tangents: AnimationTangents(incoming: [1, 2], outgoing: [1, 2]))
        #expect(curve.timeRange == nil)
        #expect(curve.value(at: 0).isEmpty)
        #expect(curve.issues == [.countMismatch(times: 2, values: 2, width: width), .empty])
    }

    @Test func nothingIsACurveWithoutAValue() {
        let curve = AnimationCurve(times: [], values: [], width: 1, interpolationNames: [])
        var output = [3.0]
        curve.value(at: 0, into: &output)
        #expect(output == [3])
        #expect(curve.issues == [.empty])
    }

    @Test(arguments: ["BEZIER", "HERMITE"])
    func withoutTangentsItIsLinear(name: String) throws {
        let kind = try #require(AnimationInterpolation(rawValue: name))
        for tangents in [
            AnimationTangents.none, .init(incoming: [1, 2], outgoing: [1]), .init(incoming: [], outgoing: [1, 2]),
        ] {
            let curve = AnimationCurve(
                times: [0, 1], values: [0, 10], width: 1, interpolationNames: [name, name], tangents: tangents)
            #expect(curve.issues.contains(.missingTangents(kind)))
            #expect(curve.value(at: 0.3) == [3])
        }
    }

    @Test func namesAreReadOrToldUnknown() {
        func curve(_ names: [String], width: Int = 1) -> AnimationCurve {
            AnimationCurve(
                times: [0, 1, 2], values: Array(repeating: 1, count: 3 * width), width: width, interpolationNames: names
            )
        }
        #expect(curve(["STEP", "STEP", "STEP"]).interpolations == .all(.step))
        #expect(curve([]).issues == [.interpolationsMissing])
        #expect(curve(["STEP"]).issues == [.interpolationsTooFew(names: 1, keys: 3)])
        #expect(curve(["STEP", "LINEAR"]).issues.isEmpty)
        #expect(curve(["TCB", "STEP", "linear"]).issues == [.unknownInterpolation(name: "TCB", count: 2)])
        #expect(curve(["TCB", "TCB", "TCB"]).issues == [.unknownInterpolation(name: "TCB", count: 3)])
        let each = curve(["STEP", "STEP", "LINEAR", "LINEAR", "STEP", "STEP"], width: 2)
        #expect(each.interpolations == .each([.step, .linear, .step]))
        #expect(each.issues == [.interpolationPerComponent(width: 2)])
    }

    @Test func tangentsOfAnOddCountAreTold() {
        let curve = AnimationCurve(
            times: [0, 1], values: [0, 1], width: 1, interpolations: .all(.bezier),
            tangents: AnimationTangents(incoming: [0, 0, 0, 0, 5], outgoing: [0, 0, 0, 0]))
        #expect(curve.issues == [.tangentCountMismatch(numbers: 5, keys: 2, width: 1)])
        #expect(curve.incoming?.layout == .pairs)
    }

    @Test func theAccessorsStrideOutweighsTheCount() {
        let curve = AnimationCurve(
            times: [0, 1], values: [0, 1], width: 1, interpolations: .all(.bezier),
            tangents: AnimationTangents(
                incoming: [0, 0, 0, 0], outgoing: [0, 0, 0, 0], incomingStride: 1, outgoingStride: 2))
        #expect(curve.incoming?.layout == .values)
        #expect(curve.outgoing?.layout == .pairs)
    }

    @Test func anyNumbersAreACurveThatAnswers() {
        var numbers = SeededNumbers(seed: 7)
        let odd: [Double] = [
            .nan, .infinity, -.infinity, 0, -0.0, 1, -1, 0x1p-1074, 1.7e308, -1.7e308, 1e-300, 0.1, 3, 0x1p53,
        ]
        func pick() -> Double {
            Bool.random(using: &numbers)
                ? .random(in: -10...10, using: &numbers) : odd.randomElement(using: &numbers) ?? 0
        }
        func list(_ most: Int) -> [Double] { (0..<Int.random(in: 0...most, using: &numbers)).map { _ in pick() } }
        let names = AnimationInterpolation.allCases.map(\.rawValue) + ["", "TCB"]
        var answers = 0
        for _ in 0..<20_000 {
            let curve = AnimationCurve(
                times: list(8), values: list(20), width: .random(in: -1...4, using: &numbers),
                interpolationNames: (0..<Int.random(in: 0...10, using: &numbers)).map { _ in
                    names.randomElement(using: &numbers) ?? ""
                },
                tangents: AnimationTangents(
                    incoming: list(40), outgoing: list(40), incomingStride: Bool.random(using: &numbers) ? 2 : nil),
                before: AnimationBehavior.allCases.randomElement(using: &numbers) ?? .cycle,
                after: AnimationBehavior.allCases.randomElement(using: &numbers) ?? .cycle)
            for time in [pick(), pick(), curve.times.randomElement(using: &numbers) ?? 0] {
                answers += curve.value(at: time).count
            }
            #expect(zip(curve.times, curve.times.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(curve.values.count >= curve.times.count * curve.width || curve.times.isEmpty)
            #expect(curve.issues.contains(.empty) == curve.times.isEmpty)
            #expect(Set(curve.issues).count == curve.issues.count)
        }
        #expect(answers > 20_000)
    }

    @Test func ordinaryNumbersGiveOrdinaryValues() {
        var numbers = SeededNumbers(seed: 11)
        func list(_ count: Int) -> [Double] { (0..<count).map { _ in .random(in: -10...10, using: &numbers) } }
        let names = AnimationInterpolation.allCases.map(\.rawValue)
        for _ in 0..<5000 {
            let keys = Int.random(in: 1...6, using: &numbers)
            let curve = AnimationCurve(
                times: list(keys), values: list(keys * 2), width: 2,
                interpolationNames: (0..<keys).map { _ in names.randomElement(using: &numbers) ?? "" },
                tangents: AnimationTangents(incoming: list(keys * 4), outgoing: list(keys * 4)),
                before: .cycle, after: .oscillate)
            for _ in 0..<4 {
                let value = curve.value(at: .random(in: -30...30, using: &numbers))
                // Inside the hull of keys and control points, a mirrored or Hermite one reaching somewhat out.
                #expect(value.allSatisfy { abs($0) <= 40 })
            }
        }
    }
}

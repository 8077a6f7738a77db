import Glibc
import TestSupport
import Testing

@testable import DaeMesh

/// Numbers that no modeller would write. The count of triangles is always the full one.
@Suite struct TriangulationHostileTests {
    private var triangulator = Triangulator()

    private mutating func cut(_ corners: [Int32], _ rings: [Range<Int>], _ positions: [Double]) -> Triangulation {
        var output: [Int32] = []
        let result = triangulator.triangulate(
            corners: corners.span, rings: rings.span, positions: positions.span, into: &output)
        #expect(output.count == result.triangles * 3)
        #expect(output.allSatisfy { corners.indices.contains(Int($0)) })
        let holes = rings.dropFirst().filter { !$0.isEmpty }
        let expected =
            rings.isEmpty || rings[0].count < 3 ? 0 : rings[0].count - 2 + holes.reduce(0) { $0 + $1.count + 2 }
        #expect(result.triangles == expected)
        return result
    }

    private mutating func cut(_ points: [SIMD3<Double>]) -> Triangulation {
        cut((0..<Int32(points.count)).map { $0 }, [0..<points.count], points.flatMap { [$0.x, $0.y, $0.z] })
    }

    private mutating func cut(_ drawn: DrawnPolygon) -> Triangulation {
        let cut = CutPolygon(drawn, with: &triangulator)
        #expect(cut.triangles.count == drawn.triangleCount)
        return cut.result
    }

    private static let square: [DrawnPolygon.Point] = [[0, 0], [4, 0], [4, 4], [0, 4]]

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    mutating func numbersThatAreNone(_ value: Double) {
        for count in [3, 4, 5, 9, 100] {
            for place in 0..<min(count, 5) {
                var points = (0..<count).map { SIMD3(Double($0), Double($0 * $0), 0) }
                points[place].y = value
                #expect(cut(points).traits.contains(.nonFinite))
            }
            let all = cut([SIMD3<Double>](repeating: SIMD3(repeating: value), count: count))
            #expect(all.degenerate == count - 2)
        }
    }

    @Test mutating func positionsThatDoNotExist() {
        let positions: [Double] = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1]
        for missing in [-1, 3, 4, .max, .min] as [Int32] {
            #expect(cut([0, 1, 2, missing], [0..<4], positions).traits.contains(.nonFinite))
        }
        #expect(cut([0, 1, 2], [0..<3], []).degenerate == 1)
    }

    @Test mutating func ringsThatDoNotFit() {
        let positions: [Double] = [0, 0, 0, 1, 0, 0, 1, 1, 0]
        var output: [Int32] = []
        let corners: [Int32] = [0, 1, 2]
        for rings in [[], [0..<2], [5..<9], [0..<0, 0..<3]] as [[Range<Int>]] {
            let result = triangulator.triangulate(
                corners: corners.span, rings: rings.span, positions: positions.span, into: &output)
            #expect(result.triangles == 0)
        }
        let rings = [-5..<900, 7..<8]
        #expect(
            triangulator.triangulate(corners: corners.span, rings: rings.span, positions: positions.span, into: &output)
                .triangles == 1)
        #expect(output == [0, 1, 2])
    }

    @Test mutating func allAtOnePlaceOrOnOneLine() {
        for count in [3, 4, 5, 80, 81, 1000] {
            #expect(cut([SIMD3<Double>](repeating: [1, 2, 3], count: count)).degenerate == count - 2)
            #expect(cut((0..<count).map { SIMD3(1, 2, 3) * Double($0) }).degenerate == count - 2)
            #expect(cut((0..<count).map { SIMD3(1, 2, 3) * Double($0 * 7 % count) }).degenerate == count - 2)
        }
    }

    @Test(arguments: [1e308, 1e200, 1e150, 1e-150, 1e-200, 1e-300, 0x1p-1060])
    mutating func anySize(_ size: Double) {
        let dart: [SIMD3<Double>] = [[-1, -1, 0], [1, -1, 0], [-0.5, -0.5, 0], [-1, 1, 0]]
        let quad: [SIMD3<Double>] = [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]]
        let comb: [SIMD3<Double>] = DrawnPolygon.comb(teeth: 40).map { [$0.x / 100, $0.y / 100, 0] }
        let ofDart = cut(dart.map { $0 * size })
        #expect(ofDart.traits == .concave && ofDart.degenerate == 0)
        let ofQuad = cut(quad.map { $0 * size })
        #expect(ofQuad.traits == [] && ofQuad.degenerate == 0)
        let ofComb = cut(comb.map { $0 * size })
        #expect(ofComb.traits.contains(.concave))
    }

    @Test mutating func hugeAndTinyInOne() {
        let sizes = [1e308, -1e308, .leastNonzeroMagnitude, 0, 1, -1e-160, 1e160]
        var random = SeededNumbers(seed: 9)
        for round in 0..<400 {
            _ = cut(
                (0..<3 + round % 120).map { _ in
                    SIMD3(sizes.randomElement(using: &random)!, sizes.randomElement(using: &random)!, 0)
                })
        }
    }

    @Test mutating func cornersInAnyOrder() {
        var random = SeededNumbers(seed: 10)
        for round in 0..<400 {
            let count = 5 + round % 150
            let grid = round % 3 == 0 ? 3.0 : 1000
            _ = cut(
                (0..<count).map { _ in
                    SIMD3(
                        Double.random(in: 0...grid, using: &random).rounded(),
                        Double.random(in: 0...grid, using: &random).rounded(), 0)
                })
        }
        #expect(cut((0..<200).map { _ in SIMD3.random(in: 0...1, using: &random) }).traits.contains(.selfIntersecting))
    }

    @Test mutating func ringsInAnyOrder() {
        var random = SeededNumbers(seed: 11)
        for round in 0..<200 {
            let count = 40 + round
            let positions = (0..<count * 3).map { place in
                place % 3 == 2 ? 0 : Double.random(in: 0...(round % 2 == 0 ? 4 : 1000), using: &random).rounded()
            }
            var rings = [0..<10]
            while let last = rings.last?.upperBound, last < count {
                rings.append(last..<min(count, last + Int.random(in: 1...9, using: &random)))
            }
            _ = cut((0..<Int32(count)).map { $0 }, rings, positions)
        }
    }

    @Test mutating func aHoleOutside() {
        let told = cut(DrawnPolygon(Self.square, [[5, 1], [6, 1], [6, 2]]))
        #expect(told.traits.contains(.holeOutside))
        let left = cut(DrawnPolygon(Self.square, [[-5, 1], [-4, 1], [-4, 2]]))
        #expect(left.traits.contains(.holeOutside))
        let nested = cut(
            DrawnPolygon(Self.square, [[1, 1], [3, 1], [3, 3], [1, 3]], [[1.5, 1.5], [2, 1.5], [2, 2]]))
        #expect(nested.traits.contains(.holeOutside))
    }

    @Test mutating func aHoleLikeTheOuterRing() {
        #expect(cut(DrawnPolygon(Self.square, Self.square)).triangles == 8)
        #expect(cut(DrawnPolygon(Self.square, Self.square.reversed())).triangles == 8)
        #expect(cut(DrawnPolygon(Self.square, Self.square, Self.square)).triangles == 14)
    }

    @Test mutating func aHoleThatTouchesACorner() {
        for (turn, hole) in [
            [[0, 0], [2, 1], [1, 2]], [[4, 0], [3, 2], [2, 1]], [[4, 4], [2, 3], [3, 2]], [[0, 4], [1, 2], [2, 3]],
        ].enumerated() as EnumeratedSequence<[[DrawnPolygon.Point]]> {
            let cut = CutPolygon(DrawnPolygon(Self.square, hole), with: &triangulator)
            #expect(cut.fault == nil, "corner \(turn)")
            // The two triangles of a bridge without a length.
            #expect(turn != 0 || cut.result.degenerate == 2)
        }
    }

    @Test mutating func aHoleThatTouchesASideOrAnotherHole() {
        for hole in [
            [[0, 2], [1, 1], [1, 3]], [[4, 2], [3, 3], [3, 1]], [[2, 0], [3, 1], [1, 1]], [[2, 4], [1, 3], [3, 3]],
        ] as [[DrawnPolygon.Point]] {
            let cut = CutPolygon(DrawnPolygon(Self.square, hole), with: &triangulator)
            #expect(cut.fault == nil, "\(hole)")
        }
        for hole in [[[1, 4], [2, 3], [3, 4]], [[1, 0], [3, 0], [2, 1]], [[0, 1], [1, 2], [0, 3]]]
            as [[DrawnPolygon.Point]]
        {
            let cut = CutPolygon(DrawnPolygon(Self.square, hole), with: &triangulator)
            #expect(cut.fault == nil, "\(hole)")
        }
        let two = CutPolygon(
            DrawnPolygon(Self.square, [[1, 1], [2, 2], [1, 3]], [[2, 2], [3, 1], [3, 3]]), with: &triangulator)
        #expect(two.fault == nil)
    }

    @Test mutating func holesOfOneOrTwoCorners() {
        let cut = CutPolygon(DrawnPolygon(Self.square, [[1, 1]], [[2, 2], [3, 2]], [[1, 3]]), with: &triangulator)
        #expect(cut.fault == nil)
        // A hole of one corner has a side without a length.
        #expect(cut.result.degenerate == 2)
    }

    @Test(arguments: [10, getenv("DAE_TEST_FULL") == nil ? 12 : 16])
    mutating func veryManyCorners(_ bits: Int) {
        let count = 1 << bits
        #expect(cut((0..<count).map { [Double($0), 0, 0] }).degenerate == count - 2)
        #expect(cut([SIMD3<Double>](repeating: [1, 0, 0], count: count)).degenerate == count - 2)
        var random = SeededNumbers(seed: 13)
        let star = CutPolygon(DrawnPolygon(DrawnPolygon.star(count, inner: 0.9, &random)), with: &triangulator)
        #expect(star.fault == nil)
        #expect(triangulator.steps < count * 1000)
    }

    @Test mutating func workIsBounded() {
        // All corners at random: nearly every side crosses thousands of others.
        var random = SeededNumbers(seed: 12)
        let count = 5000
        let result = cut(
            (0..<count).map { _ in SIMD3(.random(in: 0...1, using: &random), .random(in: 0...1, using: &random), 0) })
        #expect(result.traits.contains(.selfIntersecting))
        #expect(triangulator.steps < 131 * (count + 64) * 13)
    }

    @Test func orientationIsExact() {
        // Points a last bit beside a line: rounded, most of them seem to lie on it or on the wrong side.
        var wrong = 0
        for x in 0..<64 {
            for y in 0..<64 {
                let a = FlatPoint(0.5 + Double(x) * 0x1p-53, 0.5 + Double(y) * 0x1p-53)
                let sign = orientation(a, FlatPoint(12, 12), FlatPoint(24, 24))
                let (b, c) = (FlatPoint(12, 12), FlatPoint(24, 24))
                #expect((sign > 0) == (a.y > a.x) && (sign < 0) == (a.y < a.x))
                let rounded = (a.x - c.x) * (b.y - c.y) - (a.y - c.y) * (b.x - c.x)
                if (rounded > 0) != (sign > 0) || (rounded < 0) != (sign < 0) { wrong += 1 }
                #expect((orientation(b, c, a) > 0) == (sign > 0) && (orientation(c, b, a) < 0) == (sign > 0))
            }
        }
        #expect(wrong > 0)
    }
}

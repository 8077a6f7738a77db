import TestSupport
import Testing

@testable import DaeMesh

/// Simple polygons: covered once, wound as they were, with the full count of triangles.
@Suite struct TriangulationTests {
    private var triangulator = Triangulator()

    @Test mutating func starsOfAnySize() {
        var random = SeededNumbers(seed: 1)
        for round in 0..<1200 {
            let ring = DrawnPolygon.star(3 + round % 40, &random)
            check(DrawnPolygon(round % 2 == 0 ? ring : ring.reversed()), &random, round)
        }
        for count in [81, 200, 1000] {
            check(DrawnPolygon(DrawnPolygon.star(count, inner: 0.05, &random)), &random, count)
        }
    }

    @Test mutating func monotoneChains() {
        var random = SeededNumbers(seed: 2)
        for round in 0..<600 {
            let ring = DrawnPolygon.monotone(4 + round % 60, &random)
            check(DrawnPolygon(round % 2 == 0 ? ring : ring.reversed()), &random, round)
        }
        check(DrawnPolygon(DrawnPolygon.monotone(2000, &random)), &random, 0)
    }

    @Test mutating func combsAndSpirals() {
        var random = SeededNumbers(seed: 3)
        for size in [1, 2, 5, 26, 27, 30, 300] {
            check(DrawnPolygon(DrawnPolygon.comb(teeth: size)), &random, size)
            check(DrawnPolygon(DrawnPolygon.comb(teeth: size).reversed()), &random, size)
        }
        for (count, turns) in [(20, 0.7), (60, 2), (82, 3), (1000, 20)] {
            check(DrawnPolygon(DrawnPolygon.spiral(count, turns: turns)), &random, count)
        }
    }

    @Test mutating func collinearAndDoubleCorners() {
        var random = SeededNumbers(seed: 4)
        for round in 0..<500 {
            let drawn = DrawnPolygon(DrawnPolygon.star(3 + round % 50, inner: 0.4, &random)).rounded()
            check(drawn.roughened(&random), &random, round)
        }
    }

    @Test mutating func collinearCornersGiveNoDegenerateTriangles() {
        var ring: [DrawnPolygon.Point] = []
        for step in 0..<8 { ring.append([Double(step), 0]) }
        for step in 0..<8 { ring.append([8, Double(step)]) }
        for step in 0..<8 { ring.append([8 - Double(step), 8]) }
        for step in 0..<8 { ring.append([0, 8 - Double(step)]) }
        for axes in 0..<6 {
            let cut = CutPolygon(DrawnPolygon(ring), in: .alongAxes(axes), with: &triangulator)
            #expect(cut.fault == nil)
            #expect(cut.result.degenerate == 0)
        }
    }

    @Test mutating func eachDoubleCornerGivesOneDegenerateTriangle() {
        let drawn = DrawnPolygon([[0, 0], [4, 0], [4, 0], [4, 4], [2, 1], [2, 1], [2, 1], [0, 4], [0, 0]])
        let cut = CutPolygon(drawn, with: &triangulator)
        #expect(cut.fault == nil)
        #expect(cut.result.degenerate == 4)
        #expect(cut.result.traits == .concave)
    }

    @Test mutating func holesOfAnyWinding() {
        var random = SeededNumbers(seed: 5)
        for round in 0..<150 {
            let drawn = DrawnPolygon.sieve(across: 1 + round % 4, corners: 3...9, &random)
            check(drawn, &random, round)
            check(drawn.rounded().roughened(&random), &random, round)
        }
    }

    @Test mutating func moreThanFiveHundredHoles() {
        var random = SeededNumbers(seed: 6)
        let drawn = DrawnPolygon.sieve(across: 23, corners: 3...8, &random)
        #expect(drawn.rings.count == 530)
        check(drawn, &random, 0)
        #expect(triangulator.steps < 400 * drawn.triangleCount)
    }

    @Test mutating func holesInRowsOnOneGrid() {
        // Every ray meets corners, and bridges lie on one line.
        var random = SeededNumbers(seed: 7)
        for across in 1...7 {
            let size = Double(across * 3 + 1)
            var drawn = DrawnPolygon([[0, 0], [size, 0], [size, size], [0, size]])
            for cell in 0..<across * across {
                let (x, y) = (Double(cell % across * 3 + 1), Double(cell / across * 3 + 1))
                let square: [DrawnPolygon.Point] = [[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]]
                let diamond: [DrawnPolygon.Point] = [[x, y + 1], [x + 1, y], [x + 2, y + 1], [x + 1, y + 2]]
                drawn.rings.append(cell % 2 == 0 ? square : diamond)
            }
            check(drawn, &random, across)
            let cut = CutPolygon(drawn, with: &triangulator)
            #expect(cut.result.degenerate == 0)
        }
    }

    @Test mutating func pointsAreCoveredOnceInsideAndNeverOutside() {
        var random = SeededNumbers(seed: 8)
        for round in 0..<40 {
            let drawn =
                round % 2 == 0
                ? DrawnPolygon(DrawnPolygon.star(30, &random)) : DrawnPolygon.sieve(across: 2, corners: 3...9, &random)
            let cut = CutPolygon(drawn, with: &triangulator)
            for _ in 0..<40 {
                let point = SIMD2<Double>.random(in: -1...2, using: &random)
                #expect(cut.cover(point) == (cut.holds(point) ? 1 : 0))
            }
        }
    }

    @Test(arguments: [10_000, 20_000])
    mutating func aSpiralTakesNearlyLinearWork(_ count: Int) {
        let cut = CutPolygon(DrawnPolygon(DrawnPolygon.spiral(count, turns: 40)), with: &triangulator)
        #expect(cut.fault == nil)
        #expect(triangulator.steps < count * 200)
    }

    @Test mutating func aCombTakesNearlyLinearWork() {
        let cut = CutPolygon(DrawnPolygon(DrawnPolygon.comb(teeth: 3000)), with: &triangulator)
        #expect(cut.fault == nil)
        #expect(triangulator.steps < 9000 * 200)
    }

    private mutating func check(_ drawn: DrawnPolygon, _ random: inout SeededNumbers, _ round: Int) {
        for frame in [.plain, .alongAxes(round), CutPolygon.Frame.random(&random)] {
            let cut = CutPolygon(drawn, in: frame, with: &triangulator)
            #expect(cut.fault == nil, "round \(round), corners \(drawn.rings.map(\.count)), \(frame)")
        }
    }
}

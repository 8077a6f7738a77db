import DaeMesh
import TestSupport
import Testing

@Suite struct PolygonProbeTests {
    private typealias Point = DrawnPolygon.Point

    /// Turns, scales and moves a drawn polygon into space.
    private struct Placement {
        var x: SIMD3<Double> = [1, 0, 0]
        var y: SIMD3<Double> = [0, 1, 0]
        var origin: SIMD3<Double> = .zero

        static func random(_ random: inout SeededNumbers) -> Placement {
            func direction() -> SIMD3<Double> {
                SIMD3(
                    .random(in: -1...1, using: &random), .random(in: -1...1, using: &random),
                    .random(in: 0.1...1, using: &random))
            }
            func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> { vector / (vector * vector).sum().squareRoot() }
            let x = unit(direction())
            let second = direction()
            let y = unit(second - x * (x * second).sum())
            let scales: [Double] = [1e-3, 1, 7.5, 1e4]
            let scale = scales[Int.random(in: 0..<4, using: &random)]
            return Placement(x: x * scale, y: y * scale, origin: direction() * scale)
        }
    }

    private static func circle(_ angle: Double) -> Point {
        Point(DrawnPolygon.cosine(angle), DrawnPolygon.cosine(angle - .pi / 2))
    }

    private static func traits(_ drawn: DrawnPolygon, _ placement: Placement = Placement()) -> PolygonProbe.Traits {
        var positions: [Double] = []
        var rings: [Range<Int>] = []
        for ring in drawn.rings {
            let first = positions.count / 3
            for point in ring {
                let place = placement.origin + placement.x * point.x + placement.y * point.y
                positions += [place.x, place.y, place.z]
            }
            rings.append(first..<positions.count / 3)
        }
        let corners = (0..<Int32(positions.count / 3)).map { $0 }
        var probe = PolygonProbe()
        return probe.traits(of: corners.span, rings: rings.span, positions: positions.span)
    }

    /// Corners on a circle, some of them doubled or followed by others on the straight side, six digits each.
    private static func convex(_ random: inout SeededNumbers) -> [Point] {
        let count = Int.random(in: 3...60, using: &random)
        let wide = Double.random(in: 0.2...1, using: &random)
        let corners = (0..<count).map { corner in
            let angle = (Double(corner) + .random(in: -0.3...0.3, using: &random)) * 2 * .pi / Double(count)
            return Self.circle(angle) * Point(1, wide)
        }
        return corners.indices.flatMap { corner -> [Point] in
            let (here, next) = (corners[corner], corners[(corner + 1) % count])
            let between = (1..<Int.random(in: 1...4, using: &random)).map { here + (next - here) * (Double($0) / 4) }
            return Bool.random(using: &random) ? [here] + between : [here, here] + between
        }.map { Point(($0.x * 1e6).rounded() / 1e6, ($0.y * 1e6).rounded() / 1e6) }
    }

    // MARK: - Outer rings

    @Test func aConvexPolygonIsNeverCalledOtherwise() {
        var random = SeededNumbers(seed: 1)
        for round in 0..<300 {
            let ring = Self.convex(&random)
            let found = Self.traits(DrawnPolygon(ring), .random(&random))
            #expect(found == [], "round \(round): \(found), \(ring)")
        }
    }

    @Test func aStarIsAlwaysConcaveAndDoesNotCrossItself() {
        var random = SeededNumbers(seed: 2)
        for round in 0..<100 {
            let count = 2 * Int.random(in: 4...60, using: &random)
            let star = (0..<count).map { corner -> Point in
                let angle = Double(corner) * 2 * .pi / Double(count)
                return Self.circle(angle) * (corner % 2 == 0 ? 1 : 0.7)
            }
            #expect(Self.traits(DrawnPolygon(star), .random(&random)) == .concave, "round \(round)")
        }
    }

    @Test func twoCornersThatChangePlacesMakeSidesCross() {
        var random = SeededNumbers(seed: 3)
        for round in 0..<100 {
            let count = Int.random(in: 4...50, using: &random)
            var ring = (0..<count).map { corner -> Point in
                let angle = Double(corner) * 2 * .pi / Double(count)
                return Self.circle(angle)
            }
            ring.swapAt(0, 1)
            let found = Self.traits(DrawnPolygon(ring), .random(&random))
            #expect(found.contains(.selfIntersecting) && !found.contains(.nonPlanar), "round \(round): \(found)")
        }
    }

    @Test func aPentagramCrossesItselfThoughItTurnsOneWay() {
        let corners = [0, 2, 4, 1, 3].map { Double($0) * 2 * .pi / 5 }
        let ring = corners.map { Self.circle($0) }
        #expect(Self.traits(DrawnPolygon(ring)).contains(.selfIntersecting))
    }

    @Test func aCornerThatTouchesASideCrossesNothing() {
        #expect(Self.traits(DrawnPolygon([[0, 0], [2, 0], [2, 1], [1, 0], [0, 1]])) == .concave)
        #expect(Self.traits(DrawnPolygon([[0, 0], [2, 0], [2, 1], [1, -1e-7], [0, 1]])) == .concave)
        #expect(Self.traits(DrawnPolygon([[0, 0], [2, 0], [2, 1], [1, -0.1], [0, 1]])) == .selfIntersecting)
    }

    @Test func aTurnedAndScaledCopyHasTheSameVerdict() {
        var random = SeededNumbers(seed: 4)
        let shapes: [DrawnPolygon] =
            [DrawnPolygon(DrawnPolygon.spiral(120, turns: 2)), DrawnPolygon(DrawnPolygon.comb(teeth: 9))]
            + (0..<60).map { _ in DrawnPolygon(DrawnPolygon.star(Int.random(in: 5...90, using: &random), &random)) }
            + (0..<60).map { _ in
                let count = Int.random(in: 4...9, using: &random)
                return DrawnPolygon(
                    (0..<count).map { _ in
                        [.random(in: -1...1, using: &random), .random(in: -1...1, using: &random)]
                    })
            }
            + (2...5).map { DrawnPolygon.sieve(across: $0, corners: 3...9, &random) }
        for (number, shape) in shapes.enumerated() {
            let first = Self.traits(shape)
            for _ in 0..<8 {
                #expect(Self.traits(shape, .random(&random)) == first, "shape \(number)")
            }
        }
    }

    @Test func alongABentBayEveryCornerIsAlmostStraightAndThePolygonIsConcaveAllTheSame() {
        let outer = (0...2000).map { step -> Point in
            let angle = Double(step) / 2000 * .pi
            return Self.circle(angle)
        }
        let inner = outer.reversed().map { $0 * Point(0.9, 0.5) }
        #expect(Self.traits(DrawnPolygon(outer + inner)) == .concave)
    }

    @Test func whatIsALineOrAPointIsDegenerateAndNothingElse() {
        #expect(Self.traits(DrawnPolygon([[0, 0], [1, 0], [3, 0], [2, 0]])) == .degenerate)
        #expect(Self.traits(DrawnPolygon([[1, 1], [1, 1], [1, 1], [1, 1]])) == .degenerate)
        #expect(Self.traits(DrawnPolygon([[0, 0], [1, 0], [3, 1e-9], [2, 0]])) == .degenerate)
    }

    // MARK: - Holes

    @Test func holesThatLieApartWithinAreSound() {
        var random = SeededNumbers(seed: 5)
        for across in 1...8 {
            let sieve = DrawnPolygon.sieve(across: across, corners: 3...12, &random)
            #expect(!Self.traits(sieve, .random(&random)).contains(.holeInvalid), "\(across)")
        }
        // One that touches the outer ring, and two that touch each other.
        let touching = DrawnPolygon(
            [[0, 0], [4, 0], [4, 4], [0, 4]], [[0, 1], [1, 1], [1, 2], [0, 2]], [[1, 1], [2, 1], [2, 2], [1, 2]])
        #expect(Self.traits(touching) == [])
    }

    @Test(arguments: [
        [[5, 1], [6, 1], [6, 2]], [[1, 1], [6, 1], [1, 2]], [[1.2, 1.2], [1.5, 1.2], [1.5, 1.5]],
        [[1, 1], [2, 2], [1.5, 1.5]], [[-1, -1], [5, -1], [5, 5], [-1, 5]], [[0, 0], [4, 0], [4, 4], [0, 4]],
        [[2.5, 1], [2.5, 2.9], [1.4, 1.5]],
    ])
    func aHoleOutsideAcrossAnotherOrWithoutAnAreaIsNot(_ hole: [[Double]]) {
        let drawn = DrawnPolygon(
            [[0, 0], [4, 0], [4, 4], [0, 4]], [[1, 1], [2, 1], [2, 2], [1, 2]], hole.map { Point($0[0], $0[1]) })
        #expect(Self.traits(drawn).contains(.holeInvalid))
    }

    // MARK: - Hostile

    @Test func noNumbersMakeItTrap() {
        var random = SeededNumbers(seed: 6)
        let odd: [Double] = [
            0, -0.0, 1, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e-300,
            1e300,
        ]
        var probe = PolygonProbe()
        for _ in 0..<1500 {
            let positions = (0..<3 * Int.random(in: 0...12, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? odd.randomElement(using: &random) ?? 0 : Double.random(in: -2...2, using: &random)
            }
            let corners = (0..<Int.random(in: 0...14, using: &random)).map { _ in
                Int32.random(in: 0...20, using: &random) == 0
                    ? [Int32.min, -1, .max].randomElement(using: &random) ?? 0
                    : Int32.random(in: 0...12, using: &random)
            }
            let cut = Int.random(in: 0...corners.count, using: &random)
            let parts = [0..<cut, cut..<corners.count + Int.random(in: 0...1, using: &random)]
            let rings = Array(parts.prefix(Int.random(in: 0...2, using: &random)))
            let found = probe.traits(of: corners.span, rings: rings.span, positions: positions.span)
            let isAlone = !found.contains(.unreadable) || found == .unreadable
            #expect(isAlone, "\(found)")
        }
    }

    @Test func whatIsNotThereIsToldAsUnreadable() {
        var probe = PolygonProbe()
        let positions: [Double] = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]
        for corners: [Int32] in [[0, 1, 2, 4], [0, 1, 2, -1], [0, 1], []] {
            #expect(
                probe.traits(of: corners.span, rings: [Range<Int>]().span, positions: positions.span) == .unreadable)
        }
    }

    @Test func manyCornersAreLookedAtWithinTheirBudget() {
        var random = SeededNumbers(seed: 7)
        #expect(Self.traits(DrawnPolygon(DrawnPolygon.star(20_000, &random))) == .concave)
        // Needles side by side, each of which crosses the next: whether that is told is left to the budget.
        let needles = (0..<8_000).map { Point(Double($0 % 2) * 1e3 + Double($0) * 0.01, Double($0) * 1e-3) }
        #expect(!Self.traits(DrawnPolygon(needles)).contains(.unreadable))
    }
}

import DaeMesh
import TestSupport
import Testing

/// A drawn polygon laid into space and cut, with what must hold of any simple one.
struct CutPolygon {
    let drawn: DrawnPolygon
    let positions: [Double]
    let ranges: [Range<Int>]
    let triangles: [[Int]]
    let result: Triangulation

    /// Where the plane of the drawing lies in space.
    struct Frame {
        var x = SIMD3<Double>(1, 0, 0)
        var y = SIMD3<Double>(0, 1, 0)
        var origin = SIMD3<Double>(0, 0, 0)

        static let plain = Frame()

        /// One of the three planes of the axes, from either side.
        static func alongAxes(_ number: Int) -> Frame {
            let units: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
            let (x, y) = (units[number % 3], units[(number + 1) % 3])
            return number % 2 == 0 ? Frame(x: x, y: y) : Frame(x: y, y: x)
        }

        static func random(_ random: inout SeededNumbers) -> Frame {
            func vector() -> SIMD3<Double> { .random(in: -1...1, using: &random) }
            func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> { vector / (vector * vector).sum().squareRoot() }
            let x = unit(vector() + [0.01, 0, 0])
            let other = vector()
            return Frame(x: x, y: unit(other - x * (other * x).sum()), origin: vector() * 10)
        }
    }

    init(_ drawn: DrawnPolygon, in frame: Frame = .plain, with triangulator: inout Triangulator) {
        self.drawn = drawn
        var positions: [Double] = []
        var ranges: [Range<Int>] = []
        var count = 0
        for ring in drawn.rings {
            ranges.append(count..<count + ring.count)
            count += ring.count
            for point in ring {
                let place = frame.origin + frame.x * point.x + frame.y * point.y
                positions += [place.x, place.y, place.z]
            }
        }
        let corners = (0..<Int32(count)).map { $0 }
        var output: [Int32] = []
        if ranges.count == 1 {
            result = triangulator.triangulate(corners: corners.span, positions: positions.span, into: &output)
        } else {
            result = triangulator.triangulate(
                corners: corners.span, rings: ranges.span, positions: positions.span, into: &output)
        }
        self.positions = positions
        self.ranges = ranges
        triangles = stride(from: 0, to: output.count - 2, by: 3).map { at in (0..<3).map { Int(output[at + $0]) } }
    }

    private var points: [DrawnPolygon.Point] { drawn.rings.flatMap { $0 } }

    private func doubleArea(_ triangle: [Int], _ points: [DrawnPolygon.Point]) -> Double {
        DrawnPolygon.doubleArea(triangle.map { points[$0] })
    }

    /// What is wrong with the cut of a simple polygon; `nil` when it covers the inside once and nothing else.
    ///
    /// Triangles that all turn like the outer ring, and whose sides cancel but for the polygon's own, can neither
    /// overlap nor leave a gap: each point is covered as often as the rings go round it.
    var fault: String? {
        if triangles.count != drawn.triangleCount || result.triangles != triangles.count {
            return "\(triangles.count) triangles, told \(result.triangles), not \(drawn.triangleCount)"
        }
        let told = result.traits.subtracting([.concave])
        if !told.isEmpty { return "told \(told)" }
        let points = points
        let turn: Double = DrawnPolygon.doubleArea(drawn.rings[0]) < 0 ? -1 : 1
        let scale = abs(DrawnPolygon.doubleArea(drawn.rings[0])) + 1e-300
        var sum = 0.0
        for triangle in triangles {
            if triangle.contains(where: { !points.indices.contains($0) }) { return "no such corner: \(triangle)" }
            let area = doubleArea(triangle, points) * turn
            if area < -1e-9 * scale { return "turned round: \(triangle) \(area)" }
            sum += area
        }
        if abs(sum - drawn.doubleArea) > 1e-9 * scale { return "area \(sum), not \(drawn.doubleArea)" }
        return sidesCancel(turn) ? nil : "sides do not cancel"
    }

    private func sidesCancel(_ turn: Double) -> Bool {
        struct Side: Hashable { var from, to: Int }
        var balance: [Side: Int] = [:]
        func add(_ from: Int, _ to: Int, _ amount: Int) {
            if from < to { balance[Side(from: from, to: to), default: 0] += amount }
            if from > to { balance[Side(from: to, to: from), default: 0] -= amount }
        }
        for triangle in triangles {
            for corner in 0..<3 { add(triangle[corner], triangle[(corner + 1) % 3], 1) }
        }
        for (number, range) in ranges.enumerated() {
            // A hole is gone round against the outer ring.
            let own = DrawnPolygon.doubleArea(drawn.rings[number]) * turn
            let amount = (number == 0) == (own > 0) ? -1 : 1
            for corner in range {
                add(corner, corner + 1 == range.upperBound ? range.lowerBound : corner + 1, amount)
            }
        }
        return balance.values.allSatisfy { $0 == 0 }
    }

    /// How many triangles hold a point, their sides included.
    func cover(_ point: DrawnPolygon.Point) -> Int {
        let points = points
        return triangles.count { triangle in
            let turns = (0..<3).map {
                DrawnPolygon.doubleArea([points[triangle[$0]], points[triangle[($0 + 1) % 3]], point])
            }
            return turns.allSatisfy { $0 >= 0 } || turns.allSatisfy { $0 <= 0 }
        }
    }

    /// Whether the outer ring goes round a point and no hole does.
    func holds(_ point: DrawnPolygon.Point) -> Bool {
        drawn.rings.reduce(false) { inside, ring in
            var inside = inside
            for (place, to) in ring.enumerated() {
                let from = ring[(place + ring.count - 1) % ring.count]
                if (from.y > point.y) != (to.y > point.y),
                    point.x < from.x + (to.x - from.x) * (point.y - from.y) / (to.y - from.y)
                {
                    inside.toggle()
                }
            }
            return inside
        }
    }
}

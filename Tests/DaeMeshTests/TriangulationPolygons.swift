import TestSupport

/// A polygon drawn by a test: rings of points on a plane, the first one the outer ring.
struct DrawnPolygon {
    typealias Point = SIMD2<Double>

    var rings: [[Point]]

    init(_ rings: [Point]...) { self.rings = rings }

    /// Twice the area inside, by the rings' sizes whatever their winding.
    var doubleArea: Double {
        let sizes = rings.map { abs(Self.doubleArea($0)) }
        return sizes[0] - sizes.dropFirst().reduce(0, +)
    }

    var triangleCount: Int { rings.reduce(0) { $0 + $1.count } + 2 * (rings.count - 1) - 2 }

    static func doubleArea(_ ring: [Point]) -> Double {
        var sum = 0.0
        for (place, to) in ring.enumerated() {
            let from = ring[(place + ring.count - 1) % ring.count]
            sum += (from.x - ring[0].x) * (to.y - ring[0].y) - (from.y - ring[0].y) * (to.x - ring[0].x)
        }
        return sum
    }
}

// MARK: - Shapes

extension DrawnPolygon {
    static func star(_ count: Int, inner: Double = 0.2, _ random: inout SeededNumbers) -> [Point] {
        ring(count, inner: inner, at: [0, 0], size: 1, &random)
    }

    /// Seen whole from `at`, corners between `inner` times `size` and `size` away.
    static func ring(
        _ count: Int, inner: Double, at: Point, size: Double, _ random: inout SeededNumbers
    ) -> [Point] {
        (0..<count).map { corner in
            let angle = (Double(corner) + Double.random(in: -0.4...0.4, using: &random)) * 2 * .pi / Double(count)
            let radius = Double.random(in: inner...1, using: &random) * size
            return at + Point(cosine(angle), cosine(angle - .pi / 2)) * radius
        }
    }

    /// Two chains from left to right, with one height a corner; they do not meet.
    static func monotone(_ count: Int, _ random: inout SeededNumbers) -> [Point] {
        let half = max(count / 2, 2)
        let below = (0...half).map {
            Point(Double($0), $0 == 0 || $0 == half ? 0 : Double.random(in: -3 ... -0.1, using: &random))
        }
        let above = (1..<half).map { Point(Double($0) + 0.25, Double.random(in: 0.1...3, using: &random)) }
        return below + above.reversed()
    }

    /// A band that winds round itself.
    static func spiral(_ count: Int, turns: Double) -> [Point] {
        let half = count / 2
        func arm(_ place: Int, _ offset: Double) -> Point {
            let angle = Double(place) / Double(half) * turns * 2 * .pi
            return Point(cosine(angle), cosine(angle - .pi / 2)) * (angle / (2 * .pi) + 0.5 + offset)
        }
        return (0..<half).map { arm($0, 0.4) } + (0..<half).reversed().map { arm($0, 0) }
    }

    static func comb(teeth: Int) -> [Point] {
        var ring: [Point] = [[0, -1], [Double(teeth) * 2, -1]]
        for tooth in (0..<teeth).reversed() {
            ring += [[Double(tooth) * 2 + 1, 0], [Double(tooth) * 2 + 0.5, 50], [Double(tooth) * 2, 0]]
        }
        return ring
    }

    /// A square with a grid of holes, each with a random outline and winding.
    static func sieve(across: Int, corners: ClosedRange<Int>, _ random: inout SeededNumbers) -> DrawnPolygon {
        let size = Double(across)
        var drawn = DrawnPolygon([[0, 0], [size, 0], [size, size], [0, size]])
        for cell in 0..<across * across {
            let middle = Point(Double(cell % across) + 0.5, Double(cell / across) + 0.5)
            let count = Int.random(in: corners, using: &random)
            let hole = ring(count, inner: 0.3, at: middle, size: 0.49, &random)
            drawn.rings.append(random.next() & 1 == 0 ? hole : hole.reversed())
        }
        return drawn
    }

    /// Sides cut into parts, and corners said twice.
    func roughened(_ random: inout SeededNumbers) -> DrawnPolygon {
        var rough = self
        rough.rings = rings.map { ring in
            var result: [Point] = []
            for (place, point) in ring.enumerated() {
                result.append(point)
                let next = ring[(place + 1) % ring.count]
                switch random.next() % 4 {
                case 0: result += [1, 2, 3].map { point + (next - point) * ($0 / 4) }
                case 1: result.append(point)
                default: break
                }
            }
            return result
        }
        return rough
    }

    /// On a grid so coarse that quarters of sides are exact.
    func rounded() -> DrawnPolygon {
        var result = self
        result.rings = rings.map { $0.map { ($0 * 4096).rounded(.toNearestOrEven) / 4096 } }
        return result
    }

    static func cosine(_ angle: Double) -> Double {
        // A half turn's series is exact enough for a drawing, and needs no library.
        var turn = (angle / (2 * .pi)).truncatingRemainder(dividingBy: 1)
        if turn < 0 { turn += 1 }
        let x = (turn <= 0.5 ? turn : 1 - turn) * 2 * .pi
        let y = x > .pi / 2 ? .pi - x : x
        let square = y * y
        var term = 1.0
        var sum = 1.0
        for step in 1...12 {
            term *= -square / Double((2 * step - 1) * (2 * step))
            sum += term
        }
        return x > .pi / 2 ? -sum : sum
    }
}

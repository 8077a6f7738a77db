package import DaeScene

/// Cuts polygons into triangles; keeps its room between calls, so that a mesh of many polygons allocates little.
///
/// A triangle and a convex polygon are cut without further ado; all others, with or without holes, by clipping ears on
/// the plane that fits the outer ring best. Any numbers give the full count of triangles.
///
/// - Complexity: near n log n for simple polygons. Corners and boxes looked at are counted; past 100 n log₂ n of them,
///   which takes a polygon made for it, what is left is cut without looking and reported as `cutShort`.
package struct Triangulator: Sendable {
    private var numbers: [Int32] = []
    private var rings: [Range<Int>] = []
    private var corners = PolygonCorners()
    private var polygon = FlatPolygon()
    private var sides = BoxTree()
    private var bridges = HoleBridges()
    private var ears = EarClipper()
    /// What the last polygon cost, in corners and boxes looked at.
    private(set) var steps = 0

    package init() {}

    /// Cuts a polygon without holes.
    ///
    /// - Parameters:
    ///   - corners: For each corner, the index of its position.
    ///   - positions: x y z after x y z, in any unit.
    ///   - output: Receives `corners.count − 2` triples of places in `corners`, not of positions, each turning as the
    ///     polygon does; nothing for fewer than three corners.
    package mutating func triangulate(
        corners: Span<Int32>, positions: Span<Double>, into output: inout [Int32]
    ) -> Triangulation {
        steps = 0
        if corners.count < 3 { return Triangulation() }
        if let done = ConvexPolygon.cut(corners, positions, into: &output) { return done }
        rings.removeAll(keepingCapacity: true)
        rings.append(0..<corners.count)
        numbers.removeAll(keepingCapacity: true)
        for number in corners.indices { numbers.append(Int32(truncatingIfNeeded: number)) }
        return clip(corners, positions, into: &output)
    }

    /// Cuts a polygon with holes.
    ///
    /// - Parameters:
    ///   - corners: For each corner, the index of its position.
    ///   - rings: Parts of `corners`: the outer ring, then holes, each wound either way. Empty holes are passed over.
    ///   - positions: x y z after x y z, in any unit.
    ///   - output: Receives n + m + 2h − 2 triples of places in `corners` for n outer corners and h holes of m corners
    ///     in all, each turning as the outer ring does; nothing for fewer than three outer corners.
    package mutating func triangulate(
        corners: Span<Int32>, rings parts: Span<Range<Int>>, positions: Span<Double>, into output: inout [Int32]
    ) -> Triangulation {
        steps = 0
        rings.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        for part in parts.indices {
            let range = parts[part].clamped(to: 0..<corners.count)
            if part == 0, range.count < 3 { return Triangulation() }
            if range.isEmpty { continue }
            rings.append(numbers.count..<numbers.count + range.count)
            for number in range { numbers.append(Int32(truncatingIfNeeded: number)) }
        }
        if rings.isEmpty { return Triangulation() }
        return clip(corners, positions, into: &output)
    }

    private mutating func clip(
        _ source: Span<Int32>, _ positions: Span<Double>, into output: inout [Int32]
    ) -> Triangulation {
        var done = Triangulation()
        corners.load(numbers, of: source, positions)
        if !corners.isFinite { done.traits.insert(.nonFinite) }
        let plane = PolygonPlane(of: corners.points, ring: rings[0], &done.traits)
        polygon.load(corners.points, rings: rings, on: plane)
        let count = numbers.count + 2 * (rings.count - 1)
        var looking = WorkBudget(lookingAt: count)
        var budget = WorkBudget(cutting: count)
        if polygon.outerRingIsConcave { done.traits.insert(.concave) }
        if count > FlatPolygon.treeThreshold || rings.count > 1 { polygon.arrangeSides(in: &sides) }
        let hasCrossing =
            count > FlatPolygon.treeThreshold ? polygon.hasCrossing(sides, &looking) : polygon.hasCrossing(&looking)
        if hasCrossing { done.traits.insert(.selfIntersecting) }
        if rings.count > 1 { done.traits.formUnion(bridges.join(&polygon, sides, &budget)) }
        done.traits.formUnion(ears.clip(&polygon, from: 0, count: count, &budget))
        // Reserving the exact count each time would copy the output again and again.
        for (a, b, c) in ears.triangles {
            let places = (
                Int(polygon.corners[Int(a)]), Int(polygon.corners[Int(b)]), Int(polygon.corners[Int(c)])
            )
            if isDegenerate(corners.points[places.0], corners.points[places.1], corners.points[places.2]) {
                done.degenerate += 1
            }
            output.append(numbers[places.0])
            output.append(numbers[places.1])
            output.append(numbers[places.2])
        }
        done.triangles = ears.triangles.count
        steps = looking.spent + budget.spent
        return done
    }
}

/// What became of one polygon, or of several added up.
package struct Triangulation: Sendable, Equatable {
    /// Triangles written: n + m + 2h − 2 for n outer corners and h holes of m corners in all.
    package var triangles = 0
    /// Those of them without an area: two corners at one position, or the height below about 2^-48 of the longest side
    /// (of the largest coordinate, where that is larger). A bridge to a hole that touches gives two of them.
    package var degenerate = 0
    package var traits: Traits = []

    package init() {}

    /// What is worth reporting of a polygon.
    package struct Traits: OptionSet, Sendable, Equatable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A corner of the outer ring bends inwards, seen along the best plane's normal.
        package static let concave = Traits(rawValue: 1)
        /// Corners lie further apart across the best plane than 1/10,000 of the polygon's size plus a millionth of its
        /// largest coordinate.
        package static let nonPlanar = Traits(rawValue: 2)
        /// Sides cross on the best plane, or no cut was left that keeps inside: triangles may overlap or lie outside.
        /// Crossings are looked for within a budget of work, so that a polygon of very many needles may keep one untold.
        package static let selfIntersecting = Traits(rawValue: 4)
        /// A hole begins outside the outer ring or inside another hole.
        package static let holeOutside = Traits(rawValue: 8)
        /// A coordinate is not finite or a corner's position does not exist; the corner before stood in for it.
        package static let nonFinite = Traits(rawValue: 16)
        /// The budget of work ended: triangles from there on may overlap.
        package static let cutShort = Traits(rawValue: 32)
    }

    package static func += (left: inout Triangulation, right: Triangulation) {
        left.triangles += right.triangles
        left.degenerate += right.degenerate
        left.traits.formUnion(right.traits)
    }
}

/// Steps that a polygon may cost: boxes and corners looked at.
struct WorkBudget: Sendable {
    private(set) var spent = 0
    let limit: Int

    /// For cutting: some ten times what well-behaved polygons of that many nodes need.
    init(cutting nodes: Int) { self.init(nodes: nodes, share: 100) }

    /// For looking whether sides cross, which needles side by side make slow and which changes no triangle.
    init(lookingAt nodes: Int) { self.init(nodes: nodes, share: 30) }

    private init(nodes: Int, share: Int) {
        limit = share * (nodes + 64) * (Int.bitWidth - nodes.leadingZeroBitCount)
    }

    var isSpent: Bool { spent > limit }

    mutating func spend(_ steps: Int) { spent += steps }
}

/// The positions of a polygon's corners, made safe to calculate with: finite, and neither so large nor so small that
/// products of them are lost.
struct PolygonCorners: Sendable {
    /// Ring after ring.
    private(set) var points: [SIMD3<Double>] = []
    private(set) var isFinite = true

    mutating func load(_ numbers: [Int32], of corners: Span<Int32>, _ positions: Span<Double>) {
        points.removeAll(keepingCapacity: true)
        isFinite = true
        var last = SIMD3<Double>.zero
        var largest = 0.0
        for number in numbers {
            if let point = position(corners[Int(number)], positions) {
                last = point
                largest = max(largest, point.largest)
            } else {
                isFinite = false
            }
            points.append(last)
        }
        guard largest > 0, !(0x1p-200...0x1p200).contains(largest) else { return }
        // In two steps, since the factor itself may be out of range. Powers of two round nothing.
        let shift = -Int(largest.exponent)
        let first = Double(sign: .plus, exponent: shift / 2, significand: 1)
        let second = Double(sign: .plus, exponent: shift - shift / 2, significand: 1)
        for place in points.indices { points[place] = points[place] * first * second }
    }

    /// The normal by Newell's sums, twice the area long; zero where there is no area.
    static func normal(of ring: some RandomAccessCollection<SIMD3<Double>>) -> SIMD3<Double> {
        guard let origin = ring.first, let last = ring.last else { return .zero }
        var sum = SIMD3<Double>.zero
        var from = last - origin
        for point in ring {
            let to = point - origin
            sum += from.cross(to)
            from = to
        }
        return sum
    }
}

/// The position of index `index`; `nil` where it does not exist or is not finite.
@inline(__always)
func position(_ index: Int32, _ positions: Span<Double>) -> SIMD3<Double>? {
    let first = Int(index) * 3
    guard first >= 0, first + 2 < positions.count else { return nil }
    let point = SIMD3(positions[first], positions[first + 1], positions[first + 2])
    return point.isFinite ? point : nil
}

/// Triangle strips and fans as single triangles.
enum StripsAndFans {
    /// Unrolls a strip; every other triangle is turned round, so that all are wound as the first.
    ///
    /// - Parameters:
    ///   - corners: For each corner, the index of its position.
    ///   - output: Receives `corners.count − 2` triples of places in `corners`; nothing for fewer than three corners.
    /// - Returns: Degenerate are those that have a position twice; strips use them to turn corners.
    static func unroll(strip corners: Span<Int32>, into output: inout [Int32]) -> Triangulation {
        unroll(corners, into: &output) { place in
            place & 1 == 0 ? (place, place + 1, place + 2) : (place + 1, place, place + 2)
        }
    }

    /// Unrolls a fan: each triangle has the first corner; else as ``unroll(strip:into:)``.
    static func unroll(fan corners: Span<Int32>, into output: inout [Int32]) -> Triangulation {
        unroll(corners, into: &output) { (0, $0 + 1, $0 + 2) }
    }

    @inline(__always)
    private static func unroll(
        _ corners: Span<Int32>, into output: inout [Int32], _ triangle: (Int) -> (Int, Int, Int)
    ) -> Triangulation {
        var done = Triangulation()
        guard corners.count >= 3 else { return done }
        done.triangles = corners.count - 2
        for place in 0..<done.triangles {
            let (a, b, c) = triangle(place)
            if corners[a] == corners[b] || corners[b] == corners[c] || corners[c] == corners[a] { done.degenerate += 1 }
            output.append(Int32(truncatingIfNeeded: a))
            output.append(Int32(truncatingIfNeeded: b))
            output.append(Int32(truncatingIfNeeded: c))
        }
        return done
    }
}

/// Whether the triangle is a line or a point but for rounding; also where its numbers are too small to say, or none.
@inline(__always)
func isDegenerate(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Bool {
    let (ab, ac, bc) = (b - a, c - a, c - b)
    let cross = ab.cross(ac)
    let side = max(ab.dot(ab), ac.dot(ac), bc.dot(bc))
    let reach = side.squareRoot() + max(a.largest, b.largest, c.largest)
    return !(cross.dot(cross) > 0x1p-96 * side * reach * reach)
}

extension Mesh {
    /// A primitive as triangles.
    package struct Triangles: Sendable, Equatable {
        /// Three a triangle: places of corners in the primitive, so that every stream's index follows.
        package var corners: [Int32]
        /// What was met on the way: degenerate triangles, concave polygons, …
        package var summary: Triangulation
    }

    /// Cuts a primitive into triangles; empty for lines. Every polygon gives its full count, degenerate ones included.
    ///
    /// - Parameter triangulator: Used again for each primitive, so that its room is.
    package func triangles(of primitive: Primitive, using triangulator: inout Triangulator) -> Triangles {
        var result = Triangles(corners: [], summary: Triangulation())
        switch primitive.kind {
        case .lines, .linestrips: break
        case .triangles:
            let whole = primitive.corners / 3 * 3
            result.corners = (0..<Int32(clamping: whole)).map { $0 }
            result.summary.triangles = whole / 3
        case .tristrips: unroll(primitive, into: &result) { StripsAndFans.unroll(strip: $0, into: &$1) }
        case .trifans: unroll(primitive, into: &result) { StripsAndFans.unroll(fan: $0, into: &$1) }
        case .polylist, .polygons: cut(primitive, into: &result, &triangulator)
        }
        return result
    }

    /// Unrolls each strip or fan of a primitive.
    private func unroll(
        _ primitive: Primitive, into result: inout Triangles, _ unroll: (Span<Int32>, inout [Int32]) -> Triangulation
    ) {
        let offset = primitive.input(of: .position, in: self)?.offset ?? 0
        var start = 0
        for count in primitive.cornerCounts {
            let end = start + max(0, Int(count))
            guard end <= primitive.corners else { return }
            let indices = primitive.indices.span
            let corners = (start..<end).map { indices[$0 * primitive.stride + offset] }
            let before = result.corners.count
            result.summary += unroll(corners.span, &result.corners)
            for place in before..<result.corners.count { result.corners[place] += Int32(clamping: start) }
            start = end
        }
    }

    private func cut(_ primitive: Primitive, into result: inout Triangles, _ triangulator: inout Triangulator) {
        guard let input = primitive.input(of: .position, in: self) else { return }
        let (stream, indices) = (streams[input.stream].tripled, primitive.indices.span)
        let positions = stream.values.span
        let count = Int32(clamping: positions.count / 3)
        var corners: [Int32] = []
        var rings: [Range<Int>] = []
        var cut: [Int32] = []
        var start = 0
        var ring = 0
        var polygon = 0
        while ring < primitive.cornerCounts.count {
            let holes = polygon < primitive.holeCounts.count ? max(0, Int(primitive.holeCounts[polygon])) : 0
            let last = min(primitive.cornerCounts.count, ring + 1 + holes)
            corners.removeAll(keepingCapacity: true)
            rings.removeAll(keepingCapacity: true)
            for size in primitive.cornerCounts[ring..<last] {
                let end = corners.count + max(0, Int(size))
                guard start + end <= primitive.corners else { return }
                rings.append(corners.count..<end)
                for corner in start + corners.count..<start + end {
                    let index = indices[corner * primitive.stride + input.offset]
                    // An index beyond the source was reported when it was read; the first position stands for it.
                    corners.append((0..<count).contains(index) ? index : 0)
                }
            }
            cut.removeAll(keepingCapacity: true)
            if count > 0 {
                let met =
                    rings.count == 1
                    ? triangulator.triangulate(corners: corners.span, positions: positions, into: &cut)
                    : triangulator.triangulate(
                        corners: corners.span, rings: rings.span, positions: positions, into: &cut)
                result.summary += met
                result.corners += cut.lazy.map { $0 + Int32(clamping: start) }
            }
            start += corners.count
            ring = last
            polygon += 1
        }
    }
}

extension Mesh.Stream {
    /// The same elements as x y z after x y z; itself where it is that already.
    package var tripled: Mesh.Stream {
        if offset == 0 && stride == 3 && lanes == [0, 1, 2] { return self }
        return Mesh.Stream(
            semantic: semantic, values: NumberArray(points), offset: 0, stride: 3, lanes: [0, 1, 2], count: count)
    }
}

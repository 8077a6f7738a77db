/// Cuts polygons into triangles; keeps its room between calls, so that a mesh of many polygons allocates little.
///
/// A triangle and a convex polygon are cut without further ado; all others, with or without holes, by clipping ears on
/// the plane that fits the outer ring best. Any numbers give the full count of triangles.
///
/// - Complexity: near n log n for simple polygons. Corners and boxes looked at are counted; past 100 n log₂ n of them,
///   which takes a polygon made for it, what is left is cut without looking and told as `cutShort`.
public struct Triangulator: Sendable {
    private var numbers: [Int32] = []
    private var rings: [Range<Int>] = []
    private var corners = PolygonCorners()
    private var polygon = FlatPolygon()
    private var sides = BoxTree()
    private var bridges = HoleBridges()
    private var ears = EarClipper()
    /// What the last polygon cost, in corners and boxes looked at.
    private(set) var steps = 0

    public init() {}

    /// Cuts a polygon without holes.
    ///
    /// - Parameters:
    ///   - corners: For each corner, the index of its position.
    ///   - positions: x y z after x y z, in any unit.
    ///   - output: Receives `corners.count − 2` triples of places in `corners`, not of positions, each turning as the
    ///     polygon does; nothing for fewer than three corners.
    public mutating func triangulate(
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
    public mutating func triangulate(
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

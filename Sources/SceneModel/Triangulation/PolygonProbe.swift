// What a modeller would see is asked here, not what arithmetic says: numbers of a file are rounded, and a corner on a
// straight side bends inwards as often as outwards.

/// Tells what is odd about polygons without cutting them; keeps its room between calls.
///
/// The verdict is the same for a polygon that is turned or scaled, but for what lies just at a tolerance.
///
/// - Complexity: n log n, whatever the numbers. Crossings are looked for within a budget of work; past it none is told.
public struct PolygonProbe: Sendable {
    /// What is odd about one polygon.
    public struct Traits: OptionSet, Sendable, Equatable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A corner of the outer ring lies further inside its convex hull than ``PolygonProbe/concaveDepth``.
        public static let concave = Traits(rawValue: 1)
        /// As ``Triangulation/Traits/nonPlanar``.
        public static let nonPlanar = Traits(rawValue: 2)
        /// Two sides of the outer ring cross, each by more than ``PolygonProbe/crossingDepth``.
        public static let selfIntersecting = Traits(rawValue: 4)
        /// A hole lies outside, within another hole or across a side; or it has no area; or no area is left beside it.
        public static let holeInvalid = Traits(rawValue: 8)
        /// The outer ring is a line or a point but for ``PolygonProbe/width``: nothing else is asked of it.
        public static let degenerate = Traits(rawValue: 16)
        /// A corner has no position, or none that is finite, or a ring has fewer than three: nothing else is asked.
        public static let unreadable = Traits(rawValue: 32)
    }

    /// Of the polygon's size. Ten times what six written digits lose, so that a straight side stays straight.
    public static let concaveDepth = 1e-5
    /// Of the polygon's size.
    public static let crossingDepth = 1e-6
    /// Of the largest coordinate: what a number of six digits loses.
    public static let rounding = 1e-6

    /// Of the polygon's size and of its largest coordinate: what a `Float` cannot tell from 0.
    public static let width = 0x1p-24

    private var corners = PolygonCorners()
    private var polygon = FlatPolygon()
    private var sides = BoxTree()
    private var hull = ConvexHull()
    private var numbers: [Int32] = []
    private var rings: [Range<Int>] = []
    private var scratch: [Int32] = []

    public init() {}

    /// - Parameters:
    ///   - indices: For each corner, the index of its position; ring after ring, the outer one first.
    ///   - parts: Parts of `indices`, one a ring; empty for a polygon without holes.
    ///   - positions: x y z after x y z, in any unit.
    ///   - reach: Of what a polygon is a part of: what the noise of its numbers is a share of, where they are not as
    ///     noisy as their distance from 0 lets them be.
    public mutating func traits(
        of indices: Span<Int32>, rings parts: Span<Range<Int>>, positions: Span<Double>, reach: Double = .infinity
    ) -> Traits {
        if parts.count <= 1 {
            guard indices.count >= 3 else { return .unreadable }
            scratch.removeAll(keepingCapacity: true)
            if let done = ConvexPolygon.cut(indices, positions, into: &scratch) {
                return done.traits.contains(.nonPlanar) ? .nonPlanar : []
            }
        }
        rings.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        if parts.count <= 1 {
            rings.append(0..<indices.count)
        } else {
            for part in parts.indices {
                let range = parts[part]
                guard range.count >= 3, range.lowerBound >= 0, range.upperBound <= indices.count else {
                    return part == 0 ? .unreadable : .holeInvalid
                }
                rings.append(numbers.count..<numbers.count + range.count)
                numbers.append(contentsOf: range.lazy.map { Int32(truncatingIfNeeded: $0) })
            }
        }
        if parts.count <= 1 { for number in indices.indices { numbers.append(Int32(truncatingIfNeeded: number)) } }
        corners.load(numbers, of: indices, positions)
        guard corners.isFinite else { return .unreadable }
        return examine(reach)
    }

    private mutating func examine(_ reach: Double) -> Traits {
        guard let plane = ProbePlane(of: corners.points, ring: rings[0], reach: reach) else { return .degenerate }
        var traits: Traits = plane.isFlat ? [] : .nonPlanar
        polygon.load(corners.points, rings: rings, on: plane.plane)
        polygon.arrangeSides(in: &sides)
        var budget = WorkBudget(lookingAt: polygon.points.count)
        // What is no deeper than a polygon is uneven is a matter of where one looks from.
        let noise = Self.rounding * plane.largest + (plane.isFlat ? 0 : plane.height)
        let depth = Self.crossingDepth * plane.extent + noise
        let crossings = polygon.crossings(sides, depth: depth, &budget)
        if crossings.contains(.withinOuterRing) { traits.insert(.selfIntersecting) }
        if crossings.contains(.withHole) || polygon.hasOddHole(sides, depth: depth, &budget) {
            traits.insert(.holeInvalid)
        }
        // Where sides cross, what is inside is not known.
        if !traits.contains(.selfIntersecting), hull.depth(of: polygon) > Self.concaveDepth * plane.extent + noise {
            traits.insert(.concave)
        }
        return traits
    }
}

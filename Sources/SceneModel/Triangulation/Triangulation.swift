/// What became of one polygon, or of several added up.
public struct Triangulation: Sendable, Equatable {
    /// Triangles written: n + m + 2h − 2 for n outer corners and h holes of m corners in all.
    public var triangles = 0
    /// Those of them without an area: two corners at one position, or the height below about 2^-48 of the longest side
    /// (of the largest coordinate, where that is larger). A bridge to a hole that touches gives two of them.
    public var degenerate = 0
    public var traits: Traits = []

    public init() {}

    /// What is worth telling of a polygon.
    public struct Traits: OptionSet, Sendable, Equatable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A corner of the outer ring bends inwards, seen along the best plane's normal.
        public static let concave = Traits(rawValue: 1)
        /// Corners lie further apart across the best plane than 1/10,000 of the polygon's size plus a millionth of its
        /// largest coordinate.
        public static let nonPlanar = Traits(rawValue: 2)
        /// Sides cross on the best plane, or no cut was left that keeps inside: triangles may overlap or lie outside.
        /// Crossings are looked for within a budget of work, so that a polygon of very many needles may keep one untold.
        public static let selfIntersecting = Traits(rawValue: 4)
        /// A hole begins outside the outer ring or inside another hole.
        public static let holeOutside = Traits(rawValue: 8)
        /// A coordinate is not finite or a corner's position does not exist; the corner before stood in for it.
        public static let nonFinite = Traits(rawValue: 16)
        /// The budget of work ended: triangles from there on may overlap.
        public static let cutShort = Traits(rawValue: 32)
    }

    public static func += (left: inout Triangulation, right: Triangulation) {
        left.triangles += right.triangles
        left.degenerate += right.degenerate
        left.traits.formUnion(right.traits)
    }
}

// What a modeller would see is asked here, not what arithmetic says: numbers of a file are rounded, and a corner on a
// straight side bends inwards as often as outwards.

import DaeScene

/// Says what is wrong with polygons without cutting them; keeps its room between calls.
///
/// The verdict is the same for a polygon that is turned or scaled, but for what lies just at a tolerance.
///
/// - Complexity: n log n, whatever the numbers. Crossings are looked for within a budget of work; past it none is reported.
package struct PolygonProbe: Sendable {
    /// What is wrong with one polygon.
    package struct Traits: OptionSet, Sendable, Equatable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A corner of the outer ring lies further inside its convex hull than ``PolygonProbe/concaveDepth``.
        package static let concave = Traits(rawValue: 1)
        /// As ``Triangulation/Traits/nonPlanar``.
        package static let nonPlanar = Traits(rawValue: 2)
        /// Two sides of the outer ring cross, each by more than ``PolygonProbe/crossingDepth``.
        package static let selfIntersecting = Traits(rawValue: 4)
        /// A hole lies outside, within another hole or across a side; or it has no area; or no area is left beside it.
        package static let holeInvalid = Traits(rawValue: 8)
        /// The outer ring is a line or a point but for ``PolygonProbe/width``: nothing else is asked of it.
        package static let degenerate = Traits(rawValue: 16)
        /// A corner has no position, or none that is finite, or a ring has fewer than three: nothing else is asked.
        package static let unreadable = Traits(rawValue: 32)
    }

    /// Of the polygon's size. Ten times what six written digits lose, so that a straight side stays straight.
    package static let concaveDepth = 1e-5
    /// Of the polygon's size.
    package static let crossingDepth = 1e-6
    /// Of the largest coordinate: what a number of six digits loses.
    package static let rounding = 1e-6

    /// Of the polygon's size and of its largest coordinate: what a `Float` cannot tell from 0.
    package static let width = 0x1p-24

    private var corners = PolygonCorners()
    private var polygon = FlatPolygon()
    private var sides = BoxTree()
    private var hull = ConvexHull()
    private var numbers: [Int32] = []
    private var rings: [Range<Int>] = []
    private var scratch: [Int32] = []

    package init() {}

    /// - Parameters:
    ///   - indices: For each corner, the index of its position; ring after ring, the outer one first.
    ///   - parts: Parts of `indices`, one a ring; empty for a polygon without holes.
    ///   - positions: x y z after x y z, in any unit.
    ///   - reach: Of what a polygon is a part of: what the noise of its numbers is a share of, where they are not as
    ///     noisy as their distance from 0 lets them be.
    package mutating func traits(
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

/// The plane on which a polygon is looked at. It hangs on nothing but the polygon's shape, not on how that is turned.
struct ProbePlane {
    let plane: PolygonPlane
    /// The diagonal of the box around all corners.
    let extent: Double
    /// Of all coordinates.
    let largest: Double
    /// From the corner lowest over the plane to the highest.
    let height: Double
    let isFlat: Bool

    /// `nil` where the outer ring is a line or a point.
    init?(of points: [SIMD3<Double>], ring: Range<Int>, reach: Double) {
        let origin = points[ring.lowerBound]
        var (low, high) = (origin, origin)
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        let box = high - low
        extent = box.dot(box).squareRoot()
        largest = max(low.largest, high.largest)
        let along = points[ring].reduce(SIMD3<Double>.zero) { far, point in
            let side = point - origin
            return side.dot(side) > far.dot(far) ? side : far
        }
        // Twice the area of the largest triangle upon that side.
        let across = points[ring].reduce(SIMD3<Double>.zero) { far, point in
            let normal = along.cross(point - origin)
            return normal.dot(normal) > far.dot(far) ? normal : far
        }
        let (length, area) = (along.dot(along).squareRoot(), across.dot(across).squareRoot())
        guard area > PolygonProbe.width * (extent + min(largest, reach)) * length else { return nil }
        // The sides' own normal is the best, but where they cross, areas may cancel out.
        let sum = PolygonCorners.normal(of: points[ring])
        let sumLength = sum.dot(sum).squareRoot()
        let isSound = sumLength > Self.leastShare * area && abs(sum.dot(along)) < 0.9 * sumLength * length
        let normal = isSound ? sum / sumLength : across / area
        var (below, above) = (0.0, 0.0)
        for point in points {
            let height = (point - origin).dot(normal)
            (below, above) = (min(below, height), max(above, height))
        }
        height = above - below
        isFlat = isThin(from: below, to: above, extent: extent, largest: largest)
        let side = along - normal * along.dot(normal)
        let right = side / side.dot(side).squareRoot()
        plane = .frame(x: right, y: normal.cross(right))
    }

    /// Of the area of the largest triangle.
    private static let leastShare = 0.01
}

/// Boxes with a number each, found by place. The order along a z-curve makes the leaves; the tree above them is
/// complete and without pointers, so that a walk needs no stack.
struct BoxTree: Sendable {
    struct Box: Sendable {
        var low: FlatPoint
        var high: FlatPoint

        static let empty = Box(low: FlatPoint(.infinity, .infinity), high: FlatPoint(-.infinity, -.infinity))

        init(low: FlatPoint, high: FlatPoint) {
            self.low = low
            self.high = high
        }

        init(around a: FlatPoint, _ b: FlatPoint) {
            low = FlatPoint(min(a.x, b.x), min(a.y, b.y))
            high = FlatPoint(max(a.x, b.x), max(a.y, b.y))
        }

        mutating func formUnion(_ other: Box) {
            low = FlatPoint(min(low.x, other.low.x), min(low.y, other.low.y))
            high = FlatPoint(max(high.x, other.high.x), max(high.y, other.high.y))
        }

        func meets(_ other: Box) -> Bool {
            low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y
        }
    }

    private static let leafSize = 4

    private var staged: [(code: UInt64, item: Int32, box: Box)] = []
    private var items: [Int32] = []
    private var boxes: [Box] = []
    /// By item; −1 where there is none.
    private var slots: [Int32] = []
    /// Root at 1, children of n at 2n and 2n + 1, leaves from `leaves` on.
    private var nodes: [Box] = []
    private var leaves = 1

    /// Forgets all, for items below `limit`.
    mutating func clear(limit: Int) {
        staged.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        boxes.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
        slots.append(contentsOf: repeatElement(-1, count: limit))
    }

    mutating func stage(_ item: Int32, _ box: Box) { staged.append((0, item, box)) }

    /// Puts all that was staged in order.
    mutating func build() {
        var all = Box.empty
        for entry in staged { all.formUnion(entry.box) }
        let wide = Double(UInt32.max)
        let scaleX = all.high.x > all.low.x ? wide / (all.high.x - all.low.x) : 0
        let scaleY = all.high.y > all.low.y ? wide / (all.high.y - all.low.y) : 0
        for place in staged.indices {
            let box = staged[place].box
            let x = ((box.low.x / 2 + box.high.x / 2) - all.low.x) * scaleX
            let y = ((box.low.y / 2 + box.high.y / 2) - all.low.y) * scaleY
            staged[place].code = Self.spread(x) | Self.spread(y) << 1
        }
        staged.sort { $0.code < $1.code }
        leaves = 1
        while leaves * Self.leafSize < staged.count { leaves *= 2 }
        nodes.removeAll(keepingCapacity: true)
        nodes.append(contentsOf: repeatElement(.empty, count: leaves * 2))
        for (slot, entry) in staged.enumerated() {
            items.append(entry.item)
            boxes.append(entry.box)
            slots[Int(entry.item)] = Int32(truncatingIfNeeded: slot)
            nodes[leaves + slot / Self.leafSize].formUnion(entry.box)
        }
        for node in stride(from: leaves - 1, to: 0, by: -1) {
            nodes[node] = nodes[node * 2]
            nodes[node].formUnion(nodes[node * 2 + 1])
        }
    }

    /// Gives an item, which was staged once, another box; an empty one hides it.
    mutating func set(_ item: Int32, _ box: Box) {
        let slot = Int(slots[Int(item)])
        guard slot >= 0 else { return }
        boxes[slot] = box
        var node = leaves + slot / Self.leafSize
        let first = slot / Self.leafSize * Self.leafSize
        var union = Box.empty
        for near in first..<min(first + Self.leafSize, boxes.count) { union.formUnion(boxes[near]) }
        while node > 0 {
            let old = nodes[node]
            if old.low == union.low && old.high == union.high { return }
            nodes[node] = union
            node /= 2
            guard node > 0 else { return }
            union = nodes[node * 2]
            union.formUnion(nodes[node * 2 + 1])
        }
    }

    /// The lower 32 bits of a number, each with a free place above it. The number is 0...2^32 but for rounding.
    private static func spread(_ value: Double) -> UInt64 {
        var bits = value > 0 ? UInt64(min(value, Double(UInt32.max))) : 0
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }
}

// MARK: - Search

extension BoxTree {
    /// A search under way. Its window may shrink between two finds.
    struct Walk {
        var window: Window
        fileprivate var node = 1
        fileprivate var slots = 0..<0
        /// Boxes looked at.
        private(set) var steps = 0

        init(_ window: Window) { self.window = window }

        fileprivate mutating func meets(_ box: Box) -> Bool {
            steps += 1
            return window.meets(box)
        }
    }

    /// The next item whose box meets the window; `nil` at the end.
    func next(_ walk: inout Walk) -> Int32? {
        while true {
            while let slot = walk.slots.first {
                walk.slots = slot + 1..<walk.slots.upperBound
                if walk.meets(boxes[slot]) { return items[slot] }
            }
            guard walk.node != 0, !items.isEmpty else { return nil }
            if walk.meets(nodes[walk.node]) {
                if walk.node < leaves {
                    walk.node *= 2
                    continue
                }
                let first = (walk.node - leaves) * Self.leafSize
                walk.slots = min(first, items.count)..<min(first + Self.leafSize, items.count)
            }
            // Past this node and all below it.
            while walk.node & 1 == 1 { walk.node >>= 1 }
            if walk.node != 0 { walk.node += 1 }
        }
    }

    /// A box, cut by the three sides of a triangle where it is one.
    struct Window {
        private struct Side {
            var origin = FlatPoint(0, 0)
            var x = 0.0
            var y = 0.0

            init() {}

            init(_ from: FlatPoint, _ to: FlatPoint) {
                origin = from
                x = from.y - to.y
                y = to.x - from.x
            }

            /// Whether all of the box is surely to the right.
            func excludes(_ box: Box) -> Bool {
                let alongX = x * ((x > 0 ? box.high.x : box.low.x) - origin.x)
                let alongY = y * ((y > 0 ? box.high.y : box.low.y) - origin.y)
                return alongX + alongY < -0x1p-50 * (abs(alongX) + abs(alongY))
            }
        }

        var box: Box
        private var sides = (Side(), Side(), Side())

        init(_ box: Box) { self.box = box }

        /// The triangle's corners turn left.
        init(_ a: FlatPoint, _ b: FlatPoint, _ c: FlatPoint) {
            box = Box(around: a, b)
            box.formUnion(Box(around: c, c))
            sides = (Side(a, b), Side(b, c), Side(c, a))
        }

        func meets(_ other: Box) -> Bool {
            box.meets(other)
                && !(sides.0.excludes(other) || sides.1.excludes(other) || sides.2.excludes(other))
        }
    }
}

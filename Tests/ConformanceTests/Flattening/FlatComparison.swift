import Daedalus

/// What two flat scenes do not have in common, in words.
///
/// Surfaces are compared as sets: neither the order of triangles and corners counts, nor how a flat polygon was cut.
/// The suite's documents often leave out what its viewers then add of their own, so cameras count only where both
/// scenes have one, and lights likewise.
struct FlatComparison {
    private(set) var differences: [String] = []

    /// Files hold about six digits.
    private static let relativeTolerance = 2e-5

    init(_ one: FlatScene, _ other: FlatScene) {
        var welder = VertexWelder(tolerance: Self.tolerance(one, other))
        compareSurfaces(one, other, &welder)
        compareSegments(one, other, &welder)
        match("shape", one.shapes, other.shapes, ==)
        if !one.lights.isEmpty && !other.lights.isEmpty {
            match("light", one.lights, other.lights) { $0.matches($1, tolerance: welder.tolerance) }
        }
        if !one.cameras.isEmpty && !other.cameras.isEmpty {
            match("camera", one.cameras, other.cameras) { $0.matches($1, tolerance: welder.tolerance) }
        }
    }

    private static func tolerance(_ one: FlatScene, _ other: FlatScene) -> Double {
        let size = [one.bounds, other.bounds].compactMap { $0?.size.length }.max() ?? 1
        return max(size, 1e-6) * relativeTolerance
    }

    // MARK: - Surfaces

    /// A triangle by its welded corners, the least first, so that the same triangle is always written the same.
    private struct Triangle: Hashable {
        var corners: [Int]
        var surface: FlatSurface

        init(_ triangle: FlatTriangle, _ welder: inout VertexWelder) {
            let numbers = triangle.corners.map { welder.number(of: $0) }
            let least = numbers.indices.min { numbers[$0] < numbers[$1] } ?? 0
            corners = numbers.indices.map { numbers[(least + $0) % numbers.count] }
            surface = triangle.surface.rounded
        }

        /// Without area: nothing is drawn.
        var isFlat: Bool { Set(corners).count < 3 }
    }

    private mutating func compareSurfaces(_ one: FlatScene, _ other: FlatScene, _ welder: inout VertexWelder) {
        var counts: [Triangle: Int] = [:]
        for triangle in one.triangles { counts[Triangle(triangle, &welder), default: 0] += 1 }
        for triangle in other.triangles { counts[Triangle(triangle, &welder), default: 0] -= 1 }
        let left = counts.filter { $0.value != 0 && !$0.key.isFlat }
        if left.isEmpty { return }
        // Cut otherwise, a flat face still has the same border: sides within it run both ways and cancel out.
        let borders = Self.borders(of: left, welder)
        let differing = borders.filter { $0.value != 0 }
        if differing.isEmpty { return }
        let surfaces = Set(differing.map(\.key.surface))
        let first = differing.min { ($0.key.from, $0.key.to) < ($1.key.from, $1.key.to) }
        let count = "\(left.count) triangles of \(one.triangles.count) and \(other.triangles.count) differ"
        let side = first.map { "\(welder.vertices[$0.key.from].words) – \(welder.vertices[$0.key.to].words)" } ?? ""
        let looks = surfaces.map(\.inWords).sorted().joined(separator: " | ")
        differences.append("surface: \(count), such as the side \(side); of \(looks)")
    }

    private struct Side: Hashable {
        var from: Int
        var to: Int
        var plane: SIMD4<Int64>
        var surface: FlatSurface
    }

    private static func borders(of triangles: [Triangle: Int], _ welder: VertexWelder) -> [Side: Int] {
        var sides: [Side: Int] = [:]
        for (triangle, count) in triangles {
            let points = triangle.corners.map { welder.vertices[$0].position }
            let normal = points.facetNormal
            let distance = normal.dot(points[0]) / (welder.tolerance * 1024)
            let steps = SIMD4(normal * 64, distance)
            let plane = SIMD4<Int64>(
                Int64(steps.x.rounded()), Int64(steps.y.rounded()), Int64(steps.z.rounded()),
                Int64(exactly: steps.w.rounded()) ?? 0)
            for (from, to) in zip(triangle.corners, triangle.corners[1...] + triangle.corners[..<1]) {
                let isForward = from < to
                let side = Side(
                    from: min(from, to), to: max(from, to), plane: plane, surface: triangle.surface)
                sides[side, default: 0] += isForward ? count : -count
            }
        }
        return sides
    }

    private mutating func compareSegments(_ one: FlatScene, _ other: FlatScene, _ welder: inout VertexWelder) {
        func counts(_ scene: FlatScene, _ welder: inout VertexWelder) -> [[Int]: Int] {
            var counts: [[Int]: Int] = [:]
            for segment in scene.segments {
                counts[segment.ends.map { welder.number(of: $0) }.sorted(), default: 0] += 1
            }
            return counts
        }
        let (left, right) = (counts(one, &welder), counts(other, &welder))
        if left != right {
            differences.append("lines: \(one.segments.count) and \(other.segments.count), not the same")
        }
    }

    // MARK: - The few

    /// Pairs equal things off; for lists so short that it may be done one by one.
    private mutating func match<Thing>(
        _ name: String, _ one: [Thing], _ other: [Thing], _ matches: (Thing, Thing) -> Bool
    ) {
        var left = other
        var missing: [Thing] = []
        for thing in one {
            if let place = left.firstIndex(where: { matches(thing, $0) }) {
                left.remove(at: place)
            } else {
                missing.append(thing)
            }
        }
        for thing in missing { differences.append("\(name) only in the first: \(thing)") }
        for thing in left { differences.append("\(name) only in the second: \(thing)") }
    }
}

// MARK: - Values

private func near(_ one: [Double], _ other: [Double], _ tolerance: Double) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($0)) }
}

private func near(_ one: SIMD3<Double>?, _ other: SIMD3<Double>?, _ tolerance: Double) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (let one?, let other?): near([one.x, one.y, one.z], [other.x, other.y, other.z], tolerance)
    case (nil, _), (_, nil): false
    }
}

extension FlatLight {
    fileprivate func matches(_ other: FlatLight, tolerance: Double) -> Bool {
        kind == other.kind && near(color, other.color, 1e-4) && near(position, other.position, tolerance)
            && near(direction, other.direction, 1e-4) && near(numbers, other.numbers, 1e-4)
    }
}

extension FlatCamera {
    fileprivate func matches(_ other: FlatCamera, tolerance: Double) -> Bool {
        kind == other.kind && near(position, other.position, tolerance) && near(direction, other.direction, 1e-4)
            && near(up, other.up, 1e-4) && near(numbers, other.numbers, 1e-4)
    }
}

extension FlatSurface {
    /// To the digits that files hold.
    fileprivate var rounded: FlatSurface {
        FlatSurface(numbers: numbers.mapValues { $0.map { ($0 * 1e4).rounded() / 1e4 } }, words: words)
    }

    fileprivate var inWords: String {
        let numbers = numbers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return (words.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } + numbers).joined(separator: ", ")
    }
}

extension FlatVertex {
    fileprivate var words: String {
        "\(position.list) \(normal.list) \(attributes)"
    }
}

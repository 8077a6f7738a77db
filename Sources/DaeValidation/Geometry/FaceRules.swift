import DaeDiagnostics
import DaeMesh
import DaeScene

/// What is wrong with the faces of one primitive element. Strips and fans are left out: exporters join strips by
/// triangles without area.
struct FaceRules {
    private var probe = PolygonProbe()
    private var corners: [Int32] = []
    private var rings: [Range<Int>] = []
    private var found = Found()

    /// Faces after which the pages of a file with their numbers are given back.
    private static let facesInMemory = 1 << 16

    private struct Found {
        var faces = 0
        /// Of more than three corners, or with holes.
        var polygons = 0
        var flat = Tally()
        var concave = Tally()
        var nonPlanar = Tally()
        var crossing = Tally()
        var holed = Tally()
        var holeInvalid = Tally()

        var isInvalid: Bool {
            flat.count + concave.count + nonPlanar.count + crossing.count + holed.count + holeInvalid.count > 0
        }
    }

    /// - Parameters:
    ///   - positions: x y z after x y z.
    ///   - offset: Which of a corner's indices is that of its position.
    ///   - reach: Of the mesh's box.
    mutating func check(_ primitive: Mesh.Primitive, _ positions: Span<Double>, offset: Int, reach: Double) {
        found = Found()
        switch primitive.kind {
        case .triangles: checkTriangles(primitive, positions, offset, reach)
        case .polylist, .polygons: checkPolygons(primitive, positions, offset, reach)
        case .tristrips, .trifans, .lines, .linestrips: break
        }
    }

    private mutating func checkTriangles(
        _ primitive: Mesh.Primitive, _ positions: Span<Double>, _ offset: Int, _ reach: Double
    ) {
        let indices = primitive.indices.span
        let step = primitive.stride
        var at = offset
        var face = 0
        while at + 2 * step < indices.count {
            let (a, b, c) = (indices[at], indices[at + step], indices[at + 2 * step])
            if FlatTriangle.matches(a, b, c, positions, reach: reach) { found.flat.add(face) }
            at += 3 * step
            face += 1
            if face.isMultiple(of: Self.facesInMemory) { primitive.indices.giveBack() }
        }
        found.faces = face
    }

    private mutating func checkPolygons(
        _ primitive: Mesh.Primitive, _ positions: Span<Double>, _ offset: Int, _ reach: Double
    ) {
        let counts = primitive.cornerCounts
        var start = 0
        var ring = 0
        while ring < counts.count {
            let holes = found.faces < primitive.holeCounts.count ? max(0, Int(primitive.holeCounts[found.faces])) : 0
            let last = min(counts.count, ring + 1 + holes)
            guard load(primitive, counts[ring..<last], from: start, offset) else { return }
            if rings.count == 1, corners.count == 3 {
                if FlatTriangle.matches(corners[0], corners[1], corners[2], positions, reach: reach) {
                    found.flat.add(found.faces)
                }
            } else {
                let (corners, rings) = (corners, rings)
                add(probe.traits(of: corners.span, rings: rings.span, positions: positions, reach: reach))
            }
            found.faces += 1
            start += corners.count
            ring = last
            if found.faces.isMultiple(of: Self.facesInMemory) { primitive.indices.giveBack() }
        }
    }

    /// Takes a polygon's corners; says no where there are fewer than are counted.
    private mutating func load(
        _ primitive: Mesh.Primitive, _ counts: Slice<NumberArray<Int32>>, from start: Int, _ offset: Int
    ) -> Bool {
        corners.removeAll(keepingCapacity: true)
        rings.removeAll(keepingCapacity: true)
        let indices = primitive.indices.span
        let step = primitive.stride
        let available = primitive.corners - start
        for count in counts {
            let first = corners.count
            guard count >= 0, Int(count) <= available - first else { return false }
            for corner in start + first..<start + first + Int(count) { corners.append(indices[corner * step + offset]) }
            rings.append(first..<corners.count)
        }
        return true
    }

    private mutating func add(_ traits: PolygonProbe.Traits) {
        let face = found.faces
        found.polygons += 1
        if rings.count > 1 { found.holed.add(face) }
        if traits.contains(.holeInvalid) { found.holeInvalid.add(face) }
        if traits.contains(.concave) { found.concave.add(face) }
        if traits.contains(.nonPlanar) { found.nonPlanar.add(face) }
        if traits.contains(.selfIntersecting) { found.crossing.add(face) }
        if traits.contains(.degenerate), !hasRepeat { found.flat.add(face) }
    }

    /// Which is known by its indices.
    private var hasRepeat: Bool {
        corners.indices.contains { corners[$0] == corners[$0 == 0 ? corners.count - 1 : $0 - 1] }
    }

    // MARK: - Telling

    func report(of kind: Mesh.Primitive.Kind, at place: @autoclosure () -> Place, _ log: inout FindingLog) {
        guard found.isInvalid else { return }
        let polygons = "of \(found.polygons) polygons of <\(kind.rawValue)>"
        report(
            found.flat, .triangleDegenerate, at: place(),
            "of \(found.faces) faces of <\(kind.rawValue)> have no area, though their corners differ;", &log)
        report(found.concave, .polygonConcave, at: place(), "\(polygons) are concave;", &log)
        report(
            found.nonPlanar, .polygonNonPlanar, at: place(),
            "of \(found.polygons) polygons of <\(kind.rawValue)> with more than three corners are not flat, by more than 1/10000 of their size;",
            &log)
        report(found.crossing, .polygonSelfIntersecting, at: place(), "\(polygons) have sides that cross;", &log)
        report(found.holed, .polygonHoles, at: place(), "\(polygons) have holes;", &log)
        report(
            found.holeInvalid, .polygonHoleInvalid, at: place(),
            "of \(found.holed.count) polygons with holes have one that lies outside, crosses a side, overlaps or has no area;",
            &log)
    }

    private func report(
        _ tally: Tally, _ code: FindingCode, at place: @autoclosure () -> Place, _ what: @autoclosure () -> String,
        _ log: inout FindingLog
    ) {
        guard tally.count > 0 else { return }
        log.add(
            code, at: place(), "\(tally.count) \(what()) the first is face \(tally.first)",
            arguments: [
                .init("count", "\(tally.count)"), .init("faces", "\(found.faces)"), .init("first", "\(tally.first)"),
            ])
    }
}

/// Tells triangles whose corners differ and that have no area all the same.
enum FlatTriangle {
    /// Whether the height on the longest side is no more than a `Float` can tell from 0; not of corners that are
    /// repeated or have no finite position.
    ///
    /// - Parameters:
    ///   - positions: x y z after x y z.
    ///   - reach: Of the mesh's box.
    @inline(__always)
    static func matches(
        _ a: Int32, _ b: Int32, _ c: Int32, _ positions: Span<Double>, reach: Double
    ) -> Bool {
        let count = positions.count / 3
        guard a != b, b != c, c != a, a >= 0, b >= 0, c >= 0, Int(max(a, b, c)) < count else { return false }
        let (first, second, third) = (3 * Int(a), 3 * Int(b), 3 * Int(c))
        let (x, y, z) = (positions[first], positions[first + 1], positions[first + 2])
        let (ux, uy, uz) = (positions[second] - x, positions[second + 1] - y, positions[second + 2] - z)
        let (vx, vy, vz) = (positions[third] - x, positions[third + 1] - y, positions[third + 2] - z)
        let (wx, wy, wz) = (vx - ux, vy - uy, vz - uz)
        let (nx, ny, nz) = (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
        let longest = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz)
        let normal = nx * nx + ny * ny + nz * nz
        guard longest.isFinite, normal.isFinite else { return false }
        let noise = PolygonProbe.width * reach
        return normal <= noise * noise * longest
    }
}

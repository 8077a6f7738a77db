import ColladaParser
import Diagnostics
import SceneModel

/// How a mesh uses its positions.
enum PositionRules {
    static func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        // The target of a morph needs no primitive.
        let isDrawn = unit.mesh.primitives.contains { !$0.indices.isEmpty }
        guard isDrawn else { return }
        checkBounds(unit, &log)
        let readers = unit.mesh.primitives.compactMap { primitive in
            primitive.positionInput(in: unit.mesh.streams).map { (primitive, $0) }
        }
        guard let stream = readers.first?.1.stream, readers.allSatisfy({ $0.1.stream == stream }) else { return }
        let positions = unit.mesh.streams[stream]
        var marks = IndexMarks(count: positions.count)
        for (primitive, input) in readers { marks.mark(primitive, offset: input.offset) }
        let used = marks.used
        checkUse(of: marks, used, unit, &log)
        let isOfFaces = readers.allSatisfy { $0.0.kind.isOfSingleFaces }
        if isOfFaces { checkSharing(of: positions, marks, used, unit, &log) }
    }

    private static func checkUse(
        of marks: IndexMarks, _ used: Int, _ unit: GeometryUnit, _ log: inout FindingLog
    ) {
        let unused = marks.count - used
        guard unused > 0, used > 0 else { return }
        log.add(
            .meshVerticesUnused, at: unit.place,
            "\(unused) of \(marks.count) positions are used by no primitive",
            arguments: [.init("unused", "\(unused)"), .init("positions", "\(marks.count)")])
    }

    // MARK: - Bounds

    private static func checkBounds(_ unit: GeometryUnit, _ log: inout FindingLog) {
        guard let bounds = unit.measure.bounds else { return }
        let hasFaces = unit.measure.triangles > 0
        guard hasFaces || unit.measure.lines > 0 else { return }
        let size = bounds.size
        let noise =
            PolygonProbe.width
            * max(bounds.max.x, bounds.max.y, bounds.max.z, -bounds.min.x, -bounds.min.y, -bounds.min.z)
        let empty = [("x", size.x), ("y", size.y), ("z", size.z)].filter { $0.1 <= noise }.map(\.0)
        guard empty.count >= (hasFaces ? 2 : 3) else { return }
        log.add(
            .meshBoundsDegenerate, at: unit.place,
            "the mesh is \(empty.count == 3 ? "a point" : "a line"): it has no extent along \(empty.joined(separator: ", "))",
            arguments: [.init("axes", empty.joined(separator: " "))])
    }

    // MARK: - Sharing

    /// Corners from which it counts: fewer cost nothing.
    static let fewestCorners = 300
    /// Of the corners, how many have a position of their own, at least.
    static let ownShare = 0.95
    /// Of the corners' positions, how many different ones there are at most where sharing pays.
    static let largestShare = 0.75

    private static func checkSharing(
        of positions: Mesh.Stream, _ marks: IndexMarks, _ used: Int, _ unit: GeometryUnit, _ log: inout FindingLog
    ) {
        guard marks.corners >= fewestCorners, Double(used) >= ownShare * Double(marks.corners) else { return }
        let share = DistinctShare.of(positions, marks)
        guard share <= largestShare else { return }
        let percent = Int((share * 100).rounded())
        log.add(
            .perfUnindexed, at: unit.place,
            "\(used) of \(marks.corners) corners have a position of their own, though only some \(percent) % of the positions differ",
            arguments: [
                .init("count", "\(used)"), .init("corners", "\(marks.corners)"),
                .init("distinctPercent", "\(percent)"),
            ])
    }
}

extension Mesh.Primitive.Kind {
    /// Whether each corner is one face's only.
    fileprivate var isOfSingleFaces: Bool {
        switch self {
        case .triangles, .polylist, .polygons: true
        case .tristrips, .trifans, .lines, .linestrips: false
        }
    }
}

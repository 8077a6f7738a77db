import DaeCollada
import DaeDiagnostics
import DaeMesh
import DaeScene

/// How a mesh uses its positions.
enum PositionRules {
    static func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        // The target of a morph needs no primitive.
        guard isDrawn(unit.mesh) else { return }
        checkBounds(unit, &log)
        guard let readers = Readers(in: unit.mesh) else { return }
        let used = readers.marks.used
        checkUse(of: readers.marks, used, unit, &log)
        if readers.areOfSingleFaces { checkSharing(of: readers.stream, readers.marks, used, unit, &log) }
    }

    private static func isDrawn(_ mesh: Mesh) -> Bool {
        for index in mesh.primitives.indices where !mesh.primitives[index].indices.isEmpty { return true }
        return false
    }

    /// The primitives that read positions, together.
    private struct Readers {
        let stream: Int
        private(set) var marks: IndexMarks
        /// Whether each corner is one face's only.
        private(set) var areOfSingleFaces = true

        /// `nil` where there are none, or they read several streams.
        init?(in mesh: Mesh) {
            var stream: Int?
            for index in mesh.primitives.indices {
                guard let input = mesh.primitives[index].positionInput(in: mesh.streams) else { continue }
                guard stream == nil || stream == input.stream else { return nil }
                stream = input.stream
            }
            guard let stream else { return nil }
            self.stream = stream
            marks = IndexMarks(count: mesh.streams[stream].count)
            for index in mesh.primitives.indices {
                guard let input = mesh.primitives[index].positionInput(in: mesh.streams) else { continue }
                // By index: a primitive taken out of its list would be copied.
                marks.mark(
                    mesh.primitives[index].indices, offset: input.offset, step: mesh.primitives[index].stride)
                if !mesh.primitives[index].kind.isOfSingleFaces { areOfSingleFaces = false }
            }
        }
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
        let noise = PolygonProbe.width * bounds.reach
        let count = (size.x <= noise ? 1 : 0) + (size.y <= noise ? 1 : 0) + (size.z <= noise ? 1 : 0)
        guard count >= (hasFaces ? 2 : 3) else { return }
        let empty = [("x", size.x), ("y", size.y), ("z", size.z)].filter { $0.1 <= noise }.map(\.0)
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
        of positions: Int, _ marks: IndexMarks, _ used: Int, _ unit: GeometryUnit, _ log: inout FindingLog
    ) {
        guard marks.corners >= fewestCorners, Double(used) >= ownShare * Double(marks.corners) else { return }
        let share = DistinctShare.of(unit.mesh.streams[positions], marks)
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

import ColladaParser
import Diagnostics
import SceneModel

/// Finds meshes of the same numbers; of each only a hash and its place are kept.
struct DuplicateGeometries {
    private struct First {
        let name: String
        let place: Place
    }

    private var known: [ContentHash: First] = [:]
    /// Geometries remembered at most: a document that has more is not for people to mend.
    private static let most = 1 << 16

    mutating func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        guard unit.measure.triangles > 0 || unit.measure.lines > 0 else { return }
        let hash = ContentHash(of: unit.mesh)
        let name = unit.id ?? "without an id"
        guard let first = known[hash] else {
            if known.count < Self.most { known[hash] = First(name: name, place: unit.place) }
            return
        }
        log.add(
            .perfDuplicateGeometry, at: unit.place,
            "the geometry \(name.prefix(200).debugDescription) has the same numbers as \(first.name.prefix(200).debugDescription); one could be instanced twice",
            arguments: [.init("geometry", name), .init("first", first.name)], related: [first.place])
    }
}

extension ContentHash {
    /// Of all that a mesh shows, whatever its sources and materials are called.
    fileprivate init(of mesh: Mesh) {
        for stream in mesh.streams {
            add(stream.semantic.name)
            add(stream.offset)
            add(stream.stride)
            add(stream.count)
            for lane in stream.lanes { add(lane) }
            add(stream.values)
        }
        for primitive in mesh.primitives {
            add(primitive.kind.rawValue)
            add(primitive.stride)
            for input in primitive.inputs {
                add(input.stream)
                add(input.offset)
                add(input.set ?? -1)
            }
            add(primitive.indices)
            add(primitive.cornerCounts)
            add(primitive.holeCounts)
        }
    }
}

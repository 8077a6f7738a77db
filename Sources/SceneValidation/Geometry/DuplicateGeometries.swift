import ColladaParser
import Diagnostics
import SceneModel

/// Finds meshes of the same numbers; of each only a hash and its place are kept.
struct DuplicateGeometries {
    private struct First {
        let name: String
        let spot: GeometrySpot
    }

    private var firsts: [First] = []
    /// Into ``firsts``, which are too large to be moved each time that this grows.
    private var known: [ContentHash: Int32] = [:]
    /// Geometries remembered at most: a document that has more is not for people to mend.
    private static let most = 1 << 16

    mutating func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        guard unit.measure.triangles > 0 || unit.measure.lines > 0 else { return }
        let hash = ContentHash(of: unit.mesh)
        let name = unit.id ?? "without an id"
        guard let place = known[hash] else {
            guard firsts.count < Self.most else { return }
            known[hash] = Int32(truncatingIfNeeded: firsts.count)
            firsts.append(First(name: name, spot: unit.spot(after: firsts.last?.spot)))
            return
        }
        let first = firsts[Int(place)]
        log.add(
            .perfDuplicateGeometry, at: unit.place,
            "the geometry \(name.quoted()) has the same numbers as \(first.name.quoted()); one could be instanced twice",
            arguments: [.init("geometry", name), .init("first", first.name)], related: [first.spot.place])
    }
}

extension ContentHash {
    /// Of all that a mesh shows, whatever its sources and materials are called.
    fileprivate init(of mesh: Mesh) {
        // By index: what is taken out of its list would be copied.
        for index in mesh.streams.indices {
            add(mesh.streams[index].semantic)
            add(mesh.streams[index].offset)
            add(mesh.streams[index].stride)
            add(mesh.streams[index].count)
            for lane in mesh.streams[index].lanes { add(lane) }
            add(mesh.streams[index].values)
        }
        for index in mesh.primitives.indices {
            add(mesh.primitives[index].kind.rawValue)
            add(mesh.primitives[index].stride)
            for input in mesh.primitives[index].inputs {
                add(input.stream)
                add(input.offset)
                add(input.set ?? -1)
            }
            add(mesh.primitives[index].indices)
            add(mesh.primitives[index].cornerCounts)
            add(mesh.primitives[index].holeCounts)
        }
    }

    private mutating func add(_ semantic: Mesh.Semantic) {
        switch semantic {
        case .position: add(0)
        case .normal: add(1)
        case .texcoord: add(2)
        case .color: add(3)
        case .tangent: add(4)
        case .binormal: add(5)
        case .textangent: add(6)
        case .texbinormal: add(7)
        case .custom(let name):
            add(8)
            add(name)
        }
    }
}

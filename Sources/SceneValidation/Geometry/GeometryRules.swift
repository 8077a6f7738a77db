import ColladaParser
import Diagnostics
import SceneModel

/// The rules over one geometry; keeps its room, and a hash of each geometry it saw.
struct GeometryRules {
    private var faces = FaceRules()
    private var duplicates = DuplicateGeometries()

    mutating func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        let mesh = unit.mesh
        let reach = unit.measure.bounds?.reach ?? 0
        var positions = MeshPositions(mesh)
        for index in mesh.primitives.indices {
            // By index: what is taken out of its list would be copied.
            if let input = mesh.primitives[index].positionInput(in: mesh.streams) {
                let values = positions.values(of: input.stream)
                faces.check(mesh.primitives[index], values.span, offset: input.offset, reach: reach)
                faces.tell(of: mesh.primitives[index].kind, at: unit.place(ofPrimitive: index), &log)
            }
            TangentRules.check(mesh.primitives[index], of: mesh, at: unit.place(ofPrimitive: index), &log)
        }
        NormalRules.check(unit, &log)
        VertexColorRules.check(unit, &log)
        PositionRules.check(unit, &log)
        duplicates.check(unit, &log)
    }
}

extension Bounds {
    /// What the noise of a mesh's numbers is a share of: how far they are from one another where the mesh stands far from
    /// the origin, so that one in a map's coordinates is no point; what its numbers are rounded to there is noise in any
    /// case.
    var reach: Double {
        let largest = Swift.max(max.x, max.y, max.z, -min.x, -min.y, -min.z)
        let size = Swift.max(max.x - min.x, max.y - min.y, max.z - min.z)
        return Swift.max(Swift.min(largest, size), largest * 0x1p-26)
    }
}

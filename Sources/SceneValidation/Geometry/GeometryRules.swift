import ColladaParser
import Diagnostics
import SceneModel

/// The rules over one geometry; keeps its room, and a hash of each geometry it saw.
struct GeometryRules {
    private var faces = FaceRules()
    private var duplicates = DuplicateGeometries()

    mutating func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        let mesh = unit.mesh
        let largest = unit.measure.bounds.map { max($0.min.largestPart, $0.max.largestPart) } ?? 0
        var positions = MeshPositions(mesh)
        for index in mesh.primitives.indices {
            // By index: what is taken out of its list would be copied.
            if let input = mesh.primitives[index].positionInput(in: mesh.streams) {
                let values = positions.values(of: input.stream)
                faces.check(mesh.primitives[index], values.span, offset: input.offset, largest: largest)
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

extension SIMD3<Double> {
    fileprivate var largestPart: Double { Swift.max(abs(x), abs(y), abs(z)) }
}

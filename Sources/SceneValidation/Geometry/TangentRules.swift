import Diagnostics
import SceneModel

/// What inputs of a primitive are worth without others.
enum TangentRules {
    static func check(
        _ primitive: Mesh.Primitive, of mesh: Mesh, at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        guard !primitive.indices.isEmpty else { return }
        var first: Mesh.Semantic?
        for input in primitive.inputs {
            switch mesh.streams[input.stream].semantic {
            case .normal: return
            case .tangent, .binormal, .textangent, .texbinormal: first = first ?? mesh.streams[input.stream].semantic
            case .position, .texcoord, .color, .custom: break
            }
        }
        guard let tangent = first else { return }
        log.add(
            .tangentWithoutNormal, at: place(),
            "<\(primitive.kind.rawValue)> has \(tangent.name) and no NORMAL, which it is laid out around",
            arguments: [.init("semantic", tangent.name)])
    }
}

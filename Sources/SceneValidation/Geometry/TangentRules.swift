import Diagnostics
import SceneModel

/// What inputs of a primitive are worth without others.
enum TangentRules {
    static func check(
        _ primitive: Mesh.Primitive, of mesh: Mesh, at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        let semantics = primitive.inputs.lazy.map { mesh.streams[$0.stream].semantic }
        guard !primitive.indices.isEmpty, !semantics.contains(.normal), let tangent = semantics.first(where: isTangent)
        else { return }
        log.add(
            .tangentWithoutNormal, at: place(),
            "<\(primitive.kind.rawValue)> has \(tangent.name) and no NORMAL, which it is laid out around",
            arguments: [.init("semantic", tangent.name)])
    }

    private static func isTangent(_ semantic: Mesh.Semantic) -> Bool {
        switch semantic {
        case .tangent, .binormal, .textangent, .texbinormal: true
        case .position, .normal, .texcoord, .color, .custom: false
        }
    }
}

// A target is drawn by the indices of its base, but its normals hang on its own corners: they can be had where both have
// the same corners in the same order.

import SceneModel

/// The normals of one morph target, corner by corner.
struct TargetNormals {
    private let reader: StreamReader
    private let indices: [Int32]
    private let stride: Int
    private let offset: Int

    /// - Parameter primitive: Of the base.
    /// - Returns: None unless every target has them.
    static func all(of targets: [Mesh?], like primitive: Mesh.Primitive) -> [TargetNormals] {
        var list: [TargetNormals] = []
        for target in targets {
            guard let target, let normals = TargetNormals(of: target, like: primitive) else { return [] }
            list.append(normals)
        }
        return list
    }

    private init?(of mesh: Mesh, like primitive: Mesh.Primitive) {
        let same = mesh.primitives.first { other in
            other.kind == primitive.kind && other.corners == primitive.corners
                && other.cornerCounts == primitive.cornerCounts && other.places(of: .position, in: mesh) != nil
                && other.material == primitive.material
        }
        guard let same, let input = same.places(of: .normal, in: mesh) else { return nil }
        reader = StreamReader(mesh.streams[input.stream])
        indices = same.indices
        stride = same.stride
        offset = input.offset
    }

    subscript(corner: Int32) -> SIMD3<Double> {
        let place = Int(corner) * stride + offset
        guard indices.indices.contains(place) else { return .zero }
        return reader[indices[place]].spatial
    }
}

extension Mesh.Primitive {
    fileprivate func places(of semantic: Mesh.Semantic, in mesh: Mesh) -> Input? {
        inputs.first { input in
            mesh.streams.indices.contains(input.stream) && input.offset < stride
                && mesh.streams[input.stream].semantic == semantic
        }
    }
}

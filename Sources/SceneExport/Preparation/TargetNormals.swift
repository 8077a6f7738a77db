// A target is drawn by the indices of its base, but its normals hang on its own corners: they can be had where both have
// the same corners in the same order.

import SceneModel

/// The normals of one morph target, corner by corner.
struct TargetNormals {
    private let reader: StreamReader
    private let indices: [Int32]
    private let stride: Int
    private let offset: Int

    /// Primitives of a target that are compared with one of the base at most.
    private static let searchLimit = 256

    /// - Parameter place: Of a primitive in the base.
    /// - Returns: None unless every target has them.
    static func all(of targets: [Mesh?], like place: Int, in base: Mesh) -> [TargetNormals] {
        var list: [TargetNormals] = []
        for target in targets {
            guard let target, let normals = TargetNormals(of: target, like: place, in: base) else { return [] }
            list.append(normals)
        }
        return list
    }

    private init?(of mesh: Mesh, like place: Int, in base: Mesh) {
        let primitive = base.primitives[place]
        let own = mesh.primitives.indices.contains(place) ? mesh.primitives[place] : nil
        let same =
            own.flatMap { primitive.hasCorners(of: $0, in: mesh, base: base) ? $0 : nil }
            ?? mesh.primitives.prefix(Self.searchLimit).first { primitive.hasCorners(of: $0, in: mesh, base: base) }
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
    /// Whether another one has the same positions in the same order: any other order would put normals elsewhere.
    fileprivate func hasCorners(of other: Self, in mesh: Mesh, base: Mesh) -> Bool {
        guard other.kind == kind, other.corners == corners, other.cornerCounts == cornerCounts,
            other.holeCounts == holeCounts, other.material == material,
            let place = places(of: .position, in: base), let otherPlace = other.places(of: .position, in: mesh)
        else { return false }
        return (0..<corners).allSatisfy {
            indices[$0 * stride + place.offset] == other.indices[$0 * other.stride + otherPlace.offset]
        }
    }

    fileprivate func places(of semantic: Mesh.Semantic, in mesh: Mesh) -> Input? {
        inputs.first { input in
            mesh.streams.indices.contains(input.stream) && input.offset < stride
                && mesh.streams[input.stream].semantic == semantic
        }
    }
}

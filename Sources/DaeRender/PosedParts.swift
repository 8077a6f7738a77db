import DaeMesh
import DaeScene

/// All that a drawing shows, each part where it stands.
struct PosedParts {
    struct Part {
        let part: DrawnPart
        /// Into the drawing's surfaces.
        let surface: Int?
        let toWorld: Matrix4
    }

    private(set) var parts: [Part] = []
    /// Of all that is drawn, in the world; `nil` for nothing.
    private(set) var box: Bounds?

    /// - Parameter morphNormals: Where a morph changes the shape and the document gives none.
    init(_ drawing: Drawing, morphNormals: DrawnPart.MorphNormals) {
        let pose = drawing.pose()
        for (index, instance) in drawing.instances.enumerated() {
            let mesh = drawing.meshes[instance.mesh]
            let isMoved =
                !mesh.parts.allSatisfy(\.targets.isEmpty) || !pose.joints[index].isEmpty
                || pose.weights[index].contains { $0 != 0 }
            for (part, surface) in zip(mesh.parts, instance.surfaces) {
                // What stands as it is shares its numbers with the drawing.
                if isMoved {
                    add(part.posed(pose, instance: index, morphNormals: morphNormals), surface, .identity)
                } else {
                    add(part, surface, pose.transforms[index])
                }
            }
        }
    }

    private mutating func add(_ part: DrawnPart, _ surface: Int?, _ toWorld: Matrix4) {
        parts.append(Part(part: part, surface: surface, toWorld: toWorld))
        for vertex in 0..<part.vertexCount {
            let point = toWorld.homogeneous(part.positions.triple(vertex)).xyz
            guard point.isFinite, abs(point).max() < 1e30 else { continue }
            if box == nil { box = Bounds(point) } else { box?.formUnion(point) }
        }
    }
}

private func abs(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(Swift.abs(vector.x), Swift.abs(vector.y), Swift.abs(vector.z))
}

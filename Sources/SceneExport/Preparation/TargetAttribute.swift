// A target is drawn by the indices of its base, but all that it has beside positions hangs on its own corners: that can be
// had where both have the same corners in the same order.

import SceneModel

/// One shape that a mesh is blended with.
struct ShapeTarget {
    /// `nil` where there is none.
    let mesh: Mesh?
    /// Whether it is a whole shape or a difference.
    let method: Morph.Method
}

/// What one attribute of a vertex becomes in each target.
struct TargetAttribute {
    let attribute: VertexLayout.Attribute
    /// One a target; `nil` for one that has the base's own.
    let values: [TargetValues?]

    /// Words of a record.
    var width: Int { values.count * Self.width(of: attribute.kind) }

    /// Tangents are seen against normals, and have no place here.
    private static func width(of kind: VertexLayout.Attribute.Kind) -> Int {
        switch kind {
        case .position, .tangent: 0
        case .normal, .texcoord, .color: kind.width
        }
    }

    /// Targets that have colours or texture coordinates as the base does, and other corners.
    static func withoutTwin(
        _ layout: VertexLayout, of targets: [ShapeTarget], like place: Int, in base: Mesh
    ) -> Int {
        let semantics = layout.attributes.compactMap { attribute -> Mesh.Semantic? in
            switch attribute.kind {
            case .texcoord, .color: base.streams[attribute.source].semantic
            case .position, .normal, .tangent: nil
            }
        }
        guard !semantics.isEmpty else { return 0 }
        return targets.count { target in
            guard let mesh = target.mesh, Twin(of: base.primitives[place], place, in: base, mesh) == nil else {
                return false
            }
            return mesh.primitives.contains { primitive in
                semantics.contains { primitive.places(of: $0, in: mesh) != nil }
            }
        }
    }

    /// The attributes of a primitive that targets change.
    static func all(
        _ layout: VertexLayout, of targets: [ShapeTarget], like place: Int, in base: Mesh
    ) -> [TargetAttribute] {
        guard !targets.isEmpty else { return [] }
        let twins = targets.map { target in
            target.mesh.flatMap { Twin(of: base.primitives[place], place, in: base, $0) }
        }
        return layout.attributes.compactMap { attribute in
            guard width(of: attribute.kind) > 0 else { return nil }
            let values = zip(twins, targets).map { twin, target in
                twin.flatMap { TargetValues(attribute, of: base.primitives[place], in: base, $0, target.method) }
            }
            switch attribute.kind {
            // A normal that stays while its surface turns would be wrong.
            case .normal: if values.contains(where: { $0 == nil }) { return nil }
            case .texcoord, .color, .position, .tangent:
                if values.allSatisfy({ $0.map(\.isBase) ?? true }) { return nil }
            }
            return TargetAttribute(attribute: attribute, values: values)
        }
    }

    /// A primitive of a target with the corners of one of the base.
    struct Twin {
        let mesh: Mesh
        let primitive: Mesh.Primitive

        /// Primitives of a target that are compared with one of the base at most.
        private static let searchLimit = 256

        init?(of primitive: Mesh.Primitive, _ place: Int, in base: Mesh, _ mesh: Mesh) {
            let own = mesh.primitives.indices.contains(place) ? mesh.primitives[place] : nil
            let same =
                own.flatMap { primitive.hasCorners(of: $0, in: mesh, base: base) ? $0 : nil }
                ?? mesh.primitives.prefix(Self.searchLimit).first {
                    primitive.hasCorners(of: $0, in: mesh, base: base)
                }
            guard let same else { return nil }
            (self.mesh, self.primitive) = (mesh, same)
        }
    }
}

/// One attribute of a target, corner by corner.
struct TargetValues {
    let method: Morph.Method
    /// Whether all corners have what those of the base have.
    let isBase: Bool  // a finding about the numbers
    private let reader: StreamReader
    private let indices: [Int32]
    private let stride: Int
    private let offset: Int

    /// - Returns: `nil` where the target has no such attribute.
    fileprivate init?(
        _ attribute: VertexLayout.Attribute, of primitive: Mesh.Primitive, in base: Mesh,
        _ twin: TargetAttribute.Twin, _ method: Morph.Method
    ) {
        let semantic = base.streams[attribute.source].semantic
        let set = primitive.inputs.first { $0.stream == attribute.source && $0.offset == attribute.offset }?.set
        let found = twin.primitive.inputs.filter {
            twin.mesh.streams.indices.contains($0.stream) && $0.offset < twin.primitive.stride
                && twin.mesh.streams[$0.stream].semantic == semantic
        }
        guard let input = found.first(where: { $0.set == set }) ?? (found.count == 1 ? found.first : nil) else {
            return nil
        }
        reader = StreamReader(twin.mesh.streams[input.stream])
        indices = twin.primitive.indices
        stride = twin.primitive.stride
        offset = input.offset
        self.method = method
        let own = StreamReader(base.streams[attribute.source])
        let (reader, indices, stride, offset) = (reader, indices, stride, offset)
        isBase = (0..<min(primitive.corners, twin.primitive.corners)).allSatisfy { corner in
            let element = reader[indices[corner * stride + offset]]
            let other = own[primitive.indices[corner * primitive.stride + attribute.offset]]
            switch method {
            case .normalized: return element == other
            case .relative: return element.x == 0 && element.y == 0 && element.z == 0
            }
        }
    }

    subscript(corner: Int32) -> SIMD4<Double> {
        let place = Int(corner) * stride + offset
        return indices.indices.contains(place) ? reader[indices[place]] : StreamReader.missing
    }
}

extension Mesh.Primitive {
    /// Whether another one has the same positions in the same order: any other order would put values elsewhere.
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

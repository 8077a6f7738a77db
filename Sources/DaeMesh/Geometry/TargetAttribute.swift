// A target is drawn by the indices of its base, but all that it has beside positions hangs on its own corners: that can be
// had where both have the same corners in the same order.

import DaeScene

/// One shape that a mesh is blended with.
struct ShapeTarget {
    /// `nil` where there is none.
    let geometry: SceneIndex<Geometry>?
    /// That geometry's; `nil` where it has none.
    let mesh: Mesh?
    /// Whether it is a whole shape or a difference.
    let method: Morph.Method

    /// What is equal for targets that do the same.
    struct Key: Hashable {
        let geometry: SceneIndex<Geometry>
        let method: Morph.Method
    }
    var key: Key? { geometry.map { Key(geometry: $0, method: method) } }
}

/// What one attribute of a vertex becomes in each target.
struct TargetAttribute {
    let attribute: VertexLayout.Attribute
    /// One a target; `nil` for one that has the base's own.
    let values: [TargetValues?]

    /// Words of a record.
    var width: Int { values.count * Self.width(of: attribute.kind) }

    /// Tangents are seen against normals, and have no place here.
    private static func width(of kind: VertexAttribute) -> Int {
        switch kind {
        case .position, .tangent: 0
        case .normal, .texcoord, .color: kind.width
        }
    }

    /// Targets that have colours or texture coordinates as the base does, and other corners.
    ///
    /// - Parameter twins: As ``TargetTwins`` found them.
    static func withoutTwin(
        _ layout: VertexLayout, of targets: [ShapeTarget], _ twins: [Mesh.Primitive?], in base: Mesh
    ) -> Int {
        let semantics = layout.attributes.compactMap { attribute -> Mesh.Semantic? in
            switch attribute.kind {
            case .texcoord, .color: base.streams[attribute.source].semantic
            case .position, .normal, .tangent: nil
            }
        }
        guard !semantics.isEmpty else { return 0 }
        // A geometry that is a target several times is looked at once.
        var known: [SceneIndex<Geometry>: Bool] = [:]
        return zip(targets, twins).count { target, twin in
            guard twin == nil, let mesh = target.mesh, let geometry = target.geometry else { return false }
            if let known = known[geometry] { return known }
            let hasSome = mesh.has(semantics)
            known[geometry] = hasSome
            return hasSome
        }
    }

    /// The attributes of a primitive that targets change.
    ///
    /// - Parameter twins: As ``TargetTwins`` found them.
    static func all(
        _ layout: VertexLayout, of targets: [ShapeTarget], _ twins: [Mesh.Primitive?], like place: Int, in base: Mesh
    ) -> [TargetAttribute] {
        guard !targets.isEmpty else { return [] }
        return layout.attributes.compactMap { attribute in
            guard width(of: attribute.kind) > 0 else { return nil }
            // A geometry that is a target several times has its values once.
            var known: [ShapeTarget.Key: TargetValues?] = [:]
            let values = zip(twins, targets).map { twin, target -> TargetValues? in
                guard let twin, let mesh = target.mesh, let key = target.key else { return nil }
                if let known = known[key] { return known }
                let values = TargetValues(attribute, of: base.primitives[place], in: base, twin, mesh, target.method)
                known[key] = .some(values)
                return values
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
}

/// Finds the primitives of targets that have the corners of one of the base.
///
/// Each geometry is compared with a primitive once, however many targets it is; where the primitives of both do not stand
/// in the same order, those of the geometry are told apart by a hash of their corners, made once.
struct TargetTwins {
    private struct Group: Hashable {
        let geometry: SceneIndex<Geometry>
        let kind: Mesh.Primitive.Kind
        let corners: Int
    }
    /// Of each group, the first primitive of each hash.
    private var groups: [Group: [Int: Int]] = [:]

    /// - Returns: One a target; `nil` for one that has no such primitive.
    mutating func primitives(
        of targets: [ShapeTarget], like place: Int, in base: Mesh, _ budget: ConversionBudget
    ) throws(SceneExportError) -> [Mesh.Primitive?] {
        let primitive = base.primitives[place]
        var hash: Int?
        var known: [SceneIndex<Geometry>: Mesh.Primitive?] = [:]
        var found: [Mesh.Primitive?] = []
        found.reserveCapacity(targets.count)
        for target in targets {
            guard let mesh = target.mesh, let geometry = target.geometry else {
                found.append(nil)
                continue
            }
            if let known = known[geometry] {
                found.append(known)
                continue
            }
            var twin = mesh.primitives.indices.contains(place) ? mesh.primitives[place] : nil
            if let other = twin, !primitive.hasCorners(of: other, in: mesh, base: base) { twin = nil }
            if twin == nil {
                let group = Group(geometry: geometry, kind: primitive.kind, corners: primitive.corners)
                if groups[group] == nil { groups[group] = try Self.hashes(of: group, in: mesh, budget) }
                if groups[group]?.isEmpty == false {
                    let own = hash ?? primitive.cornerHash(in: base)
                    hash = own
                    twin = groups[group]?[own].map { mesh.primitives[$0] }
                    if let other = twin, !primitive.hasCorners(of: other, in: mesh, base: base) { twin = nil }
                }
            }
            known[geometry] = .some(twin)
            found.append(twin)
        }
        return found
    }

    private static func hashes(
        of group: Group, in mesh: Mesh, _ budget: ConversionBudget
    ) throws(SceneExportError) -> [Int: Int] {
        let places = mesh.primitives.indices.filter { place in
            mesh.primitives[place].kind == group.kind && mesh.primitives[place].corners == group.corners
        }
        try budget.blend(corners: mesh.primitives.count + places.count * group.corners, targets: 1)
        var hashes: [Int: Int] = [:]
        for place in places {
            let hash = mesh.primitives[place].cornerHash(in: mesh)
            if hashes[hash] == nil { hashes[hash] = place }
        }
        return hashes
    }
}

/// One attribute of a target, corner by corner.
struct TargetValues {
    let method: Morph.Method
    /// Whether all corners have what those of the base have.
    let isBase: Bool  // a finding about the numbers
    private let reader: StreamReader
    private let indices: NumberArray<Int32>
    private let stride: Int
    private let offset: Int

    /// - Returns: `nil` where the target has no such attribute.
    fileprivate init?(
        _ attribute: VertexLayout.Attribute, of primitive: Mesh.Primitive, in base: Mesh,
        _ twin: Mesh.Primitive, _ mesh: Mesh, _ method: Morph.Method
    ) {
        let semantic = base.streams[attribute.source].semantic
        let set = primitive.inputs.first { $0.stream == attribute.source && $0.offset == attribute.offset }?.set
        let found = twin.inputs.filter {
            mesh.streams.indices.contains($0.stream) && $0.offset < twin.stride
                && mesh.streams[$0.stream].semantic == semantic
        }
        guard let input = found.first(where: { $0.set == set }) ?? (found.count == 1 ? found.first : nil) else {
            return nil
        }
        reader = StreamReader(mesh.streams[input.stream])
        indices = twin.indices
        stride = twin.stride
        offset = input.offset
        self.method = method
        let own = StreamReader(base.streams[attribute.source])
        let (reader, indices, stride, offset) = (reader, indices, stride, offset)
        isBase = (0..<min(primitive.corners, twin.corners)).allSatisfy { corner in
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
            let own = input(of: .position, in: base), let others = other.input(of: .position, in: mesh)
        else { return false }
        return (0..<corners).allSatisfy {
            indices[$0 * stride + own.offset] == other.indices[$0 * other.stride + others.offset]
        }
    }

    /// Equal for primitives that ``hasCorners(of:in:base:)`` takes for the same.
    fileprivate func cornerHash(in mesh: Mesh) -> Int {
        var hasher = Hasher()
        hasher.combine(material)
        hasher.combine(cornerCounts)
        hasher.combine(holeCounts)
        if let input = input(of: .position, in: mesh) {
            for corner in 0..<corners { hasher.combine(indices[corner * stride + input.offset]) }
        }
        return hasher.finalize()
    }
}

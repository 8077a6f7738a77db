import Daedalus

extension ColladaDocument {
    /// Bytes of all decoded number arrays: reals of eight bytes, indices of four.
    var arrayBytes: Int {
        var bytes = 0
        for geometry in geometries {
            switch geometry.kind {
            case .mesh(let mesh), .convexMesh(let mesh, hullOf: _):
                bytes += mesh.sources.map(\.arrayBytes).reduce(0, +)
                for primitive in mesh.primitives {
                    bytes += 4 * (primitive.indices.count + primitive.cornerCounts.count + primitive.holeCounts.count)
                }
            case .spline, .brep, .empty: break
            }
        }
        for controller in controllers {
            switch controller.kind {
            case .skin(let skin):
                bytes += skin.sources.map(\.arrayBytes).reduce(0, +)
                if let weights = skin.weights { bytes += 4 * (weights.influenceCounts.count + weights.indices.count) }
            case .morph(let morph): bytes += morph.sources.map(\.arrayBytes).reduce(0, +)
            case .empty: break
            }
        }
        for sampler in animations.flatMap(\.samplers) {
            guard let curve = sampler.curve else { continue }
            bytes += 8 * (curve.times.count + curve.values.count)
        }
        return bytes
    }

    /// Elements with an id.
    var idCount: Int {
        var count = geometries.count { $0.id != nil } + controllers.count { $0.id != nil }
        count += effects.count { $0.id != nil } + materials.count { $0.id != nil } + images.count { $0.id != nil }
        count += cameras.count { $0.camera.id != nil } + lights.count { $0.light.id != nil }
        count += nodes.count { $0.id != nil } + visualScenes.count { $0.id != nil }
        for animation in animations {
            count += (animation.id != nil ? 1 : 0) + animation.sources.count + animation.samplers.count
        }
        for geometry in geometries {
            if case .mesh(let mesh) = geometry.kind { count += 2 * mesh.sources.count + 1 }
        }
        return count
    }
}

extension ColladaDocument.Source {
    fileprivate var arrayBytes: Int {
        switch array {
        case .reals(let values): 8 * values.count
        case .names(let names), .idrefs(let names), .sidrefs(let names): names.map(\.utf8.count).reduce(0, +)
        case .none: 0
        }
    }
}

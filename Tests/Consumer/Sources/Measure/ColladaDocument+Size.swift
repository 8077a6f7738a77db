import Daedalus

extension ColladaDocument {
    /// Whole numbers in its meshes and skins, which are kept in four bytes each.
    var integers: Int {
        var count = 0
        for geometry in geometries {
            switch geometry.built {
            case .memory(let mesh):
                for primitive in mesh.primitives {
                    count += primitive.indices.count + primitive.cornerCounts.count + primitive.holeCounts.count
                }
            case .archive, .none: break
            }
        }
        for controller in controllers {
            switch controller.kind {
            case .skin(let skin):
                count += (skin.weights?.influenceCounts.count ?? 0) + (skin.weights?.indices.count ?? 0)
            case .morph, .empty: break
            }
        }
        return count
    }
}

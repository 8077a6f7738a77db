import DaeScene

extension Scene {
    /// Whole numbers in its meshes and skins, which are kept in four bytes each.
    var integers: Int {
        var count = 0
        for mesh in geometries.compactMap(\.mesh) {
            for primitive in mesh.primitives {
                count += primitive.indices.count + primitive.cornerCounts.count + primitive.holeCounts.count
            }
        }
        for controller in controllers {
            switch controller.kind {
            case .skin(let skin): count += skin.influences.counts.count + skin.influences.indices.count
            case .morph, nil: break
            }
        }
        return count
    }
}

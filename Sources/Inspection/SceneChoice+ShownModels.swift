import Archive
import BundleManifest
import ColladaParser
import SceneModel

extension SceneChoice {
    /// The models that a manifest shows together, as they are put into one scene. The first one lies where the scene does.
    var shownModels: [ShownModel] {
        guard let origin = parts.first?.placement else { return [] }
        return parts.map { part in
            ShownModel(
                path: part.entry.path, bytes: part.entry.size, name: part.name,
                transforms: part.placement.transforms(from: origin))
        }
    }
}

extension KMLPlacement {
    /// Outermost first; none where the model stays as it is.
    fileprivate func transforms(from origin: KMLPlacement) -> [Transform] {
        let offset = offset(from: origin)
        var transforms: [Transform] = []
        if offset != [0, 0, 0] { transforms.append(.translate(offset)) }
        if heading != 0 { transforms.append(.rotate(axis: [0, 0, 1], degrees: -heading)) }
        if tilt != 0 { transforms.append(.rotate(axis: [1, 0, 0], degrees: -tilt)) }
        if roll != 0 { transforms.append(.rotate(axis: [0, 1, 0], degrees: -roll)) }
        if scale != [1, 1, 1] { transforms.append(.scale(scale)) }
        return transforms
    }
}

import Diagnostics
import SceneModel

extension DocumentReader {
    func decodeEffect(_ view: ElementView) -> ColladaDocument.Effect {
        var effect = ColladaDocument.Effect(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, shading: nil, textures: [],
            parameters: [:])
        readParameters(of: view, into: &effect)
        for profile in view.all(.profileCommon) {
            readParameters(of: profile, into: &effect)
            guard let technique = profile.first(.technique) else { continue }
            readParameters(of: technique, into: &effect)
            for child in technique.children {
                guard let shading = Shading(rawValue: child.name.rawValue) else { continue }
                effect.shading = effect.shading ?? shading
                effect.textures += child.children.flatMap { $0.all(.texture) }.compactMap { $0.attribute(.texture) }
            }
        }
        return effect
    }

    private func readParameters(of view: ElementView, into effect: inout ColladaDocument.Effect) {
        for parameter in view.all(.newparam) {
            guard let sid = parameter.attribute(.sid) else { continue }
            effect.parameters[sid] = decodeParameter(parameter)
        }
    }

    private func decodeParameter(_ view: ElementView) -> ColladaDocument.Effect.Parameter {
        if let surface = view.first(.surface) {
            let image = surface.children.first { $0.name == .initFrom }
            return .surface(image: image?.text ?? "")
        }
        guard let sampler = view.first(.sampler2D) ?? view.first(.samplerCube) else { return .other }
        if let instance = sampler.first(.instanceImage) {
            return .imageSampler(requiredReference(instance, .url))
        }
        return .sampler(surface: sampler.first(.source)?.text ?? "")
    }

    func decodeMaterial(_ view: ElementView) -> ColladaDocument.Material {
        ColladaDocument.Material(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            effect: view.first(.instanceEffect).map { requiredReference($0, .url) })
    }

    func decodeImage(_ view: ElementView) -> ColladaDocument.Image {
        var content = ImageContent.none
        // 1.5 puts what 1.4 has directly within into <init_from>, or into <create_2d> and its like.
        let holders = [view] + view.children.filter { [.create2d, .create3d, .createCube].contains($0.name) }
        for holder in holders {
            if case .none = content { content = imageContent(of: holder) }
        }
        if case .none = content {
            log.add(.imageEmptyURI, at: view.place, "<image> names no file")
        }
        return ColladaDocument.Image(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, content: content)
    }

    private func imageContent(of view: ElementView) -> ImageContent {
        if let data = view.first(.data) { return .embedded(format: data.attribute(.type)) }
        guard let initial = view.first(.initFrom) else {
            // 1.3 has the file in an attribute.
            return view.attribute(.source).map { .reference($0) } ?? .none
        }
        if let hex = initial.first(.hex) { return .embedded(format: hex.attribute(.type)) }
        let text = initial.first(.ref)?.text ?? initial.text
        return text.isEmpty ? .none : .reference(text)
    }
}

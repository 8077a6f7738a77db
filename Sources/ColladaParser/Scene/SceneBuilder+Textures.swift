// A texture names a sampler, the sampler a surface, the surface an image; 1.5 has no surface; exporters leave out a
// step or two.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    /// - Returns: `nil` where no image is meant (`init_as_null` and its like), or where the way to it ends too soon,
    ///   which is a fault.
    mutating func texture(
        _ texture: ColladaDocument.Technique.Texture, in scope: ParameterScope, _ faults: inout [EffectFault]
    ) -> Material.Texture? {
        var sampler = Material.Texture.Sampler()
        let image: Result<Int?, EffectFault>
        if let fault = EffectFault(passingOverTheHashOf: texture.sampler, in: scope) { faults.append(fault) }
        switch scope.value(texture.sampler) {
        case .sampler(let found):
            sampler = found.state
            image = self.image(of: found, in: scope, &faults)
        case .surface(let surface):
            let fault = fault(.textureSamplerUnresolved, texture.sampler, expected: "the sid of a sampler")
            image = options.repairs == .made ? self.image(of: surface, &faults) : .failure(fault)
            if case .success = image {
                faults.append(
                    .init(
                        .quirkTextureDirectSurface, texture.sampler,
                        "the texture \(texture.sampler.quoted()) is the sid of a surface, which was taken; expected that of a sampler"
                    ))
            }
        case .numbers, .alias, .other, nil:
            image = direct(
                texture.sampler,
                or: fault(.textureSamplerUnresolved, texture.sampler, expected: "the sid of a sampler"))
            if case .success = image {
                faults.append(
                    .init(
                        .textureDirectImage, texture.sampler,
                        "the texture \(texture.sampler.quoted()) is the id of an image; expected the sid of a sampler"))
            }
        }
        switch image {
        case .failure(let fault):
            faults.append(fault)
            return nil
        case .success(nil): return nil
        case .success(let index?):
            var made = Material.Texture(image: SceneIndex(index), texcoord: texture.texcoord, sampler: sampler)
            // Most have none, which say nothing.
            guard !texture.extras.isEmpty else { return made }
            let extras = TextureExtras(texture.extras)
            if extras.isCut { memory.reached.insert(.textureElements) }
            extras.apply(to: &made)
            return made
        }
    }

    private mutating func image(
        of sampler: ColladaDocument.Parameter.Sampler, in scope: ParameterScope, _ faults: inout [EffectFault]
    ) -> Result<Int?, EffectFault> {
        if let reference = sampler.image { return .success(image(at: reference)) }
        let sid = sampler.surface ?? ""
        if let fault = EffectFault(passingOverTheHashOf: sid, in: scope) { faults.append(fault) }
        if case .surface(let surface)? = scope.value(sid) { return image(of: surface, &faults) }
        let image = direct(sid, or: fault(.textureSurfaceUnresolved, sid, expected: "the sid of a surface"))
        if case .success = image {
            faults.append(
                .init(
                    .quirkSamplerDirectImage, sid,
                    "a sampler's \(sid.quoted()) is the id of an image, which was taken; expected the sid of a surface")
            )
        }
        return image
    }

    private func image(
        of surface: ColladaDocument.Parameter.Surface, _ faults: inout [EffectFault]
    ) -> Result<Int?, EffectFault> {
        guard let name = surface.images.first else { return .success(nil) }
        if case .image(let index)? = table.lookUp(name, where: { $0.element == "image" }) { return .success(index) }
        let image = direct(name, or: fault(.refUnresolved, name, expected: "the id of an image"))
        if case .success = image {
            faults.append(
                .init(.quirkIDHash, name, "a surface's image is written \(name.quoted()); its # was passed over"))
        }
        return image
    }

    /// What leads nowhere is told by the search itself, the first time.
    private mutating func image(at reference: ColladaDocument.Reference) -> Int? {
        if let known = memory.images[reference] { return known }
        var image: Int?
        switch find(reference, ["image"], severity: .error) {
        case .image(let index): image = index
        case .some(let other): tellWrongType(reference, other, expected: "image")
        case nil: break
        }
        memory.images[reference] = .some(image)
        return image
    }

    /// Some exporters write the image's id where a sid belongs.
    private func direct(_ text: String, or fault: EffectFault) -> Result<Int?, EffectFault> {
        guard options.repairs == .made else { return .failure(fault) }
        let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
        if case .image(let index)? = table.lookUp(id, where: { $0.element == "image" }) { return .success(index) }
        return .failure(fault)
    }

    private func fault(_ code: FindingCode, _ name: String, expected: String) -> EffectFault {
        .init(code, name, "\(name.quoted()) leads to nothing; expected \(expected)")
    }
}

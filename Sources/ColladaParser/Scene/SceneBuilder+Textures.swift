// A texture names a sampler, the sampler a surface, the surface an image; exporters leave out a step or two.

import Diagnostics
import XMLReader

extension SceneBuilder {
    /// Where the way from a texture to its image ends too soon.
    struct BrokenChain: Error {
        let code: FindingCode
        let name: String
        let expected: String
    }

    /// - Returns: The image; `nil` where none is meant (`init_as_null` and its like).
    func image(
        of texture: String, in parameter: (String) -> ColladaDocument.Parameter?
    ) -> Result<Int?, BrokenChain> {
        switch parameter(texture) {
        case .sampler(let sampler):
            if let image = sampler.image {
                guard let document = table.document(of: image) else {
                    return .failure(.init(code: .refExternalUnresolved, name: image.text, expected: "id of an image"))
                }
                return self.image(named: image.id, in: document)
            }
            let surface = sampler.surface ?? ""
            if case .surface(let surface)? = parameter(surface) { return image(in: surface) }
            return direct(
                surface, or: .init(code: .textureSurfaceUnresolved, name: surface, expected: "sid of a surface"))
        case .surface(let surface): return image(in: surface)
        case .numbers, .other, nil:
            return direct(
                texture, or: .init(code: .textureSamplerUnresolved, name: texture, expected: "sid of a sampler"))
        }
    }

    private func image(in surface: ColladaDocument.Parameter.Surface) -> Result<Int?, BrokenChain> {
        guard let name = surface.images.first, !name.isEmpty else { return .success(nil) }
        return image(named: name)
    }

    private func image(named id: String, in document: Int? = nil) -> Result<Int?, BrokenChain> {
        direct(id, in: document, or: .init(code: .refUnresolved, name: id, expected: "id of an image"))
    }

    /// Some exporters write the image's id where a sid belongs.
    private func direct(
        _ id: String, in document: Int? = nil, or fault: BrokenChain
    ) -> Result<Int?, BrokenChain> {
        if case .image(let index)? = table.lookUp(id, in: document, where: { $0.element == "image" }) {
            return .success(index)
        }
        return .failure(fault)
    }

    mutating func tell(_ fault: BrokenChain, of effect: ColladaDocument.Effect) {
        var place = Place(effect.common?.position ?? effect.position)
        place.elementID = effect.id
        log.add(
            fault.code, at: place,
            "\(fault.name.prefix(200).debugDescription) leads to nothing; expected the \(fault.expected)",
            arguments: [.init("reference", fault.name)])
    }
}

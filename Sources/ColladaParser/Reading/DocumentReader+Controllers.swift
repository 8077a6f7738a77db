import Diagnostics
import SceneModel

extension DocumentReader {
    func decodeController(_ view: ElementView) -> ColladaDocument.Controller {
        var controller = ColladaDocument.Controller(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, kind: .empty)
        if let skin = view.first(.skin) {
            let matrix = skin.first(.bindShapeMatrix).flatMap { numbers(in: $0, count: 16) }
            controller.kind = .skin(
                source: requiredReference(skin, .source), bindShape: matrix.flatMap { Matrix4(rows: $0) },
                joints: names(of: "JOINT", in: skin, inputs: skin.first(.joints)))
        } else if let morph = view.first(.morph) {
            controller.kind = .morph(
                source: requiredReference(morph, .source),
                targets: names(of: "MORPH_TARGET", in: morph, inputs: morph.first(.targets)))
        } else {
            log.add(.schemaMissingElement, at: view.place, "<controller> has neither <skin> nor <morph>")
        }
        return controller
    }

    /// The names in the source that the input of this semantic refers to.
    private func names(of semantic: String, in view: ElementView, inputs: ElementView?) -> [String] {
        guard let input = inputs?.all(.input).first(where: { $0.attribute(.semantic) == semantic }) else { return [] }
        let reference = input.attribute(.source) ?? ""
        let id = reference.hasPrefix("#") ? String(reference.dropFirst()) : reference
        for source in view.all(.source).lazy.map(self.decodeSource) where source.id == id {
            if case .names(let names) = source.array { return names }
        }
        log.add(
            .accessorNoSource, at: input.place,
            "the \(semantic) input's source \(reference.prefix(200).debugDescription) holds no names here")
        return []
    }
}

import Diagnostics
import SceneModel
import XMLReader

extension DocumentReader {
    func decodeController(_ view: ElementView) -> ColladaDocument.Controller {
        var controller = ColladaDocument.Controller(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, kind: .empty)
        if let skin = view.first(.skin) {
            controller.kind = .skin(decodeSkin(skin))
        } else if let morph = view.first(.morph) {
            controller.kind = .morph(decodeMorph(morph))
        } else {
            log.add(.schemaMissingElement, at: view.place, "<controller> has neither <skin> nor <morph>")
        }
        return controller
    }

    private func decodeSkin(_ view: ElementView) -> ColladaDocument.Skin {
        checkArrays(in: view)
        let matrix = view.first(.bindShapeMatrix).flatMap { numbers(in: $0, count: 16) }
        let skin = ColladaDocument.Skin(
            source: requiredReference(view, .source), bindShape: matrix.flatMap { Matrix4(rows: $0) },
            sources: kept(decodeSources(in: view)),
            joints: view.first(.joints)?.all(.input).map(decodeInput) ?? [],
            weights: view.first(.vertexWeights).map(decodeWeights))
        check(skin.joints + (skin.weights?.inputs ?? []), among: skin.sources)
        if skin.jointNames.isEmpty { tellMissing("JOINT", in: view.first(.joints) ?? view) }
        return skin
    }

    private func decodeWeights(_ view: ElementView) -> ColladaDocument.VertexWeights {
        let counts = view.first(.vcount)?.takeIntegers() ?? []
        let indices = view.first(.v)?.takeIntegers() ?? []
        let keeps = options.retention == .everything
        return ColladaDocument.VertexWeights(
            position: view.position, count: view.integer(.count), inputs: view.all(.input).map(decodeInput),
            influenceCounts: keeps ? counts : [], indices: keeps ? indices : [])
    }

    private func decodeMorph(_ view: ElementView) -> ColladaDocument.Morph {
        checkArrays(in: view)
        let morph = ColladaDocument.Morph(
            source: requiredReference(view, .source), method: method(of: view),
            sources: kept(decodeSources(in: view)),
            targets: view.first(.targets)?.all(.input).map(decodeInput) ?? [])
        check(morph.targets, among: morph.sources)
        if morph.targetNames.isEmpty { tellMissing("MORPH_TARGET", in: view.first(.targets) ?? view) }
        return morph
    }

    private func method(of view: ElementView) -> ColladaDocument.Morph.Method {
        guard let text = view.attribute(.method) else { return .normalized }
        if let method = ColladaDocument.Morph.Method(rawValue: text) { return method }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "the method is \(text.prefix(40).debugDescription); expected NORMALIZED or RELATIVE; read as NORMALIZED")
        return .normalized
    }

    private func check(_ inputs: [ColladaDocument.Input], among sources: [ColladaDocument.Source]) {
        let ids = Set(sources.compactMap(\.id))
        for input in inputs where !ids.contains(input.source.id) && !ids.contains(input.source.id.percentDecoded) {
            log.add(
                .accessorNoSource, at: Place(input.source.position),
                "the \(input.semantic) input's source \(input.source.text.prefix(200).debugDescription) is not here",
                arguments: [.init("reference", input.source.text)])
        }
    }

    private func tellMissing(_ semantic: String, in view: ElementView) {
        log.add(.accessorNoSource, at: view.place, "no source of names is given for \(semantic)")
    }

    /// Without their numbers when only figures are wanted; names are few and stay.
    func kept(_ sources: [ColladaDocument.Source]) -> [ColladaDocument.Source] {
        switch options.retention {
        case .everything: sources
        case .figures:
            sources.map { source in
                guard case .reals = source.array else { return source }
                var bare = source
                bare.array = .none
                return bare
            }
        }
    }
}

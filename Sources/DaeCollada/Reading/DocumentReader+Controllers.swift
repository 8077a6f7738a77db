import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

extension DocumentReader {
    mutating func decodeController(_ view: ElementView) -> ColladaDocument.Controller {
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

    // MARK: - Skins

    private mutating func decodeSkin(_ view: ElementView) -> ColladaDocument.Skin {
        checkArrays(in: view)
        let matrix = view.first(.bindShapeMatrix).flatMap { numbers(in: $0, count: 16) }
        var skin = ColladaDocument.Skin(
            source: requiredReference(view, .source), bindShape: matrix.flatMap { Matrix4(rows: $0) },
            sources: decodeSources(in: view), joints: view.first(.joints)?.all(.input).map { decodeInput($0) } ?? [],
            weights: view.first(.vertexWeights).map { decodeWeights($0) })
        check(skin.joints + (skin.weights?.inputs ?? []), among: skin.sources)
        skin.inverseBinds = SourceReader(skin.sources).matrices(of: skin.inverseBindInput) ?? []
        check(skin, view)
        if examiner != nil { examiner?.examine(SkinUnit(skin, element: view), &log.findings) }
        switch options.retention {
        case .everything: break
        case .figures:
            var influences = SkinInfluences(skin.weights, SourceReader(skin.sources))
            influences.counts = keptNumbers.keep(influences.counts)
            influences.indices = keptNumbers.keep(influences.indices)
            influences.weights = influences.weights.keepingNumbers { keptNumbers.keep($0) }
            skin.weights?.influences = influences
            skin.sources = kept(skin.sources)
            skin.weights?.influenceCounts = []
            skin.weights?.indices = []
        }
        return skin
    }

    private mutating func decodeWeights(_ view: ElementView) -> ColladaDocument.VertexWeights {
        let counts = view.first(.vcount)?.takeIntegers() ?? []
        return ColladaDocument.VertexWeights(
            position: view.position, count: integer(view, .count), inputs: view.all(.input).map { decodeInput($0) },
            vertices: counts.count, influenceCounts: counts, indices: view.first(.v)?.takeIntegers() ?? [])
    }

    private mutating func check(_ skin: ColladaDocument.Skin, _ view: ElementView) {
        if view.first(.bindShapeMatrix) == nil {
            log.add(.skinBindShapeMissing, at: view.place, "the skin has no <bind_shape_matrix>; the identity is used")
        }
        let reader = SourceReader(skin.sources)
        let joints = reader.words(of: skin.jointInput).words.count
        if joints == 0 {
            reportMissing("JOINT", skin.jointInput, skin.sources, in: view.first(.joints) ?? view)
        } else {
            check(skin.inverseBinds, joints: joints, at: (view.first(.joints) ?? view).place)
        }
        guard let weights = skin.weights, let element = view.first(.vertexWeights) else { return }
        var measure = InfluenceMeasure(weights, joints: joints)
        measure.run(reader.numbers(of: weights.input("WEIGHT")))
        measure.report(at: element.place, &log.findings)
    }

    private mutating func check(_ matrices: [Matrix4], joints: Int, at place: Place) {
        if matrices.count != joints {
            log.add(
                .skinInverseBindCount, at: place,
                "there are \(matrices.count) inverse bind matrices for \(joints) joints; the identity stands for one that is missing",
                arguments: [.init("matrices", "\(matrices.count)"), .init("joints", "\(joints)")])
        }
        let flat = matrices.indices.filter { matrices[$0].inverse == nil }
        guard let first = flat.first else { return }
        log.add(
            .skinInverseBindNonInvertible, at: place,
            "\(flat.count) inverse bind matrices have no inverse, the first is that of joint \(first)",
            arguments: [.init("matrices", "\(flat.count)"), .init("first", "\(first)")])
    }

    // MARK: - Morphs

    private mutating func decodeMorph(_ view: ElementView) -> ColladaDocument.Morph {
        checkArrays(in: view)
        var morph = ColladaDocument.Morph(
            source: requiredReference(view, .source), method: method(of: view), sources: decodeSources(in: view),
            targets: view.first(.targets)?.all(.input).map { decodeInput($0) } ?? [])
        check(morph.targets, among: morph.sources)
        let reader = SourceReader(morph.sources)
        let targets = reader.words(of: morph.input("MORPH_TARGET")).words.count
        let place = (view.first(.targets) ?? view).place
        if targets == 0 {
            reportMissing("MORPH_TARGET", morph.input("MORPH_TARGET"), morph.sources, in: view.first(.targets) ?? view)
        } else if let weights = reader.numbers(of: morph.input("MORPH_WEIGHT")) {
            check(weights, targets, morph.method, at: place)
            morph.weights = weights.keepingNumbers { keptNumbers.keep($0) }
        }
        morph.sources = kept(morph.sources)
        return morph
    }

    private mutating func check(_ weights: NumberList, _ targets: Int, _ method: Morph.Method, at place: Place) {
        if weights.count != targets {
            log.add(
                .morphWeightCountMismatch, at: place,
                "there are \(weights.count) weights for \(targets) targets; one that is missing is 0",
                arguments: [.init("weights", "\(weights.count)"), .init("targets", "\(targets)")])
        }
        let sum = (0..<weights.count).reduce(0) { $0 + weights[$1] }
        switch method {
        case .relative: break
        case .normalized:
            guard sum > 1 + InfluenceMeasure.tolerance else { return }
            log.add(
                .morphWeightRange, at: place,
                "the weights of a NORMALIZED morph sum up to \(sum); above 1 the base is turned inside out",
                arguments: [.init("sum", "\(sum)")])
        }
    }

    private mutating func method(of view: ElementView) -> Morph.Method {
        guard let text = view.attribute(.method) else { return .normalized }
        if let method = Morph.Method(rawValue: text) { return method }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "the method is \(text.quoted(40)); expected NORMALIZED or RELATIVE; read as NORMALIZED")
        return .normalized
    }

    // MARK: - Sources

    private mutating func check(_ inputs: [ColladaDocument.Input], among sources: [ColladaDocument.Source]) {
        let ids = Set(sources.compactMap(\.id))
        for input in inputs where !input.source.isLocal && ids.contains(input.source.withoutHash) {
            let text = input.source.text
            log.add(
                .refMissingHash, at: Place(input.source.position),
                "the source \(text.quoted()) lacks its #", arguments: [.init("reference", text)],
                fix: "write #\(text)")
        }
        for input in inputs where !input.source.isAbsent && !ids.contains(input.source.id) {
            guard !ids.contains(input.source.id.percentDecoded) else { continue }
            log.add(
                .accessorNoSource, at: Place(input.source.position),
                "the \(input.semantic) input's source \(input.source.text.quoted()) is not here",
                arguments: [.init("reference", input.source.text)])
        }
    }

    /// One that is there and has no elements is harmless.
    private mutating func reportMissing(
        _ semantic: String, _ input: ColladaDocument.Input?, _ sources: [ColladaDocument.Source], in view: ElementView
    ) {
        if let source = input.flatMap({ ColladaDocument.source(of: $0, in: sources) }), source.array.words != nil {
            return
        }
        log.add(.accessorNoSource, at: view.place, "no source of names is given for \(semantic)")
    }

    /// Without their numbers when only figures are wanted; names are few and stay.
    mutating func kept(_ sources: [ColladaDocument.Source]) -> [ColladaDocument.Source] {
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

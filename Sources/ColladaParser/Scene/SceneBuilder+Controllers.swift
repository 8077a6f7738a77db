// Skins and morphs, and the mesh at the end of each chain of them.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    mutating func addControllers() {
        guard !document.controllers.isEmpty else { return }
        let links = links()
        var known = KnownNames(shared)
        for (index, controller) in document.controllers.enumerated() {
            table.home = controller.position.document
            scene.controllers.append(
                Controller(
                    id: controller.id, name: controller.name, kind: nil, source: links[index].source,
                    base: links[index].base))
            switch controller.kind {
            case .skin(let skin):
                let joints = joined(skin.jointWords, of: controller) { known.isNode($0) }
                scene.controllers[index].kind = .skin(self.skin(skin, joints: joints))
                check(skin, index)
            case .morph(let morph):
                let names = joined(morph.targetWords, of: controller) { known.isGeometry($0) }
                scene.controllers[index].kind = .morph(self.morph(morph, targets: names, links, of: controller))
                checkTargets(of: index)
            case .empty: break
            }
        }
        checkChains()
    }

    // MARK: - Skins

    private func skin(_ skin: ColladaDocument.Skin, joints: [String]) -> Skin {
        var result = Skin(
            bindShape: skin.bindShape ?? .identity, joints: joints, inverseBinds: [], influences: .none)
        result.inverseBinds = joints.indices.map { joint in
            guard joint < skin.inverseBinds.count, skin.inverseBinds[joint].isFinite else { return .identity }
            return skin.inverseBinds[joint]
        }
        switch options.retention {
        case .everything: result.influences = SkinInfluences(skin.weights, SourceReader(skin.sources))
        case .figures: result.archivedInfluences = skin.weights?.archived
        }
        return result
    }

    private mutating func check(_ skin: ColladaDocument.Skin, _ index: Int) {
        guard let weights = skin.weights, let positions = positions(of: scene.controllers[index].base),
            weights.vertices != positions
        else { return }
        let place = Self.place(of: document.controllers[index])
        log.add(
            .skinVertexCountMismatch, at: place,
            "the skin has \(weights.vertices) vertices, its mesh \(positions)",
            arguments: [.init("vertices", "\(weights.vertices)"), .init("positions", "\(positions)")])
    }

    /// A skin below another one has no joints of its own: an instance names those of one skin.
    private mutating func checkChains() {
        // Each controller's mark is made once, from the one below it: chains may be long and shared.
        enum Below { case unknown, none, skin }
        var below = [Below](repeating: .unknown, count: scene.controllers.count)
        for start in below.indices where below[start] == .unknown {
            var chain: [Int] = []
            var next = Optional(start)
            var state = Below.none
            while let index = next {
                if below[index] != .unknown {
                    state = isSkin(index) ? .skin : below[index]
                    break
                }
                chain.append(index)
                // Cycles were cut at their last controller, so this ends.
                if case .controller(let source)? = scene.controllers[index].source {
                    next = source.value
                } else {
                    next = nil
                }
            }
            for index in chain.reversed() {
                below[index] = state
                guard isSkin(index) else { continue }
                if state == .skin {
                    let place = Self.place(of: document.controllers[index])
                    log.add(
                        .controllerChainUnsupported, at: place,
                        "the skin stands on another skin, whose joints no instance names; that one stays in its bind shape"
                    )
                }
                state = .skin
            }
        }
    }

    private func isSkin(_ index: Int) -> Bool {
        switch scene.controllers[index].kind {
        case .skin: true
        case .morph, nil: false
        }
    }

    // MARK: - Morphs

    private mutating func morph(
        _ morph: ColladaDocument.Morph, targets names: [String], _ links: [ControllerLink],
        of controller: ColladaDocument.Controller
    ) -> Morph {
        let targets = names.map { name in
            Morph.Target(reference: name, geometry: target(name, links, of: controller))
        }
        var result = Morph(method: morph.method, targets: targets, weights: [])
        let weights = morph.weights
        result.weights = targets.indices.map { $0 < weights.count && weights[$0].isFinite ? weights[$0] : 0 }
        return result
    }

    /// A target that is a controller stands for the mesh at the end of its chain.
    private mutating func target(
        _ name: String, _ links: [ControllerLink], of controller: ColladaDocument.Controller
    ) -> SceneIndex<Geometry>? {
        let hasHash = name.hasPrefix("#") && options.repairs == .made
        let found = table.lookUp(hasHash ? String(name.dropFirst()) : name) { $0.element == "geometry" }
        if case .geometry(let geometry)? = found {
            if hasHash { tellHash(name, "the target", at: Self.place(of: controller)) }
            return SceneIndex(geometry)
        }
        log.add(
            .morphTargetUnresolved, at: Self.place(of: controller),
            "the target \(name.quoted()) is not the id of a geometry",
            arguments: [.init("reference", name)])
        if case .controller(let index)? = found { return links[index].base }
        return nil
    }

    private mutating func checkTargets(of index: Int) {
        guard case .morph(let morph)? = scene.controllers[index].kind,
            let expected = positions(of: scene.controllers[index].base)
        else { return }
        for target in morph.targets {
            guard let positions = positions(of: target.geometry), positions != expected else { continue }
            let place = Self.place(of: document.controllers[index])
            log.add(
                .morphVertexCountMismatch, at: place,
                "the target \(target.reference.quoted()) has \(positions) positions, the base \(expected)",
                arguments: [
                    .init("reference", target.reference), .init("positions", "\(positions)"),
                    .init("expected", "\(expected)"),
                ])
        }
    }

    // MARK: - Shared

    static func place(of controller: ColladaDocument.Controller) -> Place {
        var place = Place(controller.position)
        place.elementID = controller.id
        return place
    }

    /// `nil` for what has no mesh.
    private func positions(of geometry: SceneIndex<Geometry>?) -> Int? {
        guard let count = geometry.map({ scene.geometries[$0].measure.positions }), count > 0 else { return nil }
        return count
    }

    /// The words of an array with those put together that spaces have torn apart, where that gives as many as are
    /// counted.
    private mutating func joined(
        _ words: SourceReader.Words, of controller: ColladaDocument.Controller, where isKnown: (String) -> Bool
    ) -> [String] {
        guard !words.torn.isEmpty, options.repairs == .made,
            let joined = TornWords.join(words.torn, to: words.words.count, where: isKnown)
        else {
            return words.words
        }
        log.add(
            .skinJointNameSpaces, at: Self.place(of: controller),
            "\(words.torn.count) words are \(joined.count) names with spaces",
            arguments: [.init("words", "\(words.torn.count)"), .init("names", "\(joined.count)")])
        return joined
    }
}

extension Matrix4 {
    var isFinite: Bool { rows.allSatisfy(\.isFinite) }
}

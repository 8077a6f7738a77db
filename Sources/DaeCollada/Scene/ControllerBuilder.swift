// Skins and morphs, and the mesh at the end of each chain of them.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Builds the controllers of a scene.
struct ControllerBuilder {
    /// What is known of the mesh at the end of a chain of controllers.
    private enum Base {
        case unknown
        /// Passed on the way that is walked now.
        case open
        case known(SceneIndex<Geometry>?)

        var geometry: SceneIndex<Geometry>? {
            switch self {
            case .known(let geometry): geometry
            case .unknown, .open: nil
            }
        }
    }

    /// Where each controller's source leads.
    private var sources: [Controller.Source?]
    private var bases: [Base]

    init(_ context: SceneContext) {
        sources = Array(repeating: nil, count: context.document.controllers.count)
        bases = Array(repeating: .unknown, count: sources.count)
    }

    mutating func addControllers(to context: inout SceneContext) {
        guard !sources.isEmpty else { return }
        findSources(in: &context)
        var known = KnownNames(context.shared)
        for (index, controller) in context.document.controllers.enumerated() {
            context.table.home = controller.position.document
            context.scene.controllers.append(
                Controller(
                    id: controller.id, name: controller.name, kind: nil, source: sources[index],
                    base: bases[index].geometry))
            switch controller.kind {
            case .skin(let skin):
                let joints = Self.joined(skin.jointWords, of: controller, in: &context) { known.isNode($0) }
                context.scene.controllers[index].kind = .skin(
                    Self.skin(skin, joints: joints, context.options.retention))
                Self.check(skin, index, in: &context)
            case .morph(let morph):
                let names = Self.joined(morph.targetWords, of: controller, in: &context) { known.isGeometry($0) }
                context.scene.controllers[index].kind = .morph(
                    self.morph(morph, targets: names, of: controller, in: &context))
                Self.checkTargets(of: index, in: &context)
            case .empty: break
            }
        }
        Self.checkChains(in: &context)
    }

    // MARK: - Sources

    /// Each chain is walked once, however many lead to it, so that a broken end is reported once. Cycles are cut.
    private mutating func findSources(in context: inout SceneContext) {
        for start in bases.indices {
            var chain: [Int] = []
            let end = walk(from: start, &chain, in: &context)
            for passed in chain { bases[passed] = .known(end) }
        }
    }

    /// - Parameter chain: The controllers that were passed; their base is what is returned.
    private mutating func walk(
        from start: Int, _ chain: inout [Int], in context: inout SceneContext
    ) -> SceneIndex<Geometry>? {
        var next = start
        while true {
            switch bases[next] {
            case .known(let geometry): return geometry
            case .open:
                let length = chain.count - (chain.firstIndex(of: next) ?? 0)
                let place = Place(context.document.controllers[next].position)
                context.log.add(
                    .refCycle, at: place,
                    "a controller is its own source by way of \(length) controllers")
                if let last = chain.last { sources[last] = nil }
                return nil
            case .unknown: break
            }
            bases[next] = .open
            chain.append(next)
            let source: ColladaDocument.Reference
            var code = FindingCode.refUnresolved
            switch context.document.controllers[next].kind {
            case .skin(let skin): (source, code) = (skin.source, .skinSourceUnresolved)
            case .morph(let morph): source = morph.source
            case .empty: return nil
            }
            let expected: [LibraryKind] = [.geometry, .controller]
            guard let target = context.find(source, expected, severity: .error, else: code) else { return nil }
            if let index = target.index(of: .geometry) {
                sources[next] = .geometry(SceneIndex(index))
                return SceneIndex(index)
            }
            guard let index = target.index(of: .controller) else {
                context.log.reportWrongType(source, target, expected: expected, in: context.table)
                return nil
            }
            sources[next] = .controller(SceneIndex(index))
            next = index
        }
    }

    // MARK: - Skins

    private static func skin(
        _ skin: ColladaDocument.Skin, joints: [String], _ retention: ColladaOptions.Retention
    ) -> Skin {
        var result = Skin(bindShape: skin.bindShape ?? .identity, joints: joints, inverseBinds: [], influences: .none)
        result.inverseBinds = joints.indices.map { joint in
            guard joint < skin.inverseBinds.count, skin.inverseBinds[joint].isFinite else { return .identity }
            return skin.inverseBinds[joint]
        }
        switch retention {
        case .everything: result.influences = SkinInfluences(skin.weights, SourceReader(skin.sources))
        case .figures: result.influences = skin.weights?.influences ?? .none
        }
        return result
    }

    private static func check(_ skin: ColladaDocument.Skin, _ index: Int, in context: inout SceneContext) {
        guard let weights = skin.weights,
            let positions = context.scene.positions(of: context.scene.controllers[index].base),
            weights.vertices != positions
        else { return }
        let place = context.document.controllers[index].place
        context.log.add(
            .skinVertexCountMismatch, at: place,
            "the skin has \(weights.vertices) vertices, its mesh \(positions)",
            arguments: [.init("vertices", "\(weights.vertices)"), .init("positions", "\(positions)")])
    }

    /// A skin below another one has no joints of its own: an instance names those of one skin.
    private static func checkChains(in context: inout SceneContext) {
        // Each controller's mark is made once, from the one below it: chains may be long and shared.
        enum Below { case unknown, none, skin }
        var below = [Below](repeating: .unknown, count: context.scene.controllers.count)
        for start in below.indices where below[start] == .unknown {
            var chain: [Int] = []
            var next = Optional(start)
            var state = Below.none
            while let index = next {
                if below[index] != .unknown {
                    state = context.scene.controllers[index].skin != nil ? .skin : below[index]
                    break
                }
                chain.append(index)
                // Cycles were cut at their last controller, so this ends.
                if case .controller(let source)? = context.scene.controllers[index].source {
                    next = source.value
                } else {
                    next = nil
                }
            }
            for index in chain.reversed() {
                below[index] = state
                guard context.scene.controllers[index].skin != nil else { continue }
                if state == .skin {
                    let place = context.document.controllers[index].place
                    context.log.add(
                        .controllerChainUnsupported, at: place,
                        "the skin stands on another skin, whose joints no instance names; that one stays in its bind shape"
                    )
                }
                state = .skin
            }
        }
    }

    // MARK: - Morphs

    private func morph(
        _ morph: ColladaDocument.Morph, targets names: [String], of controller: ColladaDocument.Controller,
        in context: inout SceneContext
    ) -> Morph {
        let targets = names.map { name in
            Morph.Target(reference: name, geometry: target(name, of: controller, in: &context))
        }
        var result = Morph(method: morph.method, targets: targets, weights: [])
        let weights = morph.weights
        result.weights = targets.indices.map { $0 < weights.count && weights[$0].isFinite ? weights[$0] : 0 }
        return result
    }

    /// A target that is a controller stands for the mesh at the end of its chain.
    private func target(
        _ name: String, of controller: ColladaDocument.Controller, in context: inout SceneContext
    ) -> SceneIndex<Geometry>? {
        let hasHash = name.hasPrefix("#") && context.options.repairs == .made
        let found = context.table.lookUp(hasHash ? String(name.dropFirst()) : name) { $0.kind == .geometry }
        if let geometry = found?.index(of: .geometry) {
            if hasHash { context.log.reportHash(name, "the target", at: controller.place) }
            return SceneIndex(geometry)
        }
        context.log.add(
            .morphTargetUnresolved, at: controller.place,
            "the target \(name.quoted()) is not the id of a geometry",
            arguments: [.init("reference", name)])
        return found?.index(of: .controller).flatMap { bases[$0].geometry }
    }

    private static func checkTargets(of index: Int, in context: inout SceneContext) {
        guard case .morph(let morph)? = context.scene.controllers[index].kind,
            let expected = context.scene.positions(of: context.scene.controllers[index].base)
        else { return }
        for target in morph.targets {
            guard let positions = context.scene.positions(of: target.geometry), positions != expected else { continue }
            let place = context.document.controllers[index].place
            context.log.add(
                .morphVertexCountMismatch, at: place,
                "the target \(target.reference.quoted()) has \(positions) positions, the base \(expected)",
                arguments: [
                    .init("reference", target.reference), .init("positions", "\(positions)"),
                    .init("expected", "\(expected)"),
                ])
        }
    }

    // MARK: - Shared

    /// The words of an array with those put together that spaces have torn apart, where that gives as many as are
    /// counted.
    private static func joined(
        _ words: SourceReader.Words, of controller: ColladaDocument.Controller, in context: inout SceneContext,
        where isKnown: (String) -> Bool
    ) -> [String] {
        guard !words.torn.isEmpty, context.options.repairs == .made,
            let joined = TornWords.join(words.torn, to: words.words.count, where: isKnown)
        else {
            return words.words
        }
        context.log.add(
            .skinJointNameSpaces, at: controller.place,
            "\(words.torn.count) words are \(joined.count) names with spaces",
            arguments: [.init("words", "\(words.torn.count)"), .init("names", "\(joined.count)")])
        return joined
    }
}

extension Scene {
    /// `nil` for what has no mesh.
    fileprivate func positions(of geometry: SceneIndex<Geometry>?) -> Int? {
        guard let count = geometry.map({ geometries[$0].measure.positions }), count > 0 else { return nil }
        return count
    }
}

extension Matrix4 {
    var isFinite: Bool { rows.allSatisfy(\.isFinite) }
}

// Arrays of names are parted by spaces, and exporters write names that have spaces themselves.

/// Puts words together that belong to one name.
private enum TornWords {
    /// Words that one name may have.
    private static let longest = 8

    /// The words as `count` names, or `nil` where that does not work out.
    ///
    /// - Parameter isKnown: Whether there is something of a name; the longest name that is known wins.
    /// - Complexity: linear in the words.
    static func join(_ words: [String], to count: Int, where isKnown: (String) -> Bool) -> [String]? {
        var names: [String] = []
        var at = 0
        while at < words.count {
            guard names.count < count else { return nil }
            let most = min(longest, words.count - at)
            let length =
                (1...most).reversed().first { isKnown(words[at..<at + $0].joined(separator: " ")) } ?? 1
            names.append(words[at..<at + length].joined(separator: " "))
            at += length
        }
        return names.count == count ? names : nil
    }
}

/// What arrays of names may mean; looked up only where words are torn, and then made once.
private struct KnownNames: DocumentSharing {
    let shared: SharedDocument
    private var nodes: Set<String>?
    private var geometries: Set<String>?

    init(_ shared: SharedDocument) {
        self.shared = shared
    }

    mutating func isNode(_ name: String) -> Bool {
        if nodes == nil {
            nodes = Set(document.nodes.lazy.flatMap { [$0.sid, $0.id, $0.name].compactMap { $0 } })
        }
        return nodes?.contains(name) ?? false
    }

    mutating func isGeometry(_ name: String) -> Bool {
        if geometries == nil { geometries = Set(document.geometries.compactMap(\.id)) }
        return geometries?.contains(name) ?? false
    }
}

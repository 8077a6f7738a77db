// Skins and morphs, and the mesh at the end of each chain of them.

import DaeDiagnostics
import DaeScene
import DaeXML

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
        case .figures: result.influences = skin.weights?.influences ?? .none
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
        let found = table.lookUp(hasHash ? String(name.dropFirst()) : name) { $0.kind == .geometry }
        if let geometry = found?.index(of: .geometry) {
            if hasHash { reportHash(name, "the target", at: Self.place(of: controller)) }
            return SceneIndex(geometry)
        }
        log.add(
            .morphTargetUnresolved, at: Self.place(of: controller),
            "the target \(name.quoted()) is not the id of a geometry",
            arguments: [.init("reference", name)])
        return found?.index(of: .controller).flatMap { links[$0].base }
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

// What each controller deforms, and the mesh at the end of its chain.

/// Where a controller's source leads.
struct ControllerLink {
    var source: Controller.Source?
    var base: SceneIndex<Geometry>?
}

extension SceneBuilder {
    /// What is known of the mesh at the end of a chain of controllers.
    private enum Base {
        case unknown
        /// Passed on the way that is walked now.
        case open
        case known(SceneIndex<Geometry>?)
    }

    /// Each chain is walked once, however many lead to it, so that a broken end is reported once. Cycles are cut.
    mutating func links() -> [ControllerLink] {
        var links = [ControllerLink](repeating: ControllerLink(), count: document.controllers.count)
        var bases = [Base](repeating: .unknown, count: document.controllers.count)
        for start in bases.indices {
            var chain: [Int] = []
            let end = walk(from: start, &chain, &bases, &links)
            for passed in chain { bases[passed] = .known(end) }
        }
        for (index, base) in bases.enumerated() {
            switch base {
            case .known(let geometry): links[index].base = geometry
            case .unknown, .open: break
            }
        }
        return links
    }

    /// - Parameter chain: The controllers that were passed; their base is what is returned.
    private mutating func walk(
        from start: Int, _ chain: inout [Int], _ bases: inout [Base], _ links: inout [ControllerLink]
    ) -> SceneIndex<Geometry>? {
        var next = start
        while true {
            switch bases[next] {
            case .known(let geometry): return geometry
            case .open:
                let length = chain.count - (chain.firstIndex(of: next) ?? 0)
                let place = Place(document.controllers[next].position)
                log.add(
                    .refCycle, at: place,
                    "a controller is its own source by way of \(length) controllers")
                if let last = chain.last { links[last].source = nil }
                return nil
            case .unknown: break
            }
            bases[next] = .open
            chain.append(next)
            let source: ColladaDocument.Reference
            var code = FindingCode.refUnresolved
            switch document.controllers[next].kind {
            case .skin(let skin): (source, code) = (skin.source, .skinSourceUnresolved)
            case .morph(let morph): source = morph.source
            case .empty: return nil
            }
            let expected: [LibraryKind] = [.geometry, .controller]
            guard let target = find(source, expected, severity: .error, else: code) else { return nil }
            if let index = target.index(of: .geometry) {
                links[next].source = .geometry(SceneIndex(index))
                return SceneIndex(index)
            }
            guard let index = target.index(of: .controller) else {
                reportWrongType(source, target, expected: expected)
                return nil
            }
            links[next].source = .controller(SceneIndex(index))
            next = index
        }
    }
}

// Skins and morphs between systems: a skin's matrices are in its own, its mesh and its joints may be in others.

extension SceneBuilder {
    /// Joints whose systems are looked at, over all instances; each is of one that has been found.
    private static let jointLimit = 4_000_000

    /// A mesh of another system than its skin's is taken into the skin's on the way into the bind shape.
    mutating func convertBindShapes(_ places: [Int: AssetSystems.Place]) {
        for (index, controller) in document.controllers.enumerated() {
            guard let base = scene.controllers[index].base else { continue }
            let mesh = systems.system(at: document.geometries[base.value].position, within: places[index])
            let own = systems.system(at: controller.position, within: places[index])
            guard mesh != own else { continue }
            guard case .skin(var skin)? = scene.controllers[index].kind else { continue }
            skin.bindShape = skin.bindShape * mesh.conversion(to: own)
            scene.controllers[index].kind = .skin(skin)
        }
    }

    /// Where each controller is first shown.
    func controllerPlaces() -> [Int: AssetSystems.Place] {
        var places: [Int: AssetSystems.Place] = [:]
        for index in document.nodes.indices {
            for case .controller(let controller, skeleton: _, materials: _) in scene.nodes[index].instances {
                let place = AssetSystems.Place(
                    system: systems.system(ofNode: index), document: document.nodes[index].position.document)
                // What is below a controller that was met was met, too.
                var next = Optional(controller)
                while let below = next, places[below.value] == nil {
                    places[below.value] = place
                    switch scene.controllers[below].source {
                    case .controller(let source): next = source
                    case .geometry, nil: next = nil
                    }
                }
            }
        }
        return places
    }

    /// An inverse bind matrix ends in its joint, whose node has the numbers of its own place. One joint has one matrix,
    /// however many nodes are bound to it: where those are in several systems, the first counts.
    ///
    /// - Parameter owners: For each controller the first skin of its chain.
    mutating func convertInverseBinds(_ owners: [Int?], _ places: [Int: AssetSystems.Place]) {
        var wanted: [Int: [Int: CoordinateSystem]] = [:]
        var reported: Set<Int> = []
        var looked = 0
        for node in scene.nodes {
            for case .controller(let controller, let skeleton, materials: _) in node.instances {
                guard let skin = owners[controller.value], looked < Self.jointLimit else { continue }
                looked += skeleton.joints.count
                for case (let place, let joint?) in skeleton.joints.enumerated() {
                    let system = systems.system(ofNode: joint.value)
                    let known = wanted[skin]?[place]
                    if let known, known != system, reported.insert(skin).inserted {
                        reportJoints(of: skin, known, system)
                    }
                    wanted[skin, default: [:]][place] = known ?? system
                }
            }
        }
        for (index, joints) in wanted {
            guard case .skin(var skin)? = scene.controllers[index].kind else { continue }
            let own = systems.system(at: document.controllers[index].position, within: places[index])
            for (place, system) in joints where system != own && skin.inverseBinds.indices.contains(place) {
                skin.inverseBinds[place] = own.conversion(to: system) * skin.inverseBinds[place]
            }
            scene.controllers[index].kind = .skin(skin)
        }
    }

    private mutating func reportJoints(of skin: Int, _ first: CoordinateSystem, _ other: CoordinateSystem) {
        let place = Self.place(of: document.controllers[skin])
        log.add(
            .assetNestedUnit, at: place,
            "instances of the skin bind one joint to nodes in \(first) and in \(other); the first is reckoned with",
            arguments: [
                .init("element", "skin"), .init("system", other.description), .init("expected", first.description),
            ])
    }

    /// A morph adds up the positions of its meshes as they are written.
    mutating func reportTargets() {
        for (index, controller) in scene.controllers.enumerated() {
            guard case .morph(let morph)? = controller.kind, let base = controller.base else { continue }
            let own = systems.system(at: document.geometries[base.value].position)
            for case let target? in morph.targets.map(\.geometry) {
                let system = systems.system(at: document.geometries[target.value].position)
                guard system != own else { continue }
                let place = Self.place(of: document.controllers[index])
                log.add(
                    .assetNestedUnit, at: place,
                    "a target of the morph is in \(system), its base in \(own); its numbers stay as they are",
                    arguments: [
                        .init("element", "morph"), .init("system", system.description),
                        .init("expected", own.description),
                    ])
                break
            }
        }
    }
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
        if nodes == nil { nodes = Set(document.nodes.lazy.flatMap { [$0.sid, $0.id, $0.name].compactMap { $0 } }) }
        return nodes?.contains(name) ?? false
    }

    mutating func isGeometry(_ name: String) -> Bool {
        if geometries == nil { geometries = Set(document.geometries.compactMap(\.id)) }
        return geometries?.contains(name) ?? false
    }
}

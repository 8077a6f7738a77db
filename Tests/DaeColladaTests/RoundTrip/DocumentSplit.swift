import DaeScene

/// Which of several documents each part of a scene is written in.
///
/// Of every list the first document has the first parts, and so on: a scene has them in that order too.
struct DocumentSplit {
    enum Part: CaseIterable {
        case geometry, controller, material, image, camera, light, node, physicsModel
    }
    var paths = ["main.dae"]
    private var documents: [Part: [Int]] = [:]

    /// Everything in one.
    static let none = DocumentSplit()

    func document(of part: Part, _ index: Int) -> Int { documents[part]?[index] ?? 0 }

    /// - Returns: One that the scene can be written in; it may be that no part of some document is referred to.
    static func random(
        _ scene: Scene, _ version: ColladaVersion, _ placements: [NodePlacement], documents: Int, _ dice: inout Dice
    ) -> DocumentSplit {
        for _ in 0..<100 {
            var split = DocumentSplit()
            split.paths = (0..<documents).map { $0 == 0 ? "main.dae" : "part\($0).dae" }
            for part in Part.allCases where part != .node {
                guard let count = scene.count(of: part), dice.chance(0.7) else { continue }
                let cuts = (1..<documents).map { _ in dice.int(0...count) }.sorted()
                split.documents[part] = (0..<count).map { index in cuts.count { $0 <= index } }
            }
            guard split.fits(scene, version) else { continue }
            split.moveNodes(of: scene, placements, &dice)
            return split
        }
        return DocumentSplit()
    }

    /// The address of an id from a document.
    func reference(to id: String, in document: Int, from home: Int) -> String {
        (document == home ? "" : paths[document]) + "#" + id
    }

    // MARK: - What a document alone can say

    private func fits(_ scene: Scene, _ version: ColladaVersion) -> Bool {
        controllersFit(scene) && materialsFit(scene, version) && targetsFit(scene) && physicsFits(scene)
    }

    /// The targets of a morph and the joints of a skin that are given by ids are those of its own document.
    private func controllersFit(_ scene: Scene) -> Bool {
        let ids = Set(scene.nodes.compactMap(\.id))
        return scene.controllers.indices.allSatisfy { index in
            let home = document(of: .controller, index)
            switch scene.controllers[index].kind {
            case .morph(let morph):
                return morph.targets.allSatisfy { target in
                    target.geometry.map { document(of: .geometry, $0.value) == home } ?? true
                }
            case .skin(let skin):
                return home == 0 || skin.joints.allSatisfy { !ids.contains($0) && !$0.contains("/") }
            case nil: return true
            }
        }
    }

    /// In 1.4 an effect names its images by ids alone.
    private func materialsFit(_ scene: Scene, _ version: ColladaVersion) -> Bool {
        switch version {
        case .v15: return true
        case .v14: break
        }
        return scene.materials.allSatisfy { material in
            guard let effect = material.effectID else { return true }
            let home = document(ofEffect: effect, in: scene)
            return material.textures.allSatisfy { document(of: .image, $0.image.value) == home }
        }
    }

    /// That of the first material that has it.
    func document(ofEffect id: String, in scene: Scene) -> Int {
        scene.materials.firstIndex { $0.effectID == id }.map { document(of: .material, $0) } ?? 0
    }

    /// Animations are the first document's, and so are the materials that bindings name by ids alone.
    private func targetsFit(_ scene: Scene) -> Bool {
        let named = Set(
            scene.nodes.flatMap(\.instances).flatMap(\.bindings).flatMap(\.parameters).map {
                String($0.target.prefix { $0 != "/" })
            })
        let areNear = scene.materials.indices.allSatisfy { index in
            document(of: .material, index) == 0 || scene.materials[index].id.map { !named.contains($0) } ?? true
        }
        return areNear
            && scene.animations.flatMap(\.channels).allSatisfy { channel in
                switch channel.target {
                case .transform: true
                case .morphWeight(let index, at: _): document(of: .controller, index.value) == 0
                case .material(let index, _, _): document(of: .material, index.value) == 0
                case .camera(let index, _): document(of: .camera, index.value) == 0
                case .light(let index, _, _): document(of: .light, index.value) == 0
                }
            }
    }

    /// Materials that stand within bodies would come in another order.
    private func physicsFits(_ scene: Scene) -> Bool {
        let isSpread = scene.physics.models.indices.contains { document(of: .physicsModel, $0) > 0 }
        return !isSpread || scene.physics.materials.allSatisfy { $0.id != nil }
    }

    // MARK: - Nodes

    /// Moves nodes of libraries with all that stands within, unless it is addressed by sids or from its own document.
    private mutating func moveNodes(of scene: Scene, _ placements: [NodePlacement], _ dice: inout Dice) {
        var homes = [Int](repeating: 0, count: scene.nodes.count)
        let edges = scene.edges
        let kept = scene.addressedNodes
        for root in scene.nodes.indices where placements[root] == .library && edges[root] > 0 {
            var within = [root]
            var next = 0
            while next < within.count {
                let parent = within[next]
                for (place, child) in scene.nodes[parent].children.enumerated()
                where placements[child.value] == .nested(in: parent, at: place) { within.append(child.value) }
                next += 1
            }
            guard kept.isDisjoint(with: within), dice.chance(0.8) else { continue }
            let home = dice.int(0...paths.count - 1)
            for node in within { homes[node] = home }
        }
        documents[.node] = homes
    }
}

extension Instance {
    fileprivate var bindings: [MaterialBinding] {
        switch self {
        case .geometry(_, let materials), .controller(_, skeleton: _, let materials): materials
        case .camera, .light: []
        }
    }
}

extension Scene {
    /// `nil` for nodes, which are no list of their own.
    fileprivate func count(of part: DocumentSplit.Part) -> Int? {
        switch part {
        case .geometry: geometries.count
        case .controller: controllers.count
        case .material: materials.count
        case .image: images.count
        case .camera: cameras.count
        case .light: lights.count
        case .physicsModel: physics.models.count
        case .node: nil
        }
    }

    /// Those that animations, skins and kinematics name, and those with skins or bindings by ids.
    fileprivate var addressedNodes: Set<Int> {
        var found: Set<Int> = []
        for channel in animations.flatMap(\.channels) {
            if case .transform(let node, at: _, _) = channel.target { found.insert(node.value) }
        }
        let joints = Set(
            controllers.flatMap { controller -> [String] in
                if case .skin(let skin) = controller.kind { skin.joints } else { [] }
            }.flatMap { $0.split(separator: "/").map(String.init) })
        for (index, node) in nodes.enumerated() {
            if let id = node.id, joints.contains(id) { found.insert(index) }
            if node.instances.contains(where: { $0.bindings.contains { !$0.parameters.isEmpty } }) {
                found.insert(index)
            }
            for case .controller(_, let skeleton, materials: _) in node.instances {
                found.insert(index)
                found.formUnion(skeleton.roots.compactMap { $0.node?.value })
            }
        }
        for active in kinematics.active {
            found.formUnion(active.models.map(\.node.value) + active.axes.compactMap { $0.node?.value })
        }
        return found
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

// What nothing refers to is reported where it begins. Used is what any element refers to, shown or not: what hangs on an
// unused element is not reported again.

/// Elements of libraries that are in no use. Those of other documents are not looked at: a library serves many.
enum UseRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let document = subject.linked.document
        // 1.3 refers by other ways than these.
        if document.version?.hasPrefix("1.3") == true { return }
        // A document that shows nothing itself is a library for others.
        if subject.document.visualScenes.isEmpty && subject.document.scene == nil { return }
        let use = ElementUse(document, subject.scene)
        for (index, element) in document.images.enumerated()
        where element.position.document == 0 && !use.contains(.image, index) {
            let name = shown(element.id, element.name)
            log.add(
                .imageUnused, at: Place(element.position, of: element.id),
                "no effect samples the image \(spoken(name))",
                arguments: [.init("image", name)])
        }
        for kind in [.controller, .geometry, .material, .effect, .camera, .light, .animation] as [LibraryKind] {
            document.forEach(kind) { index, element in
                guard element.position.document == 0, !use.contains(kind, index) else { return }
                let name = shown(element.id, element.name)
                let place = Place(element.position, of: element.id)
                if kind == .controller, case .skin = document.controllers[index].kind {
                    log.add(
                        .skinNotInstanced, at: place, "nothing instances the skin \(spoken(name))",
                        arguments: [.init("controller", name)])
                } else {
                    report(kind, name, at: place, &log)
                }
            }
        }
        for index in document.nodes.indices where use.isIdle(index) {
            report(
                .node, shown(document.nodes[index].id, document.nodes[index].name),
                at: Place(document.nodes[index].position), &log)
        }
    }

    private static let nameless = "without an id"

    private static func shown(_ id: String?, _ name: String?) -> String { id ?? name ?? nameless }

    /// As a name within a sentence.
    private static func spoken(_ name: String) -> String { name == nameless ? name : name.quoted() }

    private static func report(
        _ kind: LibraryKind, _ name: String, at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        log.add(
            .refUnused, at: place(), "nothing refers to the \(kind.element) \(spoken(name))",
            arguments: [.init("element", kind.element), .init("name", name)])
    }
}

/// For each element of a document whether anything refers to it.
struct ElementUse {
    /// By kind; of nodes those that are instanced, or hold one that is. Animations without clips play always; with clips, those
    /// within one that is played or around it do.
    private var used: [[Bool]]
    /// Nodes that stand in another one or in a visual scene.
    private var inner: [Bool]

    init(_ document: ColladaDocument, _ scene: Scene) {
        used = LibraryKind.allCases.map { Array(repeating: false, count: document.count(of: $0)) }
        inner = Array(repeating: false, count: document.nodes.count)
        markInner(document)
        markInstances(scene)
        markControllers(scene)
        markNamed(document)
        markAnimations(document, scene)
        markImages(document, scene)
    }

    func contains(_ kind: LibraryKind, _ index: Int) -> Bool { used[Int(kind.rawValue)][index] }

    private func containsAll(_ kind: LibraryKind) -> Bool { !used[Int(kind.rawValue)].contains(false) }

    private mutating func mark(_ kind: LibraryKind, _ index: Int) { used[Int(kind.rawValue)][index] = true }

    private mutating func markAll(_ kind: LibraryKind) {
        for index in used[Int(kind.rawValue)].indices { mark(kind, index) }
    }

    /// Whether a node stands in a library and neither it nor one in it is instanced.
    func isIdle(_ node: Int) -> Bool { !contains(.node, node) && !inner[node] }

    private mutating func markInner(_ document: ColladaDocument) {
        // In a span: what is taken out of a list would be copied.
        let nodes = document.nodes.span
        for index in nodes.indices { nodes[index].forEachChild { inner[$0] = true } }
        for scene in document.visualScenes {
            for root in scene.nodes { inner[root] = true }
        }
    }

    // MARK: - By the scene

    private mutating func markInstances(_ scene: Scene) {
        // In a span: what is taken out of a list would be copied.
        let nodes = scene.nodes.span
        for node in nodes.indices {
            for place in nodes[node].instances.indices {
                switch nodes[node].instances[place] {
                case .geometry(let geometry, let bindings):
                    mark(.geometry, geometry.value)
                    mark(bindings)
                case .controller(let controller, skeleton: _, let bindings):
                    mark(.controller, controller.value)
                    mark(bindings)
                case .camera(let camera): mark(.camera, camera.value)
                case .light(let light): mark(.light, light.value)
                }
            }
        }
    }

    private mutating func mark(_ bindings: [MaterialBinding]) {
        for binding in bindings {
            if let material = binding.material { mark(.material, material.value) }
        }
    }

    private mutating func markControllers(_ scene: Scene) {
        for controller in scene.controllers {
            switch controller.source {
            case .geometry(let geometry): mark(.geometry, geometry.value)
            case .controller(let other): mark(.controller, other.value)
            case nil: break
            }
            guard case .morph(let morph)? = controller.kind else { continue }
            for target in morph.targets {
                if let geometry = target.geometry { mark(.geometry, geometry.value) }
            }
        }
        for geometry in scene.geometries {
            if let whole = geometry.hullOf { mark(.geometry, whole.value) }
        }
    }

    // MARK: - By ids

    private mutating func markNamed(_ document: ColladaDocument) {
        markEffects(document)
        var shapes: Set<String> = []
        for model in document.physicsModels {
            for shape in model.bodies.flatMap(\.properties.shapes) {
                if case .geometry(let reference) = shape.form { shapes.insert(reference.id) }
            }
        }
        for scene in document.physicsScenes {
            for shape in scene.instances.flatMap(\.bodies).flatMap(\.overrides.shapes) {
                if case .geometry(let reference) = shape.form { shapes.insert(reference.id) }
            }
        }
        for index in document.geometries.indices where !shapes.isEmpty {
            if isNamed(document.geometries[index].id, nil, in: shapes) { mark(.geometry, index) }
        }
        markNodes(document)
    }

    private mutating func markEffects(_ document: ColladaDocument) {
        // In spans: what is taken out of a list would be copied.
        let (all, materials) = (document.effects.span, document.materials.span)
        // Mostly each material has the effect at its own place; then nothing is looked for.
        for index in 0..<min(all.count, materials.count) {
            if let id = all[index].id, materials[index].effect?.id == id { mark(.effect, index) }
        }
        if containsAll(.effect) { return }
        var named: Set<String> = []
        for index in materials.indices {
            if let id = materials[index].effect?.id { named.insert(id) }
        }
        for index in all.indices where isNamed(all[index].id, all[index].name, in: named) { mark(.effect, index) }
    }

    private mutating func markNodes(_ document: ColladaDocument) {
        var instanced: Set<String> = []
        for index in document.nodes.indices {
            for content in document.nodes[index].contents {
                switch content {
                case .instanceNode(let reference), .instance(let reference): instanced.insert(reference.id)
                case .instanceController(_, let skeletons, _): instanced.formUnion(skeletons.map(\.id))
                case .node, .instanceGeometry, .instanceCamera, .instanceLight: break
                }
            }
        }
        guard !instanced.isEmpty else { return }
        // Children stand before their parents.
        for index in document.nodes.indices {
            if isNamed(document.nodes[index].id, document.nodes[index].name, in: instanced)
                || document.nodes[index].children.contains(where: { contains(.node, $0) })
            {
                mark(.node, index)
            }
        }
    }

    /// What has no id may be meant by its name.
    private func isNamed(_ id: String?, _ name: String?, in names: Set<String>) -> Bool {
        if let id, hasName(id, in: names) { return true }
        guard let name, name != id else { return false }
        return hasName(name, in: names)
    }

    private func hasName(_ name: String, in names: Set<String>) -> Bool {
        if names.contains(name) { return true }
        return name.utf8.contains(0x20) && names.contains(name.percentEncodedSpaces)
    }

    // MARK: - Animations and images

    private mutating func markAnimations(_ document: ColladaDocument, _ scene: Scene) {
        guard !scene.clips.isEmpty else { return markAll(.animation) }
        for animation in scene.clips.flatMap(\.animations) { mark(.animation, animation.value) }
        // Parents stand before what is in them: what plays takes all below it along, and is no longer idle itself.
        for index in document.animations.indices where contains(.animation, index) {
            for child in document.animations[index].children { mark(.animation, child) }
        }
        for index in document.animations.indices.reversed()
        where document.animations[index].children.contains(where: { contains(.animation, $0) }) {
            mark(.animation, index)
        }
    }

    private mutating func markImages(_ document: ColladaDocument, _ scene: Scene) {
        // In a span: what is taken out of a list would be copied.
        let effects = document.effects.span
        // The images of other profiles are not known.
        for index in effects.indices where !effects[index].profiles.isEmpty { return markAll(.image) }
        scene.materials.forEachImage { mark(.image, $0.value) }
        // Nearly always each is; then nothing else need be asked.
        if !containsAll(.image) { markNamedImages(document) }
    }

    private mutating func markNamedImages(_ document: ColladaDocument) {
        let slots = ColladaDocument.Technique.Slot.allCases
        var names: Set<String> = []
        // In spans: what is taken out of a list would be copied.
        let effects = document.effects.span
        for index in effects.indices {
            if !effects[index].parameters.isEmpty {
                for parameter in effects[index].parameters.values { parameter.addImages(to: &names) }
            }
            for slot in slots {
                if case .texture(let texture) = effects[index].common?.slots[slot] { names.insert(texture.sampler) }
            }
        }
        let materials = document.materials.span
        for index in materials.indices where !materials[index].settings.isEmpty {
            for parameter in materials[index].settings.values { parameter.addImages(to: &names) }
        }
        for (index, image) in document.images.enumerated() where isNamed(image.id, image.name, in: names) {
            mark(.image, index)
        }
    }
}

extension ColladaDocument.Parameter {
    /// The ids of the images it names.
    fileprivate func addImages(to names: inout Set<String>) {
        switch self {
        case .surface(let surface): names.formUnion(surface.images)
        case .sampler(let sampler):
            if let surface = sampler.surface { names.insert(surface) }
            if let image = sampler.image { names.insert(image.id) }
        case .numbers, .alias, .other: break
        }
    }
}

extension String {
    fileprivate var percentEncodedSpaces: String {
        split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }
}

/// What a bundle holds in vain.
enum BundleRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        for path in subject.measures.unused {
            log.add(
                .bundleUnusedFile, at: Place(entry: path), "nothing refers to \(path.quoted())",
                arguments: [.init("path", path)])
        }
        for group in subject.measures.duplicates {
            guard let first = group.first else { continue }
            let others = group.dropFirst()
            log.add(
                .bundleDuplicateContent, at: Place(entry: others.first),
                "\(group.count) files hold the same bytes, the first is \(first.quoted())",
                arguments: [.init("count", "\(group.count)"), .init("first", first)],
                related: [Place(entry: first)] + others.dropFirst().prefix(placesLimit).map { Place(entry: $0) })
        }
    }

    /// Copies that a finding names; an archive may hold one file many thousand times.
    private static let placesLimit = 10
}

/// What a document offers to be shown.
enum SceneChoiceRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        if subject.document.isEmpty {
            log.add(
                .docEmpty, at: Place(line: 1, column: 1, path: "/COLLADA"),
                "nothing in the document can be instantiated: its libraries are empty or missing")
        }
        let scenes = subject.document.visualScenes
        guard scenes.count > 1 else { return }
        for scene in scenes where scene.id != subject.scene.id {
            let name = scene.id ?? scene.name ?? "without an id"
            let place = Place(scene.position, of: scene.id)
            log.add(
                .sceneMultipleVisualScenes, at: place,
                "the visual scene \(name) is not instantiated: it is not shown",
                arguments: [.init("scene", name)])
        }
    }
}

extension ColladaDocument {
    /// Whether there is nothing that a scene could instance: neither in it, nor named in another document.
    fileprivate var isEmpty: Bool {
        nodes.isEmpty && geometries.isEmpty && controllers.isEmpty && cameras.isEmpty && lights.isEmpty
            && effects.isEmpty && materials.isEmpty && images.isEmpty && animations.isEmpty && formulas.isEmpty
            && joints.isEmpty && physicsMaterials.isEmpty && forceFields.isEmpty && physicsModels.isEmpty
            && physicsScenes.isEmpty && kinematicsModels.isEmpty
            && articulatedSystems.isEmpty && kinematicsScenes.isEmpty && otherDocuments.isEmpty
    }
}

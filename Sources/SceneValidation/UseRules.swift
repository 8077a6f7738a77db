// What nothing refers to is told where it begins. Used is what any element refers to, shown or not: what hangs on an
// unused element is not told again.

import ColladaParser
import Diagnostics
import SceneModel
import XMLReader

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
        where element.position.document == 0 && use.images.map({ !$0[index] }) == true {
            let name = shown(element.id, element.name)
            log.add(
                .imageUnused, at: Place(element.position, of: element.id),
                "no effect samples the image \(spoken(name))",
                arguments: [.init("image", name)])
        }
        for index in document.controllers.indices where document.controllers[index].position.document == 0 {
            guard !use.controllers[index] else { continue }
            let name = shown(document.controllers[index].id, document.controllers[index].name)
            func place() -> Place {
                Place(document.controllers[index].position, of: document.controllers[index].id)
            }
            switch document.controllers[index].kind {
            case .skin:
                log.add(
                    .skinNotInstanced, at: place(), "nothing instances the skin \(spoken(name))",
                    arguments: [.init("controller", name)])
            case .morph, .empty: tell("controller", name, at: place(), &log)
            }
        }
        for element in document.unusedElements(use) where element.position.document == 0 {
            let name = shown(element.id, element.name)
            tell(element.kind, name, at: Place(element.position, of: element.id), &log)
        }
        for index in document.nodes.indices where use.isIdle(index) {
            tell(
                "node", shown(document.nodes[index].id, document.nodes[index].name),
                at: Place(document.nodes[index].position), &log)
        }
    }

    private static let nameless = "without an id"

    private static func shown(_ id: String?, _ name: String?) -> String { id ?? name ?? nameless }

    /// As a name within a sentence.
    private static func spoken(_ name: String) -> String { name == nameless ? name : name.quoted() }

    private static func tell(
        _ kind: String, _ name: String, at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        log.add(
            .refUnused, at: place(), "nothing refers to the \(kind) \(spoken(name))",
            arguments: [.init("element", kind), .init("name", name)])
    }
}

extension ColladaDocument {
    fileprivate struct Element {
        let kind: String
        let id: String?
        let name: String?
        let position: XMLPosition
    }

    /// Kind by kind.
    fileprivate func unusedElements(_ use: ElementUse) -> [Element] {
        var unused: [Element] = []
        for index in geometries.indices where !use.geometries[index] {
            unused.append(
                Element(
                    kind: "geometry", id: geometries[index].id, name: geometries[index].name,
                    position: geometries[index].position))
        }
        for index in materials.indices where !use.materials[index] {
            let one = materials[index]
            unused.append(
                Element(kind: "material", id: one.id, name: one.name, position: one.position))
        }
        for index in effects.indices where !use.effects[index] {
            let one = effects[index]
            unused.append(
                Element(kind: "effect", id: one.id, name: one.name, position: one.position))
        }
        for index in cameras.indices where !use.cameras[index] {
            let one = cameras[index]
            unused.append(
                Element(
                    kind: "camera", id: one.camera.id, name: one.camera.name,
                    position: one.position))
        }
        for index in lights.indices where !use.lights[index] {
            let one = lights[index]
            unused.append(
                Element(
                    kind: "light", id: one.light.id, name: one.light.name, position: one.position))
        }
        for index in animations.indices where !use.animations[index] {
            let one = animations[index]
            unused.append(
                Element(kind: "animation", id: one.id, name: one.name, position: one.position))
        }
        return unused
    }
}

/// For each element of a document whether anything refers to it.
struct ElementUse {
    private(set) var geometries: [Bool]
    private(set) var controllers: [Bool]
    private(set) var materials: [Bool]
    private(set) var effects: [Bool]
    private(set) var cameras: [Bool]
    private(set) var lights: [Bool]
    /// Animations without clips play always; with clips, those within one that is played or around it do.
    private(set) var animations: [Bool]
    /// `nil` where effects have other profiles, whose images are not known.
    private(set) var images: [Bool]?
    /// Nodes that are instanced, or hold one that is.
    private var nodes: [Bool]
    /// Nodes that stand in another one or in a visual scene.
    private var inner: [Bool]

    init(_ document: ColladaDocument, _ scene: Scene) {
        geometries = Array(repeating: false, count: document.geometries.count)
        controllers = Array(repeating: false, count: document.controllers.count)
        materials = Array(repeating: false, count: document.materials.count)
        effects = Array(repeating: false, count: document.effects.count)
        cameras = Array(repeating: false, count: document.cameras.count)
        lights = Array(repeating: false, count: document.lights.count)
        animations = Array(repeating: scene.clips.isEmpty, count: document.animations.count)
        nodes = Array(repeating: false, count: document.nodes.count)
        inner = nodes
        markInner(document)
        markInstances(scene)
        markControllers(scene)
        markNamed(document)
        markAnimations(document, scene)
        markImages(document, scene)
    }

    /// Whether a node stands in a library and neither it nor one in it is instanced.
    func isIdle(_ node: Int) -> Bool { !nodes[node] && !inner[node] }

    private mutating func markInner(_ document: ColladaDocument) {
        document.nodes.forEachChild { child, _ in inner[child] = true }
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
                    geometries[geometry.value] = true
                    mark(bindings)
                case .controller(let controller, skeleton: _, let bindings):
                    controllers[controller.value] = true
                    mark(bindings)
                case .camera(let camera): cameras[camera.value] = true
                case .light(let light): lights[light.value] = true
                }
            }
        }
    }

    private mutating func mark(_ bindings: [MaterialBinding]) {
        for binding in bindings {
            if let material = binding.material { materials[material.value] = true }
        }
    }

    private mutating func markControllers(_ scene: Scene) {
        for controller in scene.controllers {
            switch controller.source {
            case .geometry(let geometry): geometries[geometry.value] = true
            case .controller(let other): controllers[other.value] = true
            case nil: break
            }
            guard case .morph(let morph)? = controller.kind else { continue }
            for target in morph.targets {
                if let geometry = target.geometry { geometries[geometry.value] = true }
            }
        }
        for geometry in scene.geometries {
            if let whole = geometry.hullOf { geometries[whole.value] = true }
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
            if isNamed(document.geometries[index].id, nil, in: shapes) { geometries[index] = true }
        }
        markNodes(document)
    }

    private mutating func markEffects(_ document: ColladaDocument) {
        // In spans: what is taken out of a list would be copied.
        let (all, materials) = (document.effects.span, document.materials.span)
        // Mostly each material has the effect at its own place; then nothing is looked for.
        for index in 0..<min(all.count, materials.count) {
            if let id = all[index].id, materials[index].effect?.id == id { effects[index] = true }
        }
        guard effects.contains(false) else { return }
        var used: Set<String> = []
        for index in materials.indices {
            if let id = materials[index].effect?.id { used.insert(id) }
        }
        for index in all.indices where !effects[index] {
            effects[index] = isNamed(all[index].id, all[index].name, in: used)
        }
    }

    private mutating func markNodes(_ document: ColladaDocument) {
        var instanced: Set<String> = []
        document.nodes.forEachContent(where: \.namesNodes) { content in
            switch content {
            case .instanceNode(let reference), .instance(let reference): instanced.insert(reference.id)
            case .instanceController(_, let skeletons, _): instanced.formUnion(skeletons.map(\.id))
            case .node, .instanceGeometry, .instanceCamera, .instanceLight: break
            }
        }
        guard !instanced.isEmpty else { return }
        // Children stand before their parents.
        for index in document.nodes.indices {
            if isNamed(document.nodes[index].id, document.nodes[index].name, in: instanced) { nodes[index] = true }
            for child in document.nodes[index].contents.children where nodes[child] { nodes[index] = true }
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
        guard !scene.clips.isEmpty else { return }
        for animation in scene.clips.flatMap(\.animations) { animations[animation.value] = true }
        // Parents stand before what is in them: what plays takes all below it along, and is no longer idle itself.
        for index in document.animations.indices where animations[index] {
            for child in document.animations[index].children { animations[child] = true }
        }
        for index in document.animations.indices.reversed() {
            if document.animations[index].children.contains(where: { animations[$0] }) { animations[index] = true }
        }
    }

    private mutating func markImages(_ document: ColladaDocument, _ scene: Scene) {
        // In a span: what is taken out of a list would be copied.
        let effects = document.effects.span
        for index in effects.indices where !effects[index].profiles.isEmpty { return }
        var used = Array(repeating: false, count: document.images.count)
        scene.materials.forEachImage { used[$0.value] = true }
        // Nearly always each is; then nothing else need be asked.
        if used.contains(false) { markNamedImages(document, &used) }
        images = used
    }

    private func markNamedImages(_ document: ColladaDocument, _ used: inout [Bool]) {
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
        for (index, image) in document.images.enumerated() where !used[index] {
            used[index] = isNamed(image.id, image.name, in: names)
        }
    }
}

extension ColladaDocument.Node.Content.Kind {
    /// Whether it refers to nodes.
    fileprivate var namesNodes: Bool {
        switch self {
        case .instanceNode, .instance, .instanceController: true
        case .node, .instanceGeometry, .instanceCamera, .instanceLight: false
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

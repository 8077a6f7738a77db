import Diagnostics
import SceneModel
import XMLReader

/// What the ids of a document, and of those it refers to, lead to.
struct ReferenceTable {
    /// The document whose ids count where nothing else says which: that of the element being looked at.
    var home = 0
    private let shared: SharedDocument
    private var linked: LinkedDocument { _read { yield shared.linked } }
    private let repairs: ColladaOptions.Repairs
    private var targets: [IDTable<PackedTarget>]
    /// The first of every other kind with an id that stands more than once.
    private var namesakes: [[String: [Target]]]
    /// Made when first asked for: most documents never need it.
    private var names: [Name: Named]?

    private struct Name: Hashable {
        let document: Int
        let element: String
        let text: String
    }

    private enum Named {
        case once(Target)
        case several
    }

    init(_ shared: SharedDocument, options: ColladaOptions = ColladaOptions()) {
        self.shared = shared
        repairs = options.repairs
        targets = shared.linked.paths.map { _ in IDTable() }
        namesakes = shared.linked.paths.map { _ in [:] }
        if targets.count == 1 { targets[0].reserveCapacity(shared.linked.document.targetCount) }
        shared.linked.document.forEachTarget { target, position, id, _ in
            guard let id, !id.isEmpty, targets.indices.contains(position.document) else { return }
            let known = targets[position.document].insert(PackedTarget(target), for: id)
            noteNamesake(target, of: known?.target, id, in: position.document)
        }
    }

    /// That an id stands twice was told by who read it.
    private mutating func noteNamesake(_ target: Target, of first: Target?, _ id: String, in document: Int) {
        guard let first else { return }
        // One of each kind, so that no lookup has to pass many.
        let others = namesakes[document][id] ?? []
        guard first.element != target.element, !others.contains(where: { $0.element == target.element }) else { return }
        namesakes[document][id] = others + [target]
    }

    /// Gives the memory back once all references were followed.
    mutating func forget() {
        targets = targets.map { _ in IDTable() }
        namesakes = namesakes.map { _ in [:] }
        names = nil
    }

    /// Where an element is, with its id.
    func place(of target: Target) -> Place {
        let (position, id) = linked.document.position(of: target)
        var place = Place(position)
        place.elementID = id
        return place
    }

    // MARK: - References

    /// What a reference within its document leads to, as nearly all are written: with its `#`, to the first element of
    /// an id. Where that is `nil` or not what is meant, ``resolve(_:_:log:)`` says more.
    func plainTarget(of reference: ColladaDocument.Reference) -> Target? {
        guard reference.isLocal, targets.indices.contains(reference.document) else { return nil }
        return targets[reference.document][reference.id]?.target
    }

    /// What a reference leads to. One without `#` is taken as an id and told, and what has no such id is looked for by
    /// its name and told.
    ///
    /// - Parameter expected: The elements that are meant, where an id or name stands more than once.
    mutating func resolve(
        _ reference: ColladaDocument.Reference, _ expected: [String], log: inout FindingLog
    ) -> Result {
        guard let file = reference.file else {
            if let found = lookUp(reference.id, in: reference.document, where: { expected.contains($0.element) }) {
                if !reference.isLocal { tellMissingHash(reference, &log) }
                return .found(found)
            }
            return byName(reference, expected, in: reference.document, &log).map { .found($0) } ?? .missing
        }
        switch linked.links[.init(document: reference.document, name: file)] {
        case nil: return .external(.notRead)
        case .missing(let tried): return .external(.noFile(tried: tried))
        case .unreadable(let path, let reason): return .external(.unreadable(path: path, reason: reason))
        case .blocked(let reason): return .external(.blocked(reason: reason))
        case .document(let document):
            let found =
                lookUp(reference.id, in: document, where: { expected.contains($0.element) })
                ?? byName(reference, expected, in: document, &log)
            if let found { return .found(found) }
            return document == reference.document
                ? .missing : .external(.noID(path: linked.paths[document] ?? file))
        }
    }

    /// The document that a reference leads into; `nil` for one that was not read.
    func document(of reference: ColladaDocument.Reference) -> Int? {
        guard let file = reference.file else { return reference.document }
        switch linked.links[.init(document: reference.document, name: file)] {
        case .document(let document): return document
        case .missing, .unreadable, .blocked, nil: return nil
        }
    }

    /// The element with an id.
    ///
    /// - Parameters:
    ///   - document: ``home`` where it is not given.
    ///   - isWanted: Which one is meant where an id stands twice.
    func lookUp(_ id: String, in document: Int? = nil, where isWanted: (Target) -> Bool) -> Target? {
        let document = document ?? home
        guard targets.indices.contains(document) else { return nil }
        func lookUp(_ id: String) -> Target? {
            guard let first = targets[document][id]?.target else { return nil }
            return isWanted(first) ? first : namesakes[document][id]?.first(where: isWanted) ?? first
        }
        if let found = lookUp(id) { return found }
        let decoded = id.percentDecoded
        return decoded == id ? nil : lookUp(decoded)
    }

    /// The only element of some kinds that has a name: the last resort for a reference whose id is nowhere.
    mutating func lookUp(name: String, in document: Int? = nil, _ elements: [String]) -> Target? {
        guard !name.isEmpty else { return nil }
        if names == nil { names = Self.names(of: linked.document) }
        var found: Target?
        for element in elements {
            switch names?[Name(document: document ?? home, element: element, text: name)] {
            case nil: continue
            case .several: return nil
            case .once(let target):
                guard found == nil else { return nil }
                found = target
            }
        }
        return found
    }

    private mutating func byName(
        _ reference: ColladaDocument.Reference, _ expected: [String], in document: Int, _ log: inout FindingLog
    ) -> Target? {
        let id = reference.id
        guard repairs == .made,
            let found = lookUp(name: id, in: document, expected)
                ?? lookUp(name: id.percentDecoded, in: document, expected)
        else { return nil }
        log.add(
            .refByName, at: Place(reference.position),
            "\(reference.text.quoted()) is no id; the only \(found.element) of that name was taken",
            arguments: [.init("reference", reference.text), .init("element", found.element)])
        return found
    }

    private static func names(of document: ColladaDocument) -> [Name: Named] {
        var names: [Name: Named] = [:]
        document.forEachTarget { target, position, _, name in
            guard let name = name(), !name.isEmpty else { return }
            let key = Name(document: position.document, element: target.element, text: name)
            names[key] = names[key] == nil ? .once(target) : .several
        }
        return names
    }

    func tellMissingHash(_ reference: ColladaDocument.Reference, _ log: inout FindingLog) {
        let text = reference.text
        log.add(
            .refMissingHash, at: Place(reference.position),
            "the reference \(text.quoted()) lacks its #",
            arguments: [.init("reference", text)], fix: "write #\(text)")
    }
}

extension ReferenceTable {
    /// An element that a reference may lead to, by its place in the document's list of its kind.
    enum Target: Hashable {
        case geometry(Int), controller(Int), effect(Int), material(Int), image(Int), camera(Int), light(Int)
        case node(Int), visualScene(Int), animation(Int), animationClip(Int)
        case mechanics(MechanicsTarget)

        /// The element it is.
        var element: String {
            switch self {
            case .geometry: "geometry"
            case .controller: "controller"
            case .effect: "effect"
            case .material: "material"
            case .image: "image"
            case .camera: "camera"
            case .light: "light"
            case .node: "node"
            case .visualScene: "visual_scene"
            case .animation: "animation"
            case .animationClip: "animation_clip"
            case .mechanics(let target): target.element
            }
        }
    }

    enum Result {
        case found(Target)
        case missing
        case external(Absence)
    }

    /// Why another document's element is not there.
    enum Absence {
        /// Other documents were not asked for.
        case notRead
        case noFile(tried: String)
        case unreadable(path: String, reason: String)
        /// Why, as a clause that follows "it".
        case blocked(reason: String)
        /// The document was read and has no such id.
        case noID(path: String)
    }
}

extension ColladaDocument {
    /// Where an element that a reference leads to begins, and its id.
    func position(of target: ReferenceTable.Target) -> (XMLPosition, id: String?) {
        switch target {
        case .geometry(let index): (geometries[index].position, geometries[index].id)
        case .controller(let index): (controllers[index].position, controllers[index].id)
        case .effect(let index): (effects[index].position, effects[index].id)
        case .material(let index): (materials[index].position, materials[index].id)
        case .image(let index): (images[index].position, images[index].id)
        case .camera(let index): (cameras[index].position, cameras[index].camera.id)
        case .light(let index): (lights[index].position, lights[index].light.id)
        case .node(let index): (nodes[index].position, nodes[index].id)
        case .visualScene(let index): (visualScenes[index].position, visualScenes[index].id)
        case .animation(let index): (animations[index].position, animations[index].id)
        case .animationClip(let index): (animationClips[index].position, animationClips[index].id)
        case .mechanics(let wanted):
            mechanicsTargets.first { $0.target == wanted }.map { ($0.position, $0.id) } ?? (XMLPosition(), nil)
        }
    }

    /// How many elements a reference may lead to; one more than there is room for would double the room.
    var targetCount: Int {
        let few = cameras.count + lights.count + visualScenes.count + animationClips.count + mechanicsTargets.count
        return geometries.count + controllers.count + effects.count + materials.count + images.count + nodes.count
            + animations.count + few
    }

    /// Every element that a reference may lead to, kind by kind, with its id and name.
    func forEachTarget(
        _ visit: (ReferenceTable.Target, XMLPosition, _ id: String?, _ name: () -> String?) -> Void
    ) {
        // In spans: an element taken out of its list would be copied, with all it holds.
        let (geometries, controllers, effects) = (geometries.span, controllers.span, effects.span)
        for index in geometries.indices {
            visit(.geometry(index), geometries[index].position, geometries[index].id) { geometries[index].name }
        }
        for index in controllers.indices {
            visit(.controller(index), controllers[index].position, controllers[index].id) { controllers[index].name }
        }
        for index in effects.indices {
            visit(.effect(index), effects[index].position, effects[index].id) { effects[index].name }
        }
        let (materials, images, nodes) = (materials.span, images.span, nodes.span)
        for index in materials.indices {
            visit(.material(index), materials[index].position, materials[index].id) { materials[index].name }
        }
        for index in images.indices {
            visit(.image(index), images[index].position, images[index].id) { images[index].name }
        }
        for index in cameras.indices {
            visit(.camera(index), cameras[index].position, cameras[index].camera.id) { cameras[index].camera.name }
        }
        for index in lights.indices {
            visit(.light(index), lights[index].position, lights[index].light.id) { lights[index].light.name }
        }
        for index in nodes.indices {
            visit(.node(index), nodes[index].position, nodes[index].id) { nodes[index].name }
        }
        for index in visualScenes.indices {
            visit(.visualScene(index), visualScenes[index].position, visualScenes[index].id) {
                visualScenes[index].name
            }
        }
        for index in animations.indices {
            visit(.animation(index), animations[index].position, animations[index].id) { animations[index].name }
        }
        for index in animationClips.indices {
            visit(.animationClip(index), animationClips[index].position, animationClips[index].id) {
                animationClips[index].name
            }
        }
        for one in mechanicsTargets { visit(.mechanics(one.target), one.position, one.id) { nil } }
    }
}

// A table of ids has an entry for each of a document's elements, and lies beside document and scene at their largest.

/// What an id leads to, in eight bytes instead of sixteen.
struct PackedTarget: BitwiseCopyable {
    private enum Kind: UInt8 {
        case geometry, controller, effect, material, image, camera, light, node, visualScene, animation, animationClip
        case physicsMaterial, forceField, physicsModel, physicsScene
        case joint, kinematicsModel, articulatedSystem, kinematicsScene, formula

        init(_ target: MechanicsTarget) {
            self =
                switch target {
                case .physicsMaterial: .physicsMaterial
                case .forceField: .forceField
                case .physicsModel: .physicsModel
                case .physicsScene: .physicsScene
                case .joint: .joint
                case .kinematicsModel: .kinematicsModel
                case .articulatedSystem: .articulatedSystem
                case .kinematicsScene: .kinematicsScene
                case .formula: .formula
                }
        }
    }

    /// More elements than fit would need hundreds of gigabytes.
    private let place: UInt32
    private let kind: Kind

    private init(_ kind: Kind, _ place: Int) {
        self.kind = kind
        self.place = UInt32(truncatingIfNeeded: place)
    }

    init(_ target: ReferenceTable.Target) {
        switch target {
        case .geometry(let place): self.init(.geometry, place)
        case .controller(let place): self.init(.controller, place)
        case .effect(let place): self.init(.effect, place)
        case .material(let place): self.init(.material, place)
        case .image(let place): self.init(.image, place)
        case .camera(let place): self.init(.camera, place)
        case .light(let place): self.init(.light, place)
        case .node(let place): self.init(.node, place)
        case .visualScene(let place): self.init(.visualScene, place)
        case .animation(let place): self.init(.animation, place)
        case .animationClip(let place): self.init(.animationClip, place)
        case .mechanics(let target): self.init(Kind(target), target.index)
        }
    }

    var target: ReferenceTable.Target {
        let place = Int(place)
        return switch kind {
        case .geometry: .geometry(place)
        case .controller: .controller(place)
        case .effect: .effect(place)
        case .material: .material(place)
        case .image: .image(place)
        case .camera: .camera(place)
        case .light: .light(place)
        case .node: .node(place)
        case .visualScene: .visualScene(place)
        case .animation: .animation(place)
        case .animationClip: .animationClip(place)
        case .physicsMaterial: .mechanics(.physicsMaterial(place))
        case .forceField: .mechanics(.forceField(place))
        case .physicsModel: .mechanics(.physicsModel(place))
        case .physicsScene: .mechanics(.physicsScene(place))
        case .joint: .mechanics(.joint(place))
        case .kinematicsModel: .mechanics(.kinematicsModel(place))
        case .articulatedSystem: .mechanics(.articulatedSystem(place))
        case .kinematicsScene: .mechanics(.kinematicsScene(place))
        case .formula: .mechanics(.formula(place))
        }
    }
}

/// What an id of physics or kinematics leads to: a place in the document's list of its kind.
enum MechanicsTarget: Hashable {
    case physicsMaterial(Int), forceField(Int), physicsModel(Int), physicsScene(Int)
    case joint(Int), kinematicsModel(Int), articulatedSystem(Int), kinematicsScene(Int), formula(Int)

    /// The element it is.
    var element: String {
        switch self {
        case .physicsMaterial: "physics_material"
        case .forceField: "force_field"
        case .physicsModel: "physics_model"
        case .physicsScene: "physics_scene"
        case .joint: "joint"
        case .kinematicsModel: "kinematics_model"
        case .articulatedSystem: "articulated_system"
        case .kinematicsScene: "kinematics_scene"
        case .formula: "formula"
        }
    }

    var index: Int {
        switch self {
        case .physicsMaterial(let index), .forceField(let index), .physicsModel(let index), .physicsScene(let index),
            .joint(let index), .kinematicsModel(let index), .articulatedSystem(let index),
            .kinematicsScene(let index), .formula(let index):
            index
        }
    }
}

extension ColladaDocument {
    /// Everything of physics and kinematics that may have an id.
    var mechanicsTargets: [(id: String?, target: MechanicsTarget, position: XMLPosition)] {
        var all: [(id: String?, target: MechanicsTarget, position: XMLPosition)] = []
        for (index, element) in physicsMaterials.enumerated() {
            all.append((element.material.id, .physicsMaterial(index), element.position))
        }
        for (index, element) in forceFields.enumerated() {
            all.append((element.id, .forceField(index), element.position))
        }
        for (index, element) in physicsModels.enumerated() {
            all.append((element.id, .physicsModel(index), element.position))
        }
        for (index, element) in physicsScenes.enumerated() {
            all.append((element.id, .physicsScene(index), element.position))
        }
        for (index, element) in joints.enumerated() { all.append((element.id, .joint(index), element.position)) }
        for (index, element) in kinematicsModels.enumerated() {
            all.append((element.id, .kinematicsModel(index), element.position))
        }
        for (index, element) in articulatedSystems.enumerated() {
            all.append((element.id, .articulatedSystem(index), element.position))
        }
        for (index, element) in kinematicsScenes.enumerated() {
            all.append((element.id, .kinematicsScene(index), element.position))
        }
        for (index, element) in formulas.enumerated() { all.append((element.id, .formula(index), element.position)) }
        return all
    }
}

import Diagnostics
import SceneModel
import XMLReader

/// What the ids of a document lead to.
struct ReferenceTable {
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
        /// In another document.
        case external
    }

    private var targets: [String: Target] = [:]
    /// The later ones of an id that stands more than once.
    private var namesakes: [String: [Target]] = [:]
    private let documentName: String?

    init(_ document: ColladaDocument, documentName: String?, log: inout FindingLog) {
        self.documentName = documentName
        for (index, element) in document.geometries.enumerated() {
            add(element.id, .geometry(index), element.position, &log)
        }
        for (index, element) in document.controllers.enumerated() {
            add(element.id, .controller(index), element.position, &log)
        }
        for (index, element) in document.effects.enumerated() {
            add(element.id, .effect(index), element.position, &log)
        }
        for (index, element) in document.materials.enumerated() {
            add(element.id, .material(index), element.position, &log)
        }
        for (index, element) in document.images.enumerated() { add(element.id, .image(index), element.position, &log) }
        for (index, element) in document.cameras.enumerated() {
            add(element.camera.id, .camera(index), element.position, &log)
        }
        for (index, element) in document.lights.enumerated() {
            add(element.light.id, .light(index), element.position, &log)
        }
        for (index, element) in document.nodes.enumerated() { add(element.id, .node(index), element.position, &log) }
        for (index, element) in document.visualScenes.enumerated() {
            add(element.id, .visualScene(index), element.position, &log)
        }
        for (index, element) in document.animations.enumerated() {
            add(element.id, .animation(index), element.position, &log)
        }
        for (index, element) in document.animationClips.enumerated() {
            add(element.id, .animationClip(index), element.position, &log)
        }
        for (id, target, position) in document.mechanicsTargets { add(id, .mechanics(target), position, &log) }
    }

    private mutating func add(_ id: String?, _ target: Target, _ position: XMLPosition, _ log: inout FindingLog) {
        guard let id, !id.isEmpty else { return }
        guard targets[id] == nil else {
            var place = Place(position)
            place.elementID = id
            log.add(
                .idDuplicate, at: place,
                "the id \(id.prefix(200).debugDescription) stands twice; the first one counts",
                arguments: [.init("id", id)])
            namesakes[id, default: []].append(target)
            return
        }
        targets[id] = target
    }

    /// What a reference leads to; one without `#` is taken as an id and told.
    ///
    /// - Parameter isWanted: Which one is meant where an id stands twice.
    func resolve(
        _ reference: ColladaDocument.Reference, where isWanted: (Target) -> Bool, log: inout FindingLog
    ) -> Result {
        let text = reference.text
        guard let hash = text.firstIndex(of: "#") else {
            guard let found = lookUp(text, where: isWanted) else { return .missing }
            log.add(
                .refMissingHash, at: Place(reference.position),
                "the reference \(text.prefix(200).debugDescription) lacks its #",
                arguments: [.init("reference", text)], fix: "write #\(text)")
            return .found(found)
        }
        let file = String(text[..<hash])
        guard file.isEmpty || isOwn(file) else { return .external }
        return lookUp(String(text[text.index(after: hash)...]), where: isWanted).map { .found($0) } ?? .missing
    }

    private func isOwn(_ file: String) -> Bool {
        guard let documentName else { return false }
        let name = file.hasPrefix("./") ? String(file.dropFirst(2)) : file
        return name == documentName || name.percentDecoded == documentName
    }

    func lookUp(_ id: String, where isWanted: (Target) -> Bool) -> Target? {
        for id in [id, id.percentDecoded] {
            guard let first = targets[id] else { continue }
            return isWanted(first) ? first : namesakes[id]?.first(where: isWanted) ?? first
        }
        return nil
    }
}

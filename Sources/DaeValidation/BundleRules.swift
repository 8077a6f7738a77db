import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

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

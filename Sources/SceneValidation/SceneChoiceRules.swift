import ColladaParser
import Diagnostics
import SceneModel
import XMLReader

/// What a document offers beside the scene that is shown.
enum SceneChoiceRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let scenes = subject.document.visualScenes
        guard scenes.count > 1 else { return }
        for scene in scenes where scene.id != subject.scene.id {
            let name = scene.id ?? scene.name ?? "without an id"
            log.add(
                .sceneMultipleVisualScenes, at: Place(scene.position),
                "the visual scene \(name) is not instantiated: it is not shown",
                arguments: [.init("scene", name)])
        }
    }
}

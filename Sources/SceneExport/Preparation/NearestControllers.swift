// Chains of controllers may be long, and shown thousands of times: what each leads to is found once for all of them.

import SceneModel

/// For each controller of a scene, the nearest one of its chain that is of some kind, itself first.
struct NearestControllers {
    /// −1 for none.
    private var found: [Int32]

    /// - Parameter isMeant: Whether a controller, by its place, is of that kind.
    init(of scene: Scene, where isMeant: (Int) -> Bool) {
        var found = [Int32?](repeating: nil, count: scene.controllers.count)
        for start in found.indices where found[start] == nil {
            var path: [Int] = []
            var result: Int32 = -1
            var next = Optional(start)
            while let index = next, found.indices.contains(index) {
                if let known = found[index] {
                    result = known
                    break
                }
                path.append(index)
                if isMeant(index) {
                    result = Int32(clamping: index)
                    break
                }
                // A cycle ends here.
                found[index] = -1
                switch scene.controllers[index].source {
                case .controller(let below): next = below.value
                case .geometry, nil: next = nil
                }
            }
            for index in path { found[index] = result }
        }
        self.found = found.map { $0 ?? -1 }
    }

    /// The skins whose joints instances are bound to, as ``Scene/skin(of:)`` finds them.
    static func skins(of scene: Scene) -> NearestControllers {
        NearestControllers(of: scene) { index in
            switch scene.controllers[index].kind {
            case .skin: true
            case .morph, nil: false
            }
        }
    }

    subscript(controller: SceneIndex<Controller>) -> SceneIndex<Controller>? {
        guard found.indices.contains(controller.value), found[controller.value] >= 0 else { return nil }
        return SceneIndex(Int(found[controller.value]))
    }

    func has(_ controller: SceneIndex<Controller>) -> Bool { self[controller] != nil }
}

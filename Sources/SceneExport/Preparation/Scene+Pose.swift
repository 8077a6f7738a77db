import SceneModel

extension Scene {
    /// The scene as its channels have it at one moment, in seconds, and without them: nodes, weights of morphs, cameras
    /// and lights. What channels do to materials is left out.
    func posed(at time: Double) -> Scene {
        var pose = PoseEvaluator(scene: self, channels: channels)
        pose.move(to: time)
        var scene = self
        scene.animations = []
        scene.clips = []
        var moved = Set<Int>()
        for channel in channels {
            if case .transform(let node, at: _, _) = channel.target { moved.insert(node.value) }
        }
        for node in moved where scene.nodes.indices.contains(node) {
            scene.nodes[node].transforms = [.matrix(pose.locals[node])]
            scene.nodes[node].transformSIDs = []
        }
        for index in scene.controllers.indices {
            guard case .morph(var morph) = scene.controllers[index].kind else { continue }
            morph.weights = pose.morphWeights(of: SceneIndex(index))
            scene.controllers[index].kind = .morph(morph)
        }
        for index in scene.cameras.indices { scene.cameras[index] = pose.camera(SceneIndex(index), in: self) }
        for index in scene.lights.indices { scene.lights[index] = pose.light(SceneIndex(index), in: self) }
        return scene
    }
}

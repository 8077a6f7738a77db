import DaeScene

extension Scene {
    /// The scene as its channels have it at one moment, in seconds, and without them: nodes, weights of morphs, materials,
    /// cameras and lights.
    ///
    /// - Returns: The scene, and for each channel of a material that moves nothing in it, that material: one that leads
    ///   into another profile, or does not fit what the material has.
    func posed(at time: Double) -> (scene: Scene, left: [SceneIndex<Material>]) {
        let channels = channels
        var pose = PoseEvaluator(scene: self, channels: channels)
        pose.move(to: time)
        var scene = self
        scene.animations = []
        scene.clips = []
        var moved = Set<Int>()
        var left: [SceneIndex<Material>] = []
        for (index, channel) in channels.enumerated() {
            switch channel.target {
            case .transform(let node, at: _, _): moved.insert(node.value)
            case .material(let material, let parameter, let member):
                guard scene.materials.indices.contains(material.value) else { continue }
                let values = pose.values(ofChannel: index) ?? []
                if !scene.materials[material.value].set(parameter, member, to: values) { left.append(material) }
            case .morphWeight, .camera, .light: break
            }
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
        return (scene, left)
    }
}

extension Material {
    /// - Returns: Whether there is such a value, and the new one fits it.
    fileprivate mutating func set(
        _ parameter: AnimationTarget.MaterialParameter, _ member: AnimationMember, to values: ArraySlice<Double>
    ) -> Bool {
        guard case .property(let property) = parameter, values.allSatisfy(\.isFinite) else { return false }
        switch properties[property] {
        case .number:
            guard let value = values.first, values.count == 1 else { return false }
            properties[property] = .number(value)
        case .color(var color):
            // The alpha may be left out.
            guard let range = member.range(inVectorOf: 4), range.count == values.count || values.count == 3 else {
                return false
            }
            for (lane, value) in zip(range, values) { color[lane] = value }
            properties[property] = .color(color)
        case .texture, nil: return false
        }
        opacity = Opacity(
            transparent: properties[.transparent], transparency: properties[.transparency]?.number, mode: opacityMode)
        return true
    }
}

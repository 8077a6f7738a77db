import DaeScene

extension Scene {
    /// With the nodes in one order: from the roots down, then those that only stand in libraries.
    ///
    /// The scene's own order is that of the elements' ends. Which of a node's places holds the element and which an
    /// instance is nothing that a scene says, so a writer may end them in another order.
    var normalised: Scene {
        let edges = self.edges
        var order: [Int] = []
        var seen = Set<Int>()
        let starts = roots.map(\.value) + nodes.indices.filter { edges[$0] == 0 }
        for start in starts {
            var stack = [start]
            while let node = stack.popLast() {
                guard seen.insert(node).inserted else { continue }
                order.append(node)
                stack += nodes[node].children.map(\.value).reversed()
            }
        }
        var places = [SceneIndex<Node>](repeating: SceneIndex(0), count: nodes.count)
        for (place, node) in order.enumerated() { places[node] = SceneIndex(place) }
        func moved(_ node: SceneIndex<Node>) -> SceneIndex<Node> { places[node.value] }

        var scene = self
        scene.roots = roots.map(moved)
        scene.nodes = order.map { nodes[$0] }
        for index in scene.nodes.indices {
            scene.nodes[index].children = scene.nodes[index].children.map(moved)
            scene.nodes[index].instances = scene.nodes[index].instances.map { instance in
                switch instance {
                case .geometry, .camera, .light: return instance
                case .controller(let controller, var skeleton, let materials):
                    skeleton.roots = skeleton.roots.map { .init(reference: $0.reference, node: $0.node.map(moved)) }
                    skeleton.joints = skeleton.joints.map { $0.map(moved) }
                    // It follows from the rest.
                    skeleton.carrier = .none
                    return .controller(controller, skeleton: skeleton, materials: materials)
                }
            }
        }
        for index in scene.animations.indices {
            scene.animations[index].channels = scene.animations[index].channels.map { channel in
                switch channel.target {
                case .transform(let node, let at, let member):
                    AnimationChannel(target: .transform(moved(node), at: at, member), curve: channel.curve)
                case .morphWeight, .material, .camera, .light: channel
                }
            }
        }
        scene.physics.moveNodes(moved)
        for index in scene.kinematics.active.indices {
            scene.kinematics.active[index].models = scene.kinematics.active[index].models.map {
                .init(model: $0.model, instance: $0.instance, node: moved($0.node))
            }
            for place in scene.kinematics.active[index].axes.indices {
                let node = scene.kinematics.active[index].axes[place].node
                scene.kinematics.active[index].axes[place].node = node.map(moved)
            }
        }
        return scene
    }
}

extension Physics {
    fileprivate mutating func moveNodes(_ moved: (SceneIndex<Node>) -> SceneIndex<Node>) {
        for model in models.indices {
            for place in models[model].constraints.indices {
                models[model].constraints[place].reference.moveNode(moved)
                models[model].constraints[place].attachment.moveNode(moved)
            }
            for place in models[model].instances.indices { models[model].instances[place].moveNodes(moved) }
        }
        for scene in scenes.indices {
            for place in scenes[scene].instances.indices { scenes[scene].instances[place].moveNodes(moved) }
        }
    }
}

extension PhysicsModelInstance {
    fileprivate mutating func moveNodes(_ moved: (SceneIndex<Node>) -> SceneIndex<Node>) {
        parent = parent.map(moved)
        for index in bodies.indices { bodies[index].node = bodies[index].node.map(moved) }
    }
}

extension RigidConstraint.Attachment {
    fileprivate mutating func moveNode(_ moved: (SceneIndex<Node>) -> SceneIndex<Node>) {
        switch anchor {
        case .node(let node): anchor = .node(moved(node))
        case .body, .world, .lost: break
        }
    }
}

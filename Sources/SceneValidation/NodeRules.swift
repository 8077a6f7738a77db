import ColladaParser
import Diagnostics
import SceneModel

/// What hangs on nodes.
enum NodeRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        let document = subject.linked.document
        var references: NodeReferences?
        for index in document.nodes.indices {
            let contents = document.nodes[index].contents
            let instances = contents.indices.count { contents.kind(at: $0).hangsOnNode }
            if instances > 1 {
                log.add(
                    .nodeMultipleInstances, at: places.node(index),
                    "the node has \(instances) instances; many programs take one a node",
                    arguments: [.init("instances", "\(instances)")])
            }
            guard contents.isEmpty, document.nodes[index].kind == .node else { continue }
            let named = references ?? NodeReferences(document)
            references = named
            if named.mention(document.nodes[index]) { continue }
            log.add(
                .nodeEmpty, at: places.node(index),
                "the node has neither nodes nor instances, and nothing refers to it")
        }
    }
}

/// The names by which animations, skins, physics and robots mean nodes.
private struct NodeReferences {
    private var names: Set<String> = []

    init(_ document: ColladaDocument) {
        for animation in document.animations {
            for channel in animation.channels { addPath(channel.target.text) }
        }
        for index in document.nodes.indices {
            for content in document.nodes[index].contents { add(content) }
        }
        for controller in document.controllers {
            guard case .skin(let skin) = controller.kind else { continue }
            names.formUnion(skin.jointNames)
        }
        for scene in document.physicsScenes { add(scene.instances) }
        for model in document.physicsModels {
            add(model.instances)
            for constraint in model.constraints {
                for end in [constraint.reference, constraint.attachment] { addPath(end?.rigidBody?.text) }
            }
        }
        for scene in document.scene?.kinematicsScenes ?? [] {
            for binding in scene.models { addPath(binding.node?.text) }
            for binding in scene.axes { addPath(binding.target?.text) }
        }
    }

    func mention(_ node: ColladaDocument.Node) -> Bool {
        [node.id, node.sid, node.name].contains { $0.map(names.contains) ?? false }
    }

    private mutating func add(_ content: ColladaDocument.Node.Content) {
        switch content {
        case .instanceNode(let reference), .instance(let reference): names.insert(reference.id)
        case .instanceController(_, let skeletons, _): for root in skeletons { names.insert(root.id) }
        case .instanceGeometry(_, let materials):
            for material in materials { for parameter in material.parameters { addPath(parameter.target) } }
        case .node, .instanceCamera, .instanceLight: break
        }
    }

    private mutating func add(_ instances: [ColladaDocument.InstancePhysicsModel]) {
        for instance in instances {
            addPath(instance.parent?.text)
            for body in instance.bodies { addPath(body.target.text) }
        }
    }

    /// Every step of an address may be a node's.
    private mutating func addPath(_ text: String?) {
        guard let text else { return }
        for step in text.split(separator: "/") { names.insert(String(step.first == "#" ? step.dropFirst() : step)) }
    }
}

extension ColladaDocument.Node.Content.Kind {
    /// Whether it shows something at the node itself.
    fileprivate var hangsOnNode: Bool {
        switch self {
        case .instanceGeometry, .instanceController, .instanceCamera, .instanceLight, .instance: true
        case .node, .instanceNode: false
        }
    }
}

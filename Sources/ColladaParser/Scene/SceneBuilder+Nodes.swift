// Nodes with their matrices, and what hangs on them.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    mutating func node(_ node: ColladaDocument.Node) -> Node {
        let place = Self.place(of: node)
        for placed in node.transforms {
            if case .matrix(let given) = placed.transform, !given.isAffine {
                log.add(
                    .nodeTransformNonAffine, at: place,
                    "a matrix's last row is not 0 0 0 1; it may be written column by column")
            }
            if placed.transform.matrix == nil { tellDegenerate(placed.transform, at: place) }
        }
        let id = node.id?.detached()
        return Node(
            id: id, name: node.name?.detached(or: id), sid: node.sid?.detached(or: id), kind: node.kind,
            transforms: node.transforms.map(\.transform),
            transformSIDs: node.transforms.contains { $0.sid != nil } ? node.transforms.map { $0.sid?.detached() } : [])
    }

    mutating func tellDegenerate(_ transform: Transform, at place: Place) {
        switch transform {
        case .rotate:
            log.add(.nodeRotateAxisZero, at: place, "a rotation's axis is 0 0 0; it was left out")
        case .lookat:
            log.add(
                .nodeLookatDegenerate, at: place,
                "a lookat's eye is its interest, or its up is along its view; it was left out")
        case .skew:
            log.add(.nodeTransformNonAffine, at: place, "a skew's axes or angle make no matrix; it was left out")
        case .matrix, .translate, .scale: break
        }
    }

    static func place(of node: ColladaDocument.Node) -> Place {
        var place = Place(node.position)
        place.elementID = node.id
        return place
    }

    mutating func connect(_ index: Int) {
        var sids = (document.instanceSIDs[index] ?? [])[...]
        for (place, content) in document.nodes[index].contents.enumerated() {
            let target = connect(content, to: index)
            guard let sid = sids.first, sid.content == place else { continue }
            sids.removeFirst()
            instanceTargets.add(sid, of: index, to: target)
        }
    }

    /// - Returns: What an instance leads to.
    private mutating func connect(
        _ content: ColladaDocument.Node.Content, to index: Int
    ) -> ReferenceTable.Target? {
        switch content {
        case .node(let child):
            scene.nodes[index].children.append(SceneIndex(child))
            return nil
        case .instanceNode(let reference): return instance(reference, on: index, expected: "node")
        case .instanceGeometry(let reference, let materials):
            return instance(reference, on: index, expected: "geometry", materials)
        case .instanceController(let reference, let skeletons, let materials):
            return instance(reference, on: index, expected: "controller", materials, skeletons: skeletons)
        case .instanceCamera(let reference):
            return instance(reference, on: index, expected: "camera", severity: .warning)
        case .instanceLight(let reference):
            return instance(reference, on: index, expected: "light", severity: .warning)
        case .instance(let reference): return instance(reference, on: index, expected: nil)
        }
    }

    /// Hangs what a reference leads to on a node; `expected` is the element it must be, `nil` for any.
    ///
    /// - Returns: What was hung on it.
    private mutating func instance(
        _ reference: ColladaDocument.Reference, on index: Int, expected: String?,
        _ materials: [ColladaDocument.InstanceMaterial] = [], skeletons: [ColladaDocument.Reference] = [],
        severity: Severity = .error
    ) -> ReferenceTable.Target? {
        guard let target = find(reference, expected.map { [$0] } ?? Self.instanced, severity: severity) else {
            return nil
        }
        if let expected, target.element != expected {
            tellWrongType(reference, target, expected: expected)
            return nil
        }
        switch target {
        case .node(let child): scene.nodes[index].children.append(SceneIndex(child))
        case .geometry(let geometry):
            let bindings = bindings(materials, of: geometry, at: reference.position)
            scene.nodes[index].instances.append(.geometry(SceneIndex(geometry), materials: bindings))
        case .controller(let controller):
            unbound.append(
                UnboundInstance(
                    node: index, place: scene.nodes[index].instances.count, controller: SceneIndex(controller),
                    position: reference.position, skeletons: skeletons))
            let drawn = scene.controllers[controller].base?.value
            let bindings = bindings(materials, of: drawn, at: reference.position)
            scene.nodes[index].instances.append(
                .controller(SceneIndex(controller), skeleton: .none, materials: bindings))
        case .camera(let camera): scene.nodes[index].instances.append(.camera(SceneIndex(camera)))
        case .light(let light): scene.nodes[index].instances.append(.light(SceneIndex(light)))
        case .effect, .material, .image, .visualScene, .animation, .animationClip, .mechanics:
            tellWrongType(reference, target, expected: Self.instanced.joined(separator: " or "))
            return nil
        }
        return target
    }

    static let instanced = ["geometry", "controller", "node", "camera", "light"]
}

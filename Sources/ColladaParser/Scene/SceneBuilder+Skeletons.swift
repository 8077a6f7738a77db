// Which nodes are the joints of each instance of a skin.

import Diagnostics
import SceneModel
import XMLReader

/// An instance of a controller whose joints are still to be found.
struct UnboundInstance {
    let node: Int
    /// Among the node's instances.
    let place: Int
    let controller: SceneIndex<Controller>
    /// Of the instance.
    let position: XMLPosition
    let skeletons: [ColladaDocument.Reference]
}

extension SceneBuilder {
    /// Joints that are looked for in all, however many instances share a skin.
    private static let jointLimit = 4_000_000

    /// Instances of one skin with the same roots have the same joints: they are found and told once.
    private struct Key: Hashable {
        let controller: SceneIndex<Controller>
        let roots: [Int]
    }

    /// Finds the joints of every instance, once all nodes stand in the scene.
    mutating func bindJoints() {
        // The finder holds the scene: it must be gone before the scene changes, or all nodes would be copied.
        for (instance, skeleton) in zip(unbound, skeletons()) {
            guard
                case .controller(let index, skeleton: _, let materials) =
                    scene.nodes[instance.node].instances[instance.place]
            else { continue }
            scene.nodes[instance.node].instances[instance.place] = .controller(
                index, skeleton: skeleton, materials: materials)
        }
        unbound = []
    }

    /// One for each instance.
    private mutating func skeletons() -> [Skeleton] {
        var skeletons: [Skeleton] = []
        var finder = JointFinder(scene, table)
        var found: [Key: [SceneIndex<Node>?]] = [:]
        var joints = 0  // of all keys
        for instance in unbound {
            let roots = roots(of: instance)
            guard let skin = scene.skin(of: instance.controller) else {
                skeletons.append(Skeleton(roots: roots, joints: []))
                continue
            }
            let nodes = roots.compactMap(\.node?.value)
            let key = Key(controller: instance.controller, roots: nodes)
            if found[key] == nil {
                joints += skin.joints.count
                found[key] =
                    joints <= Self.jointLimit ? bind(instance, skin, nodes, &finder) : tellLimit(instance, skin)
            }
            skeletons.append(Skeleton(roots: roots, joints: found[key] ?? []))
        }
        return skeletons
    }

    private mutating func roots(of instance: UnboundInstance) -> [Skeleton.Root] {
        instance.skeletons.map { reference in
            var node: SceneIndex<Node>?
            switch find(reference, ["node"], severity: .error) {
            case .node(let index): node = SceneIndex(index)
            case .some(let other): tellWrongType(reference, other, expected: "node")
            case nil: break
            }
            return Skeleton.Root(reference: reference.text, node: node)
        }
    }

    private mutating func bind(
        _ instance: UnboundInstance, _ skin: Skin, _ roots: [Int], _ finder: inout JointFinder
    ) -> [SceneIndex<Node>?] {
        let place = place(of: instance)
        if roots.isEmpty, !skin.joints.isEmpty {
            log.add(
                .skinNoSkeletonRoot, at: place,
                "the instance of a skin names no skeleton that is there; joints are looked for in the whole scene")
        }
        let kind = jointKind(of: instance.controller)
        let below = finder.place(below: roots)
        return skin.joints.map { joint in
            switch finder.find(joint, kind, in: below) {
            case .exact(let node): return SceneIndex(node)
            case .otherwise(let node, let way, let severity):
                log.add(
                    .refByName, at: place, "the joint \(joint.prefix(200).debugDescription) was found \(way)",
                    arguments: [.init("joint", joint)], severity: severity)
                return SceneIndex(node)
            case .missing:
                log.add(
                    .skinJointUnresolved, at: place,
                    "the joint \(joint.prefix(200).debugDescription) is no node here; what it moves stays in its bind shape",
                    arguments: [.init("joint", joint)])
                return nil
            }
        }
    }

    /// How the joints of the controller's skin are written.
    private func jointKind(of controller: SceneIndex<Controller>) -> SourceReader.Words.Kind {
        for index in scene.chain(from: controller) {
            switch document.controllers[index.value].kind {
            case .skin(let skin): return skin.jointWords.kind
            case .morph, .empty: continue
            }
        }
        return .names
    }

    private mutating func tellLimit(_ instance: UnboundInstance, _ skin: Skin) -> [SceneIndex<Node>?] {
        let place = place(of: instance)
        log.add(
            .skinJointUnresolved, at: place,
            "instances of skins have more than \(Self.jointLimit) joints, the most that are looked for")
        return []
    }

    private func place(of instance: UnboundInstance) -> Place {
        var place = Place(instance.position)
        place.elementID = document.nodes[instance.node].id
        return place
    }
}

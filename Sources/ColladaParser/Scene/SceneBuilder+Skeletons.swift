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

    /// Instances of one skin with the same roots in one document have the same joints: they are found and told once.
    private struct Key: Hashable {
        let controller: SceneIndex<Controller>
        let roots: [Int]
        let document: Int
    }

    /// Finds the joints of every instance, once all nodes stand in the scene.
    mutating func bindJoints() throws(ColladaError) {
        guard !unbound.isEmpty else { return }
        let owners = skinOwners()
        let found = skeletons(owners)
        try bringIn(found)
        // What looks at the scene must be gone before the scene changes, or all nodes would be copied.
        for (instance, skeleton) in zip(unbound, carried(found, owners)) {
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
    private mutating func skeletons(_ owners: [Int?]) -> [Skeleton] {
        var skeletons: [Skeleton] = []
        var finder = JointFinder(scene, table, stepLimit: limits.joints)
        var found: [Key: [SceneIndex<Node>?]] = [:]
        var joints = 0  // of all keys
        for instance in unbound {
            let roots = roots(of: instance)
            guard let owner = owners[instance.controller.value], let skin = skin(at: owner) else {
                skeletons.append(Skeleton(roots: roots, joints: []))
                continue
            }
            let nodes = roots.compactMap(\.node?.value)
            let key = Key(controller: instance.controller, roots: nodes, document: instance.position.document)
            if found[key] == nil {
                joints += skin.joints.count
                found[key] =
                    joints <= Self.jointLimit
                    ? bind(instance, skin, of: owner, nodes, &finder) : tellLimit(instance, skin)
            }
            skeletons.append(Skeleton(roots: roots, joints: found[key] ?? []))
        }
        if finder.isExhausted {
            log.tellLimit(finder.stepLimit, "searches for the joints of skins pass more nodes than")
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
        _ instance: UnboundInstance, _ skin: Skin, of owner: Int, _ roots: [Int], _ finder: inout JointFinder
    ) -> [SceneIndex<Node>?] {
        let place = place(of: instance)
        if roots.isEmpty, !skin.joints.isEmpty {
            log.add(
                .skinNoSkeletonRoot, at: place,
                "the instance of a skin names no skeleton that is there; joints are looked for in the whole scene")
        }
        let kind = jointKind(of: owner)
        finder.documents = [document.controllers[owner].position.document, instance.position.document]
        let below = finder.place(below: roots)
        return skin.joints.map { joint in
            let found = finder.find(joint, kind, in: below)
            switch options.repairs == .made || found.isByTheLetter(joint) ? found : .missing {
            case .exact(let node):
                if !found.isByTheLetter(joint) { tellHash(joint, "the joint", at: place) }
                return SceneIndex(node)
            case .otherwise(let node, let way, let severity):
                log.add(
                    .refByName, at: place, "the joint \(joint.quoted()) was found \(way)",
                    arguments: [.init("joint", joint)], severity: severity)
                return SceneIndex(node)
            case .missing:
                log.add(
                    .skinJointUnresolved, at: place,
                    "the joint \(joint.quoted()) is no node here; what it moves stays in its bind shape",
                    arguments: [.init("joint", joint)])
                return nil
            }
        }
    }

    /// How the joints of a skin are written.
    private func jointKind(of owner: Int) -> SourceReader.Words.Kind {
        switch document.controllers[owner].kind {
        case .skin(let skin): skin.jointWords.kind
        case .morph, .empty: .names
        }
    }

    private func skin(at index: Int) -> Skin? {
        switch scene.controllers[index].kind {
        case .skin(let skin): skin
        case .morph, nil: nil
        }
    }

    /// For each controller the first skin of its chain, itself first. Each controller is passed once, however long and
    /// shared chains are.
    func skinOwners() -> [Int?] {
        var owners = [Int?](repeating: nil, count: scene.controllers.count)
        var isKnown = [Bool](repeating: false, count: owners.count)
        for start in owners.indices {
            var chain: [Int] = []
            var next = Optional(start)
            while let index = next, !isKnown[index] {
                isKnown[index] = true
                chain.append(index)
                switch scene.controllers[index].source {
                case .controller(let below): next = below.value
                case .geometry, nil: next = nil
                }
            }
            var owner = next.flatMap { owners[$0] }
            for index in chain.reversed() {
                if skin(at: index) != nil { owner = index }
                owners[index] = owner
            }
        }
        return owners
    }

    private mutating func tellLimit(_ instance: UnboundInstance, _ skin: Skin) -> [SceneIndex<Node>?] {
        let place = place(of: instance)
        log.add(
            .skinJointUnresolved, at: place,
            "instances of skins have more than \(Self.jointLimit) joints, the most that are looked for")
        return []
    }

    func place(of instance: UnboundInstance) -> Place {
        var place = Place(instance.position)
        place.elementID = document.nodes[instance.node].id
        return place
    }
}

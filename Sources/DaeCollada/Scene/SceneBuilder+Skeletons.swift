// Which nodes are the joints of each instance of a skin.

import DaeDiagnostics
import DaeScene
import DaeXML

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

    /// Instances of one skin with the same roots in one document have the same joints: they are found and reported once.
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
                    ? bind(instance, skin, of: owner, nodes, &finder) : reportLimit(instance, skin)
            }
            skeletons.append(Skeleton(roots: roots, joints: found[key] ?? []))
        }
        if finder.isExhausted {
            log.reportLimit(finder.stepLimit, "searches for the joints of skins pass more nodes than")
        }
        return skeletons
    }

    private mutating func roots(of instance: UnboundInstance) -> [Skeleton.Root] {
        instance.skeletons.map { reference in
            Skeleton.Root(reference: reference.text, node: find(reference, .node).map { SceneIndex($0) })
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
                if !found.isByTheLetter(joint) { reportHash(joint, "the joint", at: place) }
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

    private mutating func reportLimit(_ instance: UnboundInstance, _ skin: Skin) -> [SceneIndex<Node>?] {
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

// An exporter may write a skeleton into a library of nodes, or into another document, and instance it nowhere: its joints
// stand where they are written, or the skin would have none.

extension SceneBuilder {
    /// Puts skeletons into the scene that instances of skins in it name and that stand nowhere in it.
    mutating func bringIn(_ skeletons: [Skeleton]) throws(ColladaError) {
        var missing: [(instance: UnboundInstance, skeleton: Skeleton)] = []
        var reached = scene.reachedNodes
        for (instance, skeleton) in zip(unbound, skeletons) where reached[instance.node] {
            let isThere = skeleton.joints.allSatisfy { $0.map { reached[$0.value] } ?? true }
            if !isThere { missing.append((instance, skeleton)) }
        }
        guard !missing.isEmpty else { return }
        let parents = scene.parents
        let draws = scene.drawingNodes
        var brought: [(root: SceneIndex<Node>, node: Int)] = []
        for (instance, skeleton) in missing {
            let roots = Set(skeleton.roots.compactMap(\.node?.value))
            for case let joint? in skeleton.joints where !reached[joint.value] {
                var top = joint.value
                while !roots.contains(top), let parent = parents[top], !reached[parent] { top = parent }
                let name = scene.nodes[top].id ?? ""
                // With what is around it, unless that draws something the scene does not.
                while let parent = parents[top], !reached[parent], !draws[parent] { top = parent }
                brought.append((SceneIndex(top), instance.node))
                scene.reach(top, &reached)
                let at = place(of: instance)
                log.add(
                    .skinSkeletonUnplaced, at: at,
                    "the skeleton \(name.quoted()) stands in no visual scene; it was put into this one",
                    arguments: [.init("skeleton", name)])
            }
        }
        try add(brought)
    }

    /// Adds roots to the scene, and of models that are shown together to those that have the nodes which need them.
    private mutating func add(_ brought: [(root: SceneIndex<Node>, node: Int)]) throws(ColladaError) {
        guard !shownRoots.isEmpty else {
            scene.roots += brought.map(\.root)
            return
        }
        let documents = shared.linked.shown.map(\.document)
        let models = shownRoots.reduce(into: [Range<Int>]()) { models, count in
            let start = models.last?.upperBound ?? 0
            models.append(start..<start + count)
        }
        let owners = scene.firstReached(by: models)
        // A document that is shown twice has the same roots twice.
        let byDocument = Dictionary(grouping: brought.filter { owners[$0.node] >= 0 }) { documents[owners[$0.node]] }
        var roots: [SceneIndex<Node>] = []
        for (model, range) in models.enumerated() {
            let own = byDocument[documents[model]] ?? []
            try check(roots.count + range.count + own.count, "roots")
            roots += scene.roots[range] + own.map(\.root)
            shownRoots[model] += own.count
        }
        scene.roots = roots
    }
}

extension Scene {
    /// For each node the first of some groups of roots that reaches it; −1 without.
    fileprivate func firstReached(by groups: [Range<Int>]) -> [Int] {
        var first = [Int](repeating: -1, count: nodes.count)
        for (number, group) in groups.enumerated() {
            var stack = roots[group].map(\.value)
            while let next = stack.popLast() {
                guard first[next] < 0 else { continue }
                first[next] = number
                stack += nodes[next].children.map(\.value)
            }
        }
        return first
    }

    fileprivate var reachedNodes: [Bool] {
        var reached = [Bool](repeating: false, count: nodes.count)
        for root in roots { reach(root.value, &reached) }
        return reached
    }

    fileprivate func reach(_ node: Int, _ reached: inout [Bool]) {
        var stack = [node]
        while let next = stack.popLast() {
            guard !reached[next] else { continue }
            reached[next] = true
            for child in nodes[next].children { stack.append(child.value) }
        }
    }

    /// The node that has each within it; of one that is instanced, the first.
    fileprivate var parents: [Int?] {
        var parents = [Int?](repeating: nil, count: nodes.count)
        for index in nodes.indices {
            for child in nodes[index].children where parents[child.value] == nil { parents[child.value] = index }
        }
        return parents
    }

    /// Whether a mesh hangs on a node or on one below it. Cycles must have been cut.
    fileprivate var drawingNodes: [Bool] {
        var draws = nodes.map { node in
            node.instances.contains { instance in
                switch instance {
                case .geometry, .controller: true
                case .camera, .light: false
                }
            }
        }
        var isDone = [Bool](repeating: false, count: nodes.count)
        for start in nodes.indices where !isDone[start] {
            var stack = [(node: start, next: 0)]
            while let (node, next) = stack.last {
                guard next < nodes[node].children.count else {
                    isDone[node] = true
                    draws[node] = draws[node] || nodes[node].children.contains { draws[$0.value] }
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next = next + 1
                let child = nodes[node].children[next].value
                if !isDone[child] { stack.append((child, 0)) }
            }
        }
        return draws
    }
}

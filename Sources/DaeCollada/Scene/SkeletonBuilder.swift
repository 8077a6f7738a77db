// Which nodes are the joints of each instance of a skin.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Finds the skeletons of the instances of skins.
struct SkeletonBuilder {
    /// Joints that are looked for in all, however many instances share a skin.
    private static let jointLimit = 4_000_000

    /// Instances of one skin with the same roots in one document have the same joints: they are found and reported once.
    private struct Key: Hashable {
        let controller: SceneIndex<Controller>
        let roots: [Int]
        let document: Int
    }

    private let unbound: [UnboundInstance]
    /// For each controller the first skin of its chain.
    private let owners: [Int?]
    /// Joints that were looked for, each once for all instances that have the same ones.
    private var joints = WorkBudget(jointLimit)

    /// Finds the joints of every instance, once all nodes stand in the scene.
    ///
    /// - Throws: ``CodedFailure`` when skeletons that are put into the scene make more roots than there may be nodes.
    static func bindJoints(
        of unbound: [UnboundInstance], in context: inout SceneContext, _ roots: inout SceneRoots
    ) throws(CodedFailure) {
        guard !unbound.isEmpty else { return }
        var builder = SkeletonBuilder(unbound: unbound, owners: context.scene.skinOwners)
        let found = builder.skeletons(in: &context)
        try builder.bringIn(found, into: &context, &roots)
        // What looks at the scene must be gone before the scene changes, or all nodes would be copied.
        for (instance, skeleton) in zip(unbound, builder.carried(found, in: &context)) {
            guard
                case .controller(let index, skeleton: _, let materials) =
                    context.scene.nodes[instance.node].instances[instance.place]
            else { continue }
            context.scene.nodes[instance.node].instances[instance.place] = .controller(
                index, skeleton: skeleton, materials: materials)
        }
    }

    /// One for each instance.
    private mutating func skeletons(in context: inout SceneContext) -> [Skeleton] {
        var skeletons: [Skeleton] = []
        var finder = JointFinder(context.scene, context.table, stepLimit: context.limits.joints)
        var found: [Key: [SceneIndex<Node>?]] = [:]
        for instance in unbound {
            let roots = Self.roots(of: instance, in: &context)
            guard let owner = owners[instance.controller.value], let skin = context.scene.controllers[owner].skin else {
                skeletons.append(Skeleton(roots: roots, joints: []))
                continue
            }
            let nodes = roots.compactMap(\.node?.value)
            let key = Key(controller: instance.controller, roots: nodes, document: instance.position.document)
            if found[key] == nil {
                found[key] =
                    joints.admits(skin.joints.count)
                    ? Self.bind(instance, skin, of: owner, nodes, &finder, in: &context)
                    : Self.reportLimit(instance, in: &context)
            }
            skeletons.append(Skeleton(roots: roots, joints: found[key] ?? []))
        }
        if finder.isExhausted {
            context.log.reportLimit(finder.stepLimit, "searches for the joints of skins pass more nodes than")
        }
        return skeletons
    }

    private static func roots(of instance: UnboundInstance, in context: inout SceneContext) -> [Skeleton.Root] {
        instance.skeletons.map { reference in
            Skeleton.Root(reference: reference.text, node: context.find(reference, .node).map { SceneIndex($0) })
        }
    }

    private static func bind(
        _ instance: UnboundInstance, _ skin: Skin, of owner: Int, _ roots: [Int], _ finder: inout JointFinder,
        in context: inout SceneContext
    ) -> [SceneIndex<Node>?] {
        let place = instance.place(in: context.document)
        if roots.isEmpty, !skin.joints.isEmpty {
            context.log.add(
                .skinNoSkeletonRoot, at: place,
                "the instance of a skin names no skeleton that is there; joints are looked for in the whole scene")
        }
        let kind = context.document.controllers[owner].jointKind
        let documents = [context.document.controllers[owner].position.document, instance.position.document]
        let below = finder.place(below: roots, idsOf: documents)
        return skin.joints.map { joint in
            let found = finder.find(joint, kind, in: below)
            switch context.options.repairs == .made || found.isByTheLetter(joint) ? found : .missing {
            case .exact(let node):
                if !found.isByTheLetter(joint) { context.log.reportHash(joint, "the joint", at: place) }
                return SceneIndex(node)
            case .otherwise(let node, let way, let severity):
                context.log.add(
                    .refByName, at: place, "the joint \(joint.quoted()) was found \(way)",
                    arguments: [.init("joint", joint)], severity: severity)
                return SceneIndex(node)
            case .missing:
                context.log.add(
                    .skinJointUnresolved, at: place,
                    "the joint \(joint.quoted()) is no node here; what it moves stays in its bind shape",
                    arguments: [.init("joint", joint)])
                return nil
            }
        }
    }

    private static func reportLimit(
        _ instance: UnboundInstance, in context: inout SceneContext
    ) -> [SceneIndex<Node>?] {
        let place = instance.place(in: context.document)
        context.log.add(
            .skinJointUnresolved, at: place,
            "instances of skins have more than \(jointLimit) joints, the most that are looked for")
        return []
    }

    // MARK: - Skeletons outside of the scene

    // An exporter may write a skeleton into a library of nodes, or into another document, and instance it nowhere: its
    // joints stand where they are written, or the skin would have none.

    /// Puts skeletons into the scene that instances of skins in it name and that stand nowhere in it.
    private func bringIn(
        _ skeletons: [Skeleton], into context: inout SceneContext, _ sceneRoots: inout SceneRoots
    ) throws(CodedFailure) {
        var missing: [(instance: UnboundInstance, skeleton: Skeleton)] = []
        var reached = context.scene.reachedNodes
        for (instance, skeleton) in zip(unbound, skeletons) where reached[instance.node] {
            let isThere = skeleton.joints.allSatisfy { $0.map { reached[$0.value] } ?? true }
            if !isThere { missing.append((instance, skeleton)) }
        }
        guard !missing.isEmpty else { return }
        let parents = context.scene.parents
        let draws = context.scene.drawingNodes
        var brought: [(root: SceneIndex<Node>, node: Int)] = []
        for (instance, skeleton) in missing {
            let roots = Set(skeleton.roots.compactMap(\.node?.value))
            for case let joint? in skeleton.joints where !reached[joint.value] {
                var top = joint.value
                while !roots.contains(top), let parent = parents[top], !reached[parent] { top = parent }
                let name = context.scene.nodes[top].id ?? ""
                // With what is around it, unless that draws something the scene does not.
                while let parent = parents[top], !reached[parent], !draws[parent] { top = parent }
                brought.append((SceneIndex(top), instance.node))
                context.scene.reach(top, &reached)
                let at = instance.place(in: context.document)
                context.log.add(
                    .skinSkeletonUnplaced, at: at,
                    "the skeleton \(name.quoted()) stands in no visual scene; it was put into this one",
                    arguments: [.init("skeleton", name)])
            }
        }
        try sceneRoots.add(brought, to: &context)
    }

    // MARK: - Carriers

    /// Finds what carries each instance, once its joints are known.
    private func carried(_ skeletons: [Skeleton], in context: inout SceneContext) -> [Skeleton] {
        var carriers = SkinCarriers(context.scene, stepLimit: context.limits.joints)
        var skeletons = skeletons
        for (number, instance) in unbound.enumerated() {
            guard let owner = owners[instance.controller.value],
                case .skin(let skin)? = context.scene.controllers[owner].kind,
                case .skin(let element) = context.document.controllers[owner].kind,
                let box = context.scene.controllers[instance.controller.value].base.flatMap({
                    context.scene.geometries[$0.value].measure.bounds
                })
            else { continue }
            let carrier = carriers.carrier(
                of: instance.node, skeletons[number], skin, element.inverseBinds, around: box)
            guard carrier != .none else { continue }
            skeletons[number].carrier = carrier
            let at = instance.place(in: context.document)
            context.log.add(
                .skinNodeTransform, at: at,
                "the node of the skin's instance stands elsewhere than its mesh was bound; it moves what the joints pose"
            )
        }
        if carriers.isExhausted {
            context.log.reportLimit(
                context.limits.joints, "nodes around instances of skins and their joints are more than")
        }
        return skeletons
    }
}

extension UnboundInstance {
    fileprivate func place(in document: ColladaDocument) -> Place { Place(position, of: document.nodes[node].id) }
}

extension ColladaDocument.Controller {
    /// How the joints of a skin are written.
    fileprivate var jointKind: SourceReader.Words.Kind {
        switch kind {
        case .skin(let skin): skin.jointWords.kind
        case .morph, .empty: .names
        }
    }
}

extension Controller {
    var skin: Skin? {
        switch kind {
        case .skin(let skin): skin
        case .morph, nil: nil
        }
    }
}

extension Scene {
    /// For each controller the first skin of its chain, itself first. Each controller is passed once, however long and
    /// shared chains are.
    var skinOwners: [Int?] {
        var owners = [Int?](repeating: nil, count: controllers.count)
        var isKnown = [Bool](repeating: false, count: owners.count)
        for start in owners.indices {
            var chain: [Int] = []
            var next = Optional(start)
            while let index = next, !isKnown[index] {
                isKnown[index] = true
                chain.append(index)
                switch controllers[index].source {
                case .controller(let below): next = below.value
                case .geometry, nil: next = nil
                }
            }
            var owner = next.flatMap { owners[$0] }
            for index in chain.reversed() {
                if controllers[index].skin != nil { owner = index }
                owners[index] = owner
            }
        }
        return owners
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

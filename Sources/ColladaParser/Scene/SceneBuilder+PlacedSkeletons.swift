// An exporter may write a skeleton into a library of nodes, or into another document, and instance it nowhere: its joints
// stand where they are written, or the skin would have none.

import Diagnostics
import SceneModel

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

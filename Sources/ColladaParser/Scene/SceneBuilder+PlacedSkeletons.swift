// An exporter may write a skeleton into a library of nodes, or into another document, and instance it nowhere: its joints
// stand where they are written, or the skin would have none.

import Diagnostics
import SceneModel

extension SceneBuilder {
    /// Puts skeletons into the scene that instances of skins in it name and that stand nowhere in it.
    mutating func bringIn(_ skeletons: [Skeleton]) {
        var missing: [(instance: UnboundInstance, skeleton: Skeleton)] = []
        var reached = scene.reachedNodes
        for (instance, skeleton) in zip(unbound, skeletons) where reached[instance.node] {
            let isThere = skeleton.joints.allSatisfy { $0.map { reached[$0.value] } ?? true }
            if !isThere { missing.append((instance, skeleton)) }
        }
        guard !missing.isEmpty else { return }
        let parents = scene.parents
        let draws = scene.drawingNodes
        for (instance, skeleton) in missing {
            let roots = Set(skeleton.roots.compactMap(\.node?.value))
            for case let joint? in skeleton.joints where !reached[joint.value] {
                var top = joint.value
                while !roots.contains(top), let parent = parents[top], !reached[parent] { top = parent }
                let name = scene.nodes[top].id ?? ""
                // With what is around it, unless that draws something the scene does not.
                while let parent = parents[top], !reached[parent], !draws[parent] { top = parent }
                scene.roots.append(SceneIndex(top))
                scene.reach(top, &reached)
                let at = place(of: instance)
                log.add(
                    .skinSkeletonUnplaced, at: at,
                    "the skeleton \(name.quoted()) stands in no visual scene; it was put into this one",
                    arguments: [.init("skeleton", name)])
            }
        }
    }
}

extension Scene {
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

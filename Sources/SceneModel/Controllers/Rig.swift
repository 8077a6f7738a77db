/// The joints of one instance of a skin where it stands, and what carries it.
package struct Rig: Sendable {
    /// Places of the skin's joints in the unfolded scene; `nil` for one that is not there.
    package let joints: [Int?]
    /// What moves all that the joints have posed.
    package enum Carrier: Sendable, Equatable {
        case none
        /// All between two places, the lower one with it; `nil` for all below the scene.
        case places(Int, below: Int?)
    }
    package let carrier: Carrier

    /// - Parameter place: Of the instance's node.
    package init(_ skeleton: Skeleton, at place: Int, in unfolded: inout UnfoldedScene, of scene: Scene) {
        var joints: [Int?] = []
        joints.reserveCapacity(skeleton.joints.count)
        for joint in skeleton.joints { joints.append(joint.flatMap { unfolded.place(of: $0, nearestTo: place) }) }
        self.joints = joints
        switch skeleton.carrier {
        case .none: carrier = .none
        case .node(let around):
            // A node that only converts stands there for the mesh, which a skin takes into its own space.
            var carrying = place
            while !scene.nodes[unfolded.node(at: carrying)].role.isElement,
                let parent = unfolded.parent(of: carrying)
            {
                carrying = parent
            }
            let below =
                around.flatMap { unfolded.place(of: $0, nearestTo: place) }
                ?? unfolded.lastConversion(above: carrying, in: scene)
            carrier = .places(carrying, below: below)
        }
    }
}

extension UnfoldedScene {
    /// The lowest of the nodes above a place that, beginning with a root, do nothing but convert; `nil` without.
    package func lastConversion(above place: Int, in scene: Scene) -> Int? {
        var last: Int?
        var next = parent(of: place)
        while let around = next {
            // What is above an element is no part of what converts the whole scene.
            last = scene.nodes[node(at: around)].role.isElement ? nil : last ?? around
            next = parent(of: around)
        }
        return last
    }
}

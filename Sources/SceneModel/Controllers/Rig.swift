/// The joints of one instance of a skin where it stands, and what carries it.
package struct Rig: Sendable {
    /// Places of the skin's joints in the unfolded scene; `nil` for one that is not there.
    package let joints: [Int?]
    /// What moves all that the joints have posed.
    package enum Carrier: Sendable, Equatable {
        case none
        /// All between two places, the lower one with it; `nil` for all below the scene. Nodes right below the outer one
        /// that are no elements (``UnfoldedScene/frame(of:below:in:)``) are no part of it: they move the joints, too.
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
            carrier = .places(carrying, below: around.flatMap { unfolded.place(of: $0, nearestTo: place) })
        }
    }
}

extension UnfoldedScene {
    /// What is around a place that is moved against others, and stays: the lowest of the nodes that, beginning right below
    /// an outer place, are no elements, else that place. Each part of a scene may have such nodes of its own.
    ///
    /// - Parameter outer: Around the place or the same; `nil` for the scene.
    package func frame(of place: Int, below outer: Int?, in scene: Scene) -> Int? {
        var frame = outer
        var next = Optional(place)
        while let at = next, at != outer {
            // What is below an element moves a part only.
            if scene.nodes[node(at: at)].role.isElement { frame = outer } else if frame == outer { frame = at }
            next = parent(of: at)
        }
        return frame
    }
}

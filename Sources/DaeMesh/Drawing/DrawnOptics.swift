// A renderer of its own needs them where they stand; engines have theirs.

package import DaeScene

/// A camera or a light where one node of a drawing shows it.
package struct DrawnOptic<Kind: Sendable>: Sendable {
    package let shown: SceneIndex<Kind>
    package let node: SceneIndex<Node>
    /// From the node to the world.
    package let world: Matrix4
}

extension Drawing {
    /// The cameras and lights that are shown, in the document's order.
    ///
    /// - Parameter scene: That of the drawing.
    package func optics(
        of scene: Scene, at time: Double? = nil
    ) -> (cameras: [DrawnOptic<Camera>], lights: [DrawnOptic<Light>]) {
        let worlds = stage.worlds(at: time)
        var (cameras, lights): ([DrawnOptic<Camera>], [DrawnOptic<Light>]) = ([], [])
        for place in stage.shown {
            let node = stage.unfolded.node(at: place)
            for instance in scene.nodes[node].instances {
                switch instance {
                case .geometry, .controller: continue
                case .camera(let camera): cameras.append(.init(shown: camera, node: node, world: worlds[place]))
                case .light(let light): lights.append(.init(shown: light, node: node, world: worlds[place]))
                }
            }
        }
        return (cameras, lights)
    }
}

extension ColladaDocument {
    /// Puts another document's elements behind its own in every list; all else of the other is left out.
    ///
    /// A list whose elements hold places in other lists must have them moved here.
    mutating func append(_ other: ColladaDocument) {
        let nodesBefore = nodes.count
        let animationsBefore = animations.count
        for index in other.meshesAskedAgain { meshesAskedAgain.append(index + geometries.count) }
        geometries += other.geometries
        sourceIDs.append(other.sourceIDs)
        animationSourceIDs.merge(other.animationSourceIDs) { $0.joined(with: $1) }
        controllers += other.controllers
        effects += other.effects
        materials += other.materials
        images += other.images
        cameras += other.cameras
        lights += other.lights
        animationClips += other.animationClips
        animations += other.animations.map { animation in
            var moved = animation
            moved.children = animation.children.map { $0 + animationsBefore }
            return moved
        }
        var contents = MovedContents(by: nodesBefore)
        nodes += other.nodes.map { node in
            var moved = node
            moved.contents = node.contents.moved(to: &contents)
            return moved
        }
        for (node, sids) in other.instanceSIDs { instanceSIDs[node + nodesBefore] = sids }
        visualScenes += other.visualScenes.map { scene in
            var moved = scene
            moved.nodes = scene.nodes.map { $0 + nodesBefore }
            return moved
        }
        appendMechanics(of: other)
    }
}

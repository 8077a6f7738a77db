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
        nodes += other.nodes.map { node in
            var moved = node
            for place in moved.contents.indices {
                if case .node(let child) = moved.contents[place] { moved.contents[place] = .node(child + nodesBefore) }
            }
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

// What physics and kinematics hold places of in other lists is moved with the document they are of.

extension ColladaDocument {
    /// Puts another document's physics and kinematics behind its own.
    mutating func appendMechanics(of other: ColladaDocument) {
        let (materials, joints, formulas) = (physicsMaterials.count, self.joints.count, self.formulas.count)
        physicsMaterials += other.physicsMaterials
        forceFields += other.forceFields
        physicsModels += other.physicsModels.map { model in
            var moved = model
            for index in moved.bodies.indices { moved.bodies[index].properties.moveMaterials(by: materials) }
            for index in moved.instances.indices { moved.instances[index].moveMaterials(by: materials) }
            return moved
        }
        physicsScenes += other.physicsScenes.map { scene in
            var moved = scene
            for index in moved.instances.indices { moved.instances[index].moveMaterials(by: materials) }
            return moved
        }
        self.joints += other.joints
        kinematicsModels += other.kinematicsModels.map { model in
            var moved = model
            moved.joints = model.joints.map { $0.moved(by: joints) }
            moved.formulas = model.formulas.map { $0.moved(by: formulas) }
            return moved
        }
        articulatedSystems += other.articulatedSystems.map { system in
            var moved = system
            moved.kind.moveFormulas(by: formulas)
            return moved
        }
        kinematicsScenes += other.kinematicsScenes
        self.formulas += other.formulas
    }
}

extension ColladaDocument.InstancePhysicsModel {
    fileprivate mutating func moveMaterials(by count: Int) {
        for index in bodies.indices { bodies[index].overrides.moveMaterials(by: count) }
    }
}

extension ColladaDocument.RigidBodyProperties {
    fileprivate mutating func moveMaterials(by count: Int) {
        material = material?.moved(by: count)
        for index in shapes.indices { shapes[index].material = shapes[index].material?.moved(by: count) }
    }
}

extension ColladaDocument.MaterialOfBody {
    fileprivate func moved(by count: Int) -> Self {
        switch self {
        case .own(let index): .own(index + count)
        case .instance: self
        }
    }
}

extension ColladaDocument.ModelJoint {
    fileprivate func moved(by count: Int) -> Self {
        switch self {
        case .own(let index): .own(index + count)
        case .instance: self
        }
    }
}

extension ColladaDocument.FormulaUse {
    fileprivate func moved(by count: Int) -> Self {
        switch self {
        case .own(let index): .own(index + count)
        case .instance: self
        }
    }
}

extension ColladaDocument.ArticulatedSystem.Kind {
    fileprivate mutating func moveFormulas(by count: Int) {
        switch self {
        case .kinematics(var system):
            system.axes.moveFormulas(by: count)
            self = .kinematics(system)
        case .motion(var system):
            system.axes.moveFormulas(by: count)
            self = .motion(system)
        case .empty: break
        }
    }
}

extension [ColladaDocument.AxisInfo] {
    fileprivate mutating func moveFormulas(by count: Int) {
        for index in indices { self[index].formulas = self[index].formulas.map { $0.moved(by: count) } }
    }
}

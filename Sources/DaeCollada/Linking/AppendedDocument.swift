// What holds places in a document's lists is moved with the document that it is of.

import DaeScene

extension ColladaDocument {
    /// Puts another document's elements behind its own in every list; all else of the other is left out.
    mutating func append(_ other: ColladaDocument) {
        for index in other.meshesAskedAgain { meshesAskedAgain.append(index + geometries.count) }
        for (node, sids) in other.instanceSIDs { instanceSIDs[node + nodes.count] = sids }
        sourceIDs.append(other.sourceIDs)
        animationSourceIDs.merge(other.animationSourceIDs) { $0.joined(with: $1) }
        appendLibraries(of: other)
    }
}

extension ColladaDocument.Geometry: LibraryElement {}
extension ColladaDocument.Controller: LibraryElement {}
extension ColladaDocument.Effect: LibraryElement {}
extension ColladaDocument.Material: LibraryElement {}
extension ColladaDocument.Image: LibraryElement {}
extension ColladaDocument.AnimationClip: LibraryElement {}
extension ColladaDocument.ForceField: LibraryElement {}
extension ColladaDocument.Joint: LibraryElement {}
extension ColladaDocument.KinematicsScene: LibraryElement {}
extension ColladaDocument.Formula: LibraryElement {}

extension ColladaDocument.Camera: LibraryElement {
    var id: String? { camera.id }
    var name: String? { camera.name }
}

extension ColladaDocument.Light: LibraryElement {
    var id: String? { light.id }
    var name: String? { light.name }
}

extension ColladaDocument.PhysicsMaterial: LibraryElement {
    var id: String? { material.id }
    var name: String? { material.name }
}

extension ColladaDocument.Node: LibraryElement {
    mutating func move(behind counts: LibraryCounts) {
        for place in contents.indices {
            if case .node(let child) = contents[place] { contents[place] = .node(child + counts[.node]) }
        }
    }
}

extension ColladaDocument.VisualScene: LibraryElement {
    mutating func move(behind counts: LibraryCounts) { nodes = nodes.map { $0 + counts[.node] } }
}

extension ColladaDocument.Animation: LibraryElement {
    mutating func move(behind counts: LibraryCounts) { children = children.map { $0 + counts[.animation] } }
}

extension ColladaDocument.PhysicsModel: LibraryElement {
    mutating func move(behind counts: LibraryCounts) {
        for index in bodies.indices { bodies[index].properties.move(behind: counts) }
        for index in instances.indices { instances[index].move(behind: counts) }
    }
}

extension ColladaDocument.PhysicsScene: LibraryElement {
    mutating func move(behind counts: LibraryCounts) {
        for index in instances.indices { instances[index].move(behind: counts) }
    }
}

extension ColladaDocument.InstancePhysicsModel {
    fileprivate mutating func move(behind counts: LibraryCounts) {
        for index in bodies.indices { bodies[index].overrides.move(behind: counts) }
    }
}

extension ColladaDocument.RigidBodyProperties {
    fileprivate mutating func move(behind counts: LibraryCounts) {
        material?.move(behind: counts)
        for index in shapes.indices { shapes[index].material?.move(behind: counts) }
    }
}

extension ColladaDocument.MaterialOfBody {
    fileprivate mutating func move(behind counts: LibraryCounts) {
        switch self {
        case .own(let index): self = .own(index + counts[.physicsMaterial])
        case .instance: break
        }
    }
}

extension ColladaDocument.KinematicsModel: LibraryElement {
    mutating func move(behind counts: LibraryCounts) {
        for index in joints.indices { joints[index].move(behind: counts) }
        for index in formulas.indices { formulas[index].move(behind: counts) }
    }
}

extension ColladaDocument.ModelJoint {
    fileprivate mutating func move(behind counts: LibraryCounts) {
        switch self {
        case .own(let index): self = .own(index + counts[.joint])
        case .instance: break
        }
    }
}

extension ColladaDocument.FormulaUse {
    fileprivate mutating func move(behind counts: LibraryCounts) {
        switch self {
        case .own(let index): self = .own(index + counts[.formula])
        case .instance: break
        }
    }
}

extension ColladaDocument.ArticulatedSystem: LibraryElement {
    mutating func move(behind counts: LibraryCounts) {
        switch kind {
        case .kinematics(var system):
            system.axes.move(behind: counts)
            kind = .kinematics(system)
        case .motion(var system):
            system.axes.move(behind: counts)
            kind = .motion(system)
        case .empty: break
        }
    }
}

extension [ColladaDocument.AxisInfo] {
    fileprivate mutating func move(behind counts: LibraryCounts) {
        for index in indices {
            for place in self[index].formulas.indices { self[index].formulas[place].move(behind: counts) }
        }
    }
}

// Physics, kinematics, and whose hulls convex meshes are.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    mutating func addMechanics() {
        if document.hasPhysics {
            var physics = PhysicsBuilder(shared, table, systems, limits: limits)
            scene.physics = physics.build()
            log.merge(physics.log)
        }
        if document.hasKinematics {
            var kinematics = KinematicsBuilder(shared, table, instanceTargets, systems, limits: limits)
            scene.kinematics = kinematics.build(in: scene)
            log.merge(kinematics.log)
        }
    }

    /// A convex mesh may be the hull of another one, and so on; what counts is the end with points of its own.
    mutating func findHulls() {
        guard document.geometries.contains(where: { $0.isHull }) else { return }
        var references = MechanicsReferences(table, code: .physicsConvexSource)
        let sources: [Int?] = document.geometries.map { geometry in
            switch geometry.kind {
            case .convexMesh(_, hullOf: let reference?): references.geometry(reference)?.value
            case .convexMesh(_, hullOf: nil), .mesh, .spline, .brep, .empty: nil
            }
        }
        log.merge(references.log)
        enum Visit { case new, open, done }
        var visits = [Visit](repeating: .new, count: sources.count)
        for start in sources.indices where visits[start] == .new {
            var chain: [Int] = []
            var next: Int? = start
            while let here = next, visits[here] == .new {
                visits[here] = .open
                chain.append(here)
                next = sources[here]
            }
            var end: SceneIndex<Geometry>?
            if let next {
                switch visits[next] {
                case .open:
                    var place = Place(document.geometries[next].position)
                    place.elementID = document.geometries[next].id
                    log.add(.refCycle, at: place, "a convex mesh is its own hull")
                case .done: end = scene.geometries[next].hullOf ?? SceneIndex(next)
                case .new: break
                }
            } else if let last = chain.popLast() {
                visits[last] = .done
                end = SceneIndex(last)
            }
            for here in chain {
                visits[here] = .done
                scene.geometries[here].hullOf = end
            }
        }
    }
}

extension ColladaDocument {
    fileprivate var hasPhysics: Bool {
        !(physicsMaterials.isEmpty && physicsModels.isEmpty && physicsScenes.isEmpty
            && scene?.physicsScenes.isEmpty ?? true)
    }

    fileprivate var hasKinematics: Bool {
        !(joints.isEmpty && kinematicsModels.isEmpty && articulatedSystems.isEmpty && kinematicsScenes.isEmpty
            && formulas.isEmpty && scene?.kinematicsScenes.isEmpty ?? true)
    }
}

extension ColladaDocument.Geometry {
    /// Whether it has no points of its own, but those of another.
    fileprivate var isHull: Bool {
        switch kind {
        case .convexMesh(_, hullOf: .some): true
        case .convexMesh(_, hullOf: nil), .mesh, .spline, .brep, .empty: false
        }
    }
}

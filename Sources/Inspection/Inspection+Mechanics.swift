import ColladaParser
import Diagnostics
import SceneModel

extension Inspection {
    /// Elements of physics in the document, used or not.
    public struct PhysicsCounts: Sendable, Equatable {
        /// Those within bodies and shapes too.
        public var materials = 0
        public var models = 0
        public var scenes = 0
        public var rigidBodies = 0
        /// Of rigid bodies, and of instances of them.
        public var shapes = 0
        public var constraints = 0
        public var forceFields = 0
    }

    /// Elements of kinematics in the document, used or not.
    public struct KinematicsCounts: Sendable, Equatable {
        public var models = 0
        public var scenes = 0
        public var articulatedSystems = 0
        /// Those within models too.
        public var joints = 0
        /// The joints that models have, by instances or of their own.
        public var modelJoints = 0
        public var links = 0
        public var formulas = 0
        /// OpenRAVE's.
        public var manipulators = 0
    }
}

extension Inspection.PhysicsCounts {
    init(_ document: ColladaDocument) {
        materials = document.physicsMaterials.count
        models = document.physicsModels.count
        scenes = document.physicsScenes.count
        forceFields = document.forceFields.count
        var instances = document.physicsScenes.flatMap(\.instances)
        for model in document.physicsModels {
            rigidBodies += model.bodies.count
            constraints += model.constraints.count
            shapes += model.bodies.reduce(0) { $0 + $1.properties.shapes.count }
            instances += model.instances
        }
        for body in instances.lazy.flatMap(\.bodies) { shapes += body.overrides.shapes.count }
    }

    var json: JSONValue {
        [
            "materials": JSONValue(materials), "models": JSONValue(models), "scenes": JSONValue(scenes),
            "rigidBodies": JSONValue(rigidBodies), "shapes": JSONValue(shapes), "constraints": JSONValue(constraints),
            "forceFields": JSONValue(forceFields),
        ]
    }
}

extension Inspection.KinematicsCounts {
    init(_ document: ColladaDocument) {
        models = document.kinematicsModels.count
        scenes = document.kinematicsScenes.count
        articulatedSystems = document.articulatedSystems.count
        joints = document.joints.count
        formulas = document.formulas.count
        for model in document.kinematicsModels {
            modelJoints += model.joints.count
            links += model.links.count
        }
        manipulators = document.articulatedSystems.reduce(0) { $0 + $1.openRAVE.manipulators.count }
    }

    var json: JSONValue {
        [
            "models": JSONValue(models), "scenes": JSONValue(scenes),
            "articulatedSystems": JSONValue(articulatedSystems), "joints": JSONValue(joints),
            "modelJoints": JSONValue(modelJoints), "links": JSONValue(links), "formulas": JSONValue(formulas),
            "manipulators": JSONValue(manipulators),
        ]
    }
}

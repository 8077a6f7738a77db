// What the instances of kinematics lead to.

import DaeDiagnostics
import DaeScene
import DaeXML

/// What instances lead to, in the order of the document; `nil` where it does not exist.
struct KinematicsTargets {
    /// Of each joint of each model, in the document's joints.
    private(set) var joints: [[Int?]] = []
    /// Of the model instances of each system.
    private(set) var models: [[Int?]] = []
    /// Of each motion.
    private(set) var motions: [Int?] = []
    /// Of each scene's instances, models first.
    private(set) var scenes: [[Int?]] = []

    init(_ document: ColladaDocument, _ references: inout MechanicsReferences) {
        joints = document.kinematicsModels.map { model in
            model.joints.map { joint in
                switch joint {
                case .own(let index): index
                case .instance(sid: _, name: _, let reference):
                    references.find(reference, .joint, code: .kinematicsJointUnresolved)
                }
            }
        }
        for system in document.articulatedSystems {
            switch system.kind {
            case .kinematics(let kinematics):
                models.append(kinematics.models.map { references.find($0.target, .kinematicsModel) })
                motions.append(nil)
            case .motion(let motion):
                models.append([])
                motions.append(motion.system.flatMap { references.find($0.target, .articulatedSystem) })
            case .empty:
                models.append([])
                motions.append(nil)
            }
        }
        scenes = document.kinematicsScenes.map { scene in
            scene.models.map { references.find($0.target, .kinematicsModel) }
                + scene.systems.map { references.find($0.target, .articulatedSystem) }
        }
        cutMotionCycles(document, &references.log)
    }

    private mutating func cutMotionCycles(_ document: ColladaDocument, _ log: inout FindingLog) {
        var search = CycleSearch(count: motions.count)
        for start in motions.indices {
            search.walk(from: start) { _ in
                1
            } target: { system, _ in
                motions[system]
            } found: { system, _ in
                motions[system] = nil
                let place = Place(document.articulatedSystems[system].position)
                log.add(
                    .refCycle, at: place, "an articulated system instances itself; the last instance was left out")
            }
        }
    }
}

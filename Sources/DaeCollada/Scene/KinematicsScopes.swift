// What the instances of kinematics lead to, and which elements addresses can lead to and be seen from.

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
        enum Visit { case new, open, done }
        var visits = [Visit](repeating: .new, count: motions.count)
        for start in visits.indices where visits[start] == .new {
            var chain: [Int] = []
            var next: Int? = start
            while let here = next, visits[here] == .new {
                visits[here] = .open
                chain.append(here)
                next = motions[here]
            }
            if let next, visits[next] == .open, let last = chain.last {
                motions[last] = nil
                let place = Place(document.articulatedSystems[last].position)
                log.add(
                    .refCycle, at: place,
                    "an articulated system instances itself; the last instance was left out")
            }
            for here in chain { visits[here] = .done }
        }
    }
}

/// The elements that addresses are seen from.
struct KinematicsScopes {
    private(set) var models: [Int] = []
    private(set) var systems: [Int] = []
    private(set) var axisInfos: [[Int]] = []
    private(set) var scenes: [Int] = []

    /// - Parameter sids: Gets all elements that addresses can lead to.
    init(_ document: ColladaDocument, _ targets: KinematicsTargets, _ sids: inout KinematicSids) {
        let joints = document.joints.enumerated().map { index, joint in
            let element = sids.add(.sharedJoint(index), id: joint.id, in: joint.position.document)
            for (place, axis) in joint.axes.enumerated() { sids.add(.axis(place), sid: axis.sid, below: element) }
            return element
        }
        for (index, formula) in document.formulas.enumerated() {
            sids.add(.formula(index), id: formula.id, in: formula.position.document)
        }
        for (index, model) in document.kinematicsModels.enumerated() {
            add(model, at: index, document, joints, targets, &sids)
        }
        for (index, system) in document.articulatedSystems.enumerated() {
            systems.append(sids.add(.system(index), id: system.id, at: system.position))
        }
        for (index, system) in document.articulatedSystems.enumerated() { add(system, at: index, targets, &sids) }
        for (index, scene) in document.kinematicsScenes.enumerated() { add(scene, at: index, targets, &sids) }
    }

    private mutating func add(
        _ model: ColladaDocument.KinematicsModel, at index: Int, _ document: ColladaDocument, _ joints: [Int],
        _ targets: KinematicsTargets, _ sids: inout KinematicSids
    ) {
        let element = sids.add(.model(index), id: model.id, at: model.position)
        models.append(element)
        sids.add(model.parameters, [], below: element)
        for (place, joint) in model.joints.enumerated() {
            let target = targets.joints[index][place]
            let sid: String? =
                switch joint {
                case .own(let own): document.joints[own].sid ?? document.joints[own].id
                case .instance(let sid, name: _, _): sid
                }
            sids.add(
                .joint(.init(model: SceneIndex(index), joint: SceneIndex(place))), sid: sid, below: element,
                instanced: target.map { joints[$0] })
        }
        var carriers: [Int?] = Array(repeating: nil, count: model.links.count)
        for (place, link) in model.links.enumerated() {
            let own = sids.add(
                .link(.init(model: SceneIndex(index), link: SceneIndex(place))), sid: link.sid,
                below: carriers[place] ?? element)
            for attachment in link.attachments {
                if case .full(link: let carried?) = attachment.kind { carriers[carried] = own }
            }
        }
        for use in model.formulas {
            switch use {
            case .own(let own): sids.add(.formula(own), sid: document.formulas[own].sid, below: element)
            case .instance: break
            }
        }
    }

    private mutating func add(
        _ system: ColladaDocument.ArticulatedSystem, at index: Int, _ targets: KinematicsTargets,
        _ sids: inout KinematicSids
    ) {
        let element = systems[index]
        switch system.kind {
        case .kinematics(let kinematics):
            for (instance, target) in zip(kinematics.models, targets.models[index]) {
                Self.add(
                    instance, .instance(model: target, system: nil, place: nil), below: element,
                    instanced: target.map { models[$0] }, &sids)
            }
        case .motion(let motion):
            let target = targets.motions[index]
            if let instance = motion.system {
                Self.add(
                    instance, .instance(model: nil, system: target, place: nil), below: element,
                    instanced: target.map { systems[$0] }, &sids)
            }
        case .empty: break
        }
        axisInfos.append(
            system.axes.enumerated().map { place, info in
                let own = sids.add(.axisInfo(system: index, place: place), sid: info.sid, below: element)
                sids.add(info.newParameters, info.setParameters, below: own)
                return own
            })
    }

    private mutating func add(
        _ scene: ColladaDocument.KinematicsScene, at index: Int, _ targets: KinematicsTargets,
        _ sids: inout KinematicSids
    ) {
        let element = sids.add(.scene, id: scene.id, at: scene.position)
        scenes.append(element)
        for (place, instance) in scene.models.enumerated() {
            let target = targets.scenes[index][place]
            Self.add(
                instance, .instance(model: target, system: nil, place: place), below: element,
                instanced: target.map { models[$0] }, &sids)
        }
        for (offset, instance) in scene.systems.enumerated() {
            let place = scene.models.count + offset
            let target = targets.scenes[index][place]
            Self.add(
                instance, .instance(model: nil, system: target, place: place), below: element,
                instanced: target.map { systems[$0] }, &sids)
        }
    }

    private static func add(
        _ instance: ColladaDocument.InstanceKinematics, _ entity: KinematicSids.Entity, below parent: Int,
        instanced: Int?, _ sids: inout KinematicSids
    ) {
        let element = sids.add(entity, sid: instance.sid, below: parent, instanced: instanced)
        sids.add(instance.newParameters, instance.setParameters, below: element)
        for bind in instance.binds { sids.add(.parameter(bind.value), sid: bind.symbol, below: element) }
    }
}

// Which elements addresses can lead to.

import SceneModel
import XMLReader

extension KinematicsBuilder {
    mutating func addSids() {
        let joints = document.joints.enumerated().map { index, joint in
            let element = sids.add(.sharedJoint(index), id: joint.id, in: joint.position.document)
            for (place, axis) in joint.axes.enumerated() { _ = sids.add(.axis(place), sid: axis.sid, below: element) }
            return element
        }
        for (index, formula) in document.formulas.enumerated() {
            _ = sids.add(.formula(index), id: formula.id, in: formula.position.document)
        }
        for (index, model) in document.kinematicsModels.enumerated() { add(model, at: index, joints) }
        for (index, system) in document.articulatedSystems.enumerated() {
            scopes.systems.append(sids.add(.system(index), id: system.id, at: system.position))
        }
        for (index, system) in document.articulatedSystems.enumerated() { add(system, at: index) }
        for (index, scene) in document.kinematicsScenes.enumerated() { add(scene, at: index) }
    }

    private mutating func add(_ model: ColladaDocument.KinematicsModel, at index: Int, _ joints: [Int]) {
        let element = sids.add(.model(index), id: model.id, at: model.position)
        scopes.models.append(element)
        add(model.parameters, [], below: element)
        for (place, joint) in model.joints.enumerated() {
            let target = targets.joints[index][place]
            let sid: String? =
                switch joint {
                case .own(let own): document.joints[own].sid ?? document.joints[own].id
                case .instance(let sid, name: _, _): sid
                }
            _ = sids.add(
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
            case .own(let own): _ = sids.add(.formula(own), sid: document.formulas[own].sid, below: element)
            case .instance: break
            }
        }
    }

    private mutating func add(_ system: ColladaDocument.ArticulatedSystem, at index: Int) {
        let element = scopes.systems[index]
        switch system.kind {
        case .kinematics(let kinematics):
            for (instance, target) in zip(kinematics.models, targets.models[index]) {
                add(
                    instance, .instance(model: target, system: nil, place: nil), below: element,
                    instanced: target.map { scopes.models[$0] })
            }
        case .motion(let motion):
            let target = targets.motions[index]
            if let instance = motion.system {
                add(
                    instance, .instance(model: nil, system: target, place: nil), below: element,
                    instanced: target.map { scopes.systems[$0] })
            }
        case .empty: break
        }
        scopes.axisInfos.append(
            system.axes.enumerated().map { place, info in
                let own = sids.add(.axisInfo(system: index, place: place), sid: info.sid, below: element)
                add(info.newParameters, info.setParameters, below: own)
                return own
            })
    }

    private mutating func add(_ scene: ColladaDocument.KinematicsScene, at index: Int) {
        let element = sids.add(.scene, id: scene.id, at: scene.position)
        scopes.scenes.append(element)
        for (place, instance) in scene.models.enumerated() {
            let target = targets.scenes[index][place]
            add(
                instance, .instance(model: target, system: nil, place: place), below: element,
                instanced: target.map { scopes.models[$0] })
        }
        for (offset, instance) in scene.systems.enumerated() {
            let place = scene.models.count + offset
            let target = targets.scenes[index][place]
            add(
                instance, .instance(model: nil, system: target, place: place), below: element,
                instanced: target.map { scopes.systems[$0] })
        }
    }

    private mutating func add(
        _ instance: ColladaDocument.InstanceKinematics, _ entity: KinematicSids.Entity, below parent: Int,
        instanced: Int?
    ) {
        let element = sids.add(entity, sid: instance.sid, below: parent, instanced: instanced)
        add(instance.newParameters, instance.setParameters, below: element)
        for bind in instance.binds { _ = sids.add(.parameter(bind.value), sid: bind.symbol, below: element) }
    }

    /// What an instance sets stands before what is declared: it is nearer, and the first of a name is found.
    mutating func add(
        _ declared: [ColladaDocument.NewParameter], _ set: [ColladaDocument.SetParameter], below element: Int
    ) {
        for parameter in set {
            _ = sids.add(.parameter(parameter.value), sid: parameter.reference.text, below: element)
        }
        for parameter in declared { _ = sids.add(.parameter(parameter.value), sid: parameter.sid, below: element) }
    }
}

// Whether what instances set exists, and what their parameters name. A value that is set elsewhere would be lost without
// a word, and so would a parameter that nothing asks for yet.

import Diagnostics
import SceneModel

extension KinematicsBuilder {
    mutating func checkSettings() {
        for (index, model) in document.kinematicsModels.enumerated() {
            check(model.parameters, from: scopes.models[index])
        }
        for (index, system) in document.articulatedSystems.enumerated() {
            let scope = scopes.systems[index]
            switch system.kind {
            case .kinematics(let kinematics):
                for (instance, target) in zip(kinematics.models, targets.models[index]) {
                    check(instance, of: target.map { scopes.models[$0] }, from: scope)
                }
            case .motion(let motion):
                if let instance = motion.system {
                    check(instance, of: targets.motions[index].map { scopes.systems[$0] }, from: scope)
                }
                if let effector = motion.effector { check(effector.setParameters, of: scope) }
            case .empty: break
            }
            for info in system.axes {
                check(info.setParameters, of: scope)
                check(info.newParameters, from: scope)
            }
        }
        for (index, scene) in document.kinematicsScenes.enumerated() {
            let found = targets.scenes[index]
            for (instance, target) in zip(scene.models, found) {
                check(instance, of: target.map { scopes.models[$0] }, from: scopes.scenes[index])
            }
            for (instance, target) in zip(scene.systems, found.dropFirst(scene.models.count)) {
                check(instance, of: target.map { scopes.systems[$0] }, from: scopes.scenes[index])
            }
        }
    }

    /// - Parameter instanced: `nil` where it does not exist, which was told.
    private mutating func check(
        _ instance: ColladaDocument.InstanceKinematics, of instanced: Int?, from scope: Int
    ) {
        check(instance.setParameters, of: instanced)
        check(instance.newParameters, from: scope)
    }

    mutating func check(_ settings: [ColladaDocument.SetParameter], of instanced: Int?) {
        guard let instanced else { return }
        for setting in settings where !sids.isNamed(setting.reference.text, from: instanced) {
            references.tell(.kinematicsBindUnresolved, setting.reference, expected: "parameter")
        }
    }

    /// Only the parameter that names nothing is told, not those that name it in turn.
    mutating func check(_ parameters: [ColladaDocument.NewParameter], from scope: Int) {
        for parameter in parameters {
            switch parameter.value {
            case .sidref(let reference), .connected(let reference):
                let text = reference.text
                guard !sids.isNamed(text, from: scope), sids.resolve(text, from: scope) == nil else { continue }
                references.tell(.kinematicsBindUnresolved, reference, expected: "address of sids")
            case .real, .integer, .bool, .empty: break
            }
        }
    }
}

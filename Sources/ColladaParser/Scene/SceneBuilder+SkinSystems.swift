// Skins and morphs between systems: a skin's matrices are in its own, its mesh and its joints may be in others.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    /// Joints whose systems are looked at, over all instances; each is of one that has been found.
    private static let jointLimit = 4_000_000

    /// A mesh of another system than its skin's is taken into the skin's on the way into the bind shape.
    mutating func convertBindShapes(_ places: [Int: AssetSystems.Place]) {
        for (index, controller) in document.controllers.enumerated() {
            guard let base = scene.controllers[index].base else { continue }
            let mesh = systems.system(at: document.geometries[base.value].position, within: places[index])
            let own = systems.system(at: controller.position, within: places[index])
            guard mesh != own else { continue }
            guard case .skin(var skin)? = scene.controllers[index].kind else { continue }
            skin.bindShape = skin.bindShape * mesh.conversion(to: own)
            scene.controllers[index].kind = .skin(skin)
        }
    }

    /// Where each controller is first shown.
    func controllerPlaces() -> [Int: AssetSystems.Place] {
        var places: [Int: AssetSystems.Place] = [:]
        for index in document.nodes.indices {
            for case .controller(let controller, skeleton: _, materials: _) in scene.nodes[index].instances {
                let place = AssetSystems.Place(
                    system: systems.system(ofNode: index), document: document.nodes[index].position.document)
                // What is below a controller that was met was met, too.
                var next = Optional(controller)
                while let below = next, places[below.value] == nil {
                    places[below.value] = place
                    switch scene.controllers[below].source {
                    case .controller(let source): next = source
                    case .geometry, nil: next = nil
                    }
                }
            }
        }
        return places
    }

    /// An inverse bind matrix ends in its joint, whose node has the numbers of its own place. One joint has one matrix,
    /// however many nodes are bound to it: where those are in several systems, the first counts.
    ///
    /// - Parameter owners: For each controller the first skin of its chain.
    mutating func convertInverseBinds(_ owners: [Int?], _ places: [Int: AssetSystems.Place]) {
        var wanted: [Int: [Int: CoordinateSystem]] = [:]
        var told: Set<Int> = []
        var looked = 0
        for node in scene.nodes {
            for case .controller(let controller, let skeleton, materials: _) in node.instances {
                guard let skin = owners[controller.value], looked < Self.jointLimit else { continue }
                looked += skeleton.joints.count
                for case (let place, let joint?) in skeleton.joints.enumerated() {
                    let system = systems.system(ofNode: joint.value)
                    let known = wanted[skin]?[place]
                    if let known, known != system, told.insert(skin).inserted { tellJoints(of: skin, known, system) }
                    wanted[skin, default: [:]][place] = known ?? system
                }
            }
        }
        for (index, joints) in wanted {
            guard case .skin(var skin)? = scene.controllers[index].kind else { continue }
            let own = systems.system(at: document.controllers[index].position, within: places[index])
            for (place, system) in joints where system != own && skin.inverseBinds.indices.contains(place) {
                skin.inverseBinds[place] = own.conversion(to: system) * skin.inverseBinds[place]
            }
            scene.controllers[index].kind = .skin(skin)
        }
    }

    private mutating func tellJoints(of skin: Int, _ first: CoordinateSystem, _ other: CoordinateSystem) {
        let place = Self.place(of: document.controllers[skin])
        log.add(
            .assetNestedUnit, at: place,
            "instances of the skin bind one joint to nodes in \(first) and in \(other); the first is reckoned with",
            arguments: [
                .init("element", "skin"), .init("system", other.description), .init("expected", first.description),
            ])
    }

    /// A morph adds up the positions of its meshes as they are written.
    mutating func tellTargets() {
        for (index, controller) in scene.controllers.enumerated() {
            guard case .morph(let morph)? = controller.kind, let base = controller.base else { continue }
            let own = systems.system(at: document.geometries[base.value].position)
            for case let target? in morph.targets.map(\.geometry) {
                let system = systems.system(at: document.geometries[target.value].position)
                guard system != own else { continue }
                let place = Self.place(of: document.controllers[index])
                log.add(
                    .assetNestedUnit, at: place,
                    "a target of the morph is in \(system), its base in \(own); its numbers stay as they are",
                    arguments: [
                        .init("element", "morph"), .init("system", system.description),
                        .init("expected", own.description),
                    ])
                break
            }
        }
    }
}

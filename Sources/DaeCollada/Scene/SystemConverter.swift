// Units and axes. The scene has those of its first document. Nodes and meshes that are written in others keep their
// numbers and get a node above them that takes them over, so that channels still move what the file says; all else is
// given in the scene's, where no node could do that. An asset counts for what is within its element, and for the meshes,
// skins and nodes that are instanced there and have none of their own, as the conformance suite has it.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Takes the parts of a scene that are written in other units and axes over into those around them.
struct SystemConverter {
    /// Of each of the document's nodes.
    private let systems: [CoordinateSystem]
    /// For each controller the first skin of its chain.
    private let owners: [Int?]
    /// Where each controller is first shown, before instances move below nodes of their own.
    private let places: [Int: AssetSystems.Place]
    /// The nodes that convert above a node: one for each system, however often it is instanced.
    private var conversions: [Edge: SceneIndex<Node>] = [:]

    private struct Edge: Hashable {
        let child: Int
        let target: CoordinateSystem
    }

    /// Puts a node that converts wherever a part hangs on another that is written otherwise. Cycles must have been cut.
    static func joinSystems(in context: inout SceneContext) {
        guard !context.systems.areUniform else { return }
        var converter = SystemConverter(context)
        converter.joinNodes(in: &context)
        converter.convertBindShapes(in: &context)
        converter.convertInverseBinds(in: &context)
        converter.reportTargets(in: &context)
        converter.convertCamerasAndLights(in: &context)
    }

    private init(_ context: SceneContext) {
        systems = context.document.nodes.indices.map { context.systems.system(ofNode: $0) }
        owners = context.scene.skinOwners
        places = Self.controllerPlaces(in: context)
    }

    private mutating func joinNodes(in context: inout SceneContext) {
        for index in systems.indices {
            context.scene.nodes[index].children = context.scene.nodes[index].children.map {
                join($0, from: systems[$0.value], to: systems[index], in: &context.scene)
            }
            joinInstances(of: index, in: &context)
        }
        let main = context.scene.coordinateSystem
        context.scene.roots = context.scene.roots.map {
            join($0, from: systems[$0.value], to: main, in: &context.scene)
        }
    }

    /// What stands for a child below a parent of another system.
    private mutating func join(
        _ child: SceneIndex<Node>, from source: CoordinateSystem, to target: CoordinateSystem, in scene: inout Scene
    ) -> SceneIndex<Node> {
        guard source != target else { return child }
        let edge = Edge(child: child.value, target: target)
        if let known = conversions[edge] { return known }
        let index = SceneIndex<Node>(scene.nodes.count)
        scene.nodes.append(.conversion(from: source, to: target, children: [child]))
        conversions[edge] = index
        return index
    }

    /// Meshes that are written otherwise move below a node of their own; cameras and lights look along their own axes
    /// whatever is up around them.
    private func joinInstances(of index: Int, in context: inout SceneContext) {
        let own = systems[index]
        var kept: [Instance] = []
        var moved: [(system: CoordinateSystem, instances: [Instance])] = []
        let place = AssetSystems.Place(system: own, document: context.document.nodes[index].position.document)
        for instance in context.scene.nodes[index].instances {
            if let turned = Self.turned(instance, in: own, &context) {
                context.scene.nodes[index].children.append(SceneIndex(context.scene.nodes.count))
                context.scene.nodes.append(turned)
                continue
            }
            let system = system(of: instance, at: place, &context) ?? own
            if system == own {
                kept.append(instance)
            } else if let group = moved.firstIndex(where: { $0.system == system }) {
                moved[group].instances.append(instance)
            } else if moved.count < Self.groupLimit {
                moved.append((system, [instance]))
            } else {
                // Beyond any sense: a node each, so that no list is looked through.
                context.scene.nodes[index].children.append(SceneIndex(context.scene.nodes.count))
                context.scene.nodes.append(.conversion(from: system, to: own, instances: [instance]))
            }
        }
        guard kept.count < context.scene.nodes[index].instances.count else { return }
        context.scene.nodes[index].instances = kept
        for (system, instances) in moved {
            context.scene.nodes[index].children.append(SceneIndex(context.scene.nodes.count))
            context.scene.nodes.append(.conversion(from: system, to: own, instances: instances))
        }
    }

    private static let groupLimit = 16

    /// What a mesh comes out in: that of the skin whose bind shape it is taken into, else its own.
    private func system(
        of instance: Instance, at place: AssetSystems.Place, _ context: inout SceneContext
    ) -> CoordinateSystem? {
        switch instance {
        case .geometry(let geometry, materials: _):
            return context.systems.system(at: context.document.geometries[geometry.value].position, within: place)
        case .controller(let controller, skeleton: _, materials: _):
            if let skin = owners[controller.value] {
                return context.systems.system(at: context.document.controllers[skin].position, within: place)
            }
            return context.scene.controllers[controller].base.map {
                context.systems.system(at: context.document.geometries[$0.value].position, within: place)
            }
        case .camera, .light: return nil
        }
    }

    /// A camera or light whose own asset has another axis up than its document looks along the horizon of that axis: a
    /// node of its own turns it. All others look along −z, whatever is up, as everybody writes them.
    private static func turned(_ instance: Instance, in own: CoordinateSystem, _ context: inout SceneContext) -> Node? {
        let position: XMLPosition
        switch instance {
        case .camera(let camera): position = context.document.cameras[camera.value].position
        case .light(let light): position = context.document.lights[light.value].position
        case .geometry, .controller: return nil
        }
        guard context.systems.scopes.indices.contains(position.document) else { return nil }
        let (usual, given) = (
            context.systems.scopes[position.document].system.upAxis, context.systems.system(at: position).upAxis
        )
        guard usual != given, given != .y else { return nil }
        return .conversion(
            from: CoordinateSystem(metersPerUnit: own.metersPerUnit, upAxis: .y),
            to: CoordinateSystem(metersPerUnit: own.metersPerUnit, upAxis: given), instances: [instance])
    }

    private func convertCamerasAndLights(in context: inout SceneContext) {
        for (index, camera) in context.document.cameras.enumerated() {
            context.scene.cameras[index].convert(by: context.systems.change(at: camera.position))
        }
        for (index, light) in context.document.lights.enumerated() {
            context.scene.lights[index].convert(by: context.systems.change(at: light.position))
        }
    }

    // MARK: - Skins and morphs

    // A skin's matrices are in its own system, its mesh and its joints may be in others.

    /// Joints whose systems are looked at, over all instances; each is of one that has been found.
    private static let jointLimit = 4_000_000

    /// A mesh of another system than its skin's is taken into the skin's on the way into the bind shape.
    private func convertBindShapes(in context: inout SceneContext) {
        for (index, controller) in context.document.controllers.enumerated() {
            guard let base = context.scene.controllers[index].base else { continue }
            let mesh = context.systems.system(
                at: context.document.geometries[base.value].position, within: places[index])
            let own = context.systems.system(at: controller.position, within: places[index])
            guard mesh != own else { continue }
            guard case .skin(var skin)? = context.scene.controllers[index].kind else { continue }
            skin.bindShape = skin.bindShape * mesh.conversion(to: own)
            context.scene.controllers[index].kind = .skin(skin)
        }
    }

    /// Where each controller is first shown.
    private static func controllerPlaces(in context: SceneContext) -> [Int: AssetSystems.Place] {
        var places: [Int: AssetSystems.Place] = [:]
        for index in context.document.nodes.indices {
            for case .controller(let controller, skeleton: _, materials: _) in context.scene.nodes[index].instances {
                let place = AssetSystems.Place(
                    system: context.systems.system(ofNode: index),
                    document: context.document.nodes[index].position.document)
                // What is below a controller that was met was met, too.
                var next = Optional(controller)
                while let below = next, places[below.value] == nil {
                    places[below.value] = place
                    switch context.scene.controllers[below].source {
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
    private func convertInverseBinds(in context: inout SceneContext) {
        var wanted: [Int: [Int: CoordinateSystem]] = [:]
        var reported: Set<Int> = []
        var looked = 0
        for node in context.scene.nodes {
            for case .controller(let controller, let skeleton, materials: _) in node.instances {
                guard let skin = owners[controller.value], looked < Self.jointLimit else { continue }
                looked += skeleton.joints.count
                for case (let place, let joint?) in skeleton.joints.enumerated() {
                    let system = context.systems.system(ofNode: joint.value)
                    let known = wanted[skin]?[place]
                    if let known, known != system, reported.insert(skin).inserted {
                        let place = context.document.controllers[skin].place
                        context.log.reportSystem(
                            system, ofThe: "skin", expected: known, at: place,
                            "instances of the skin bind one joint to nodes in \(known) and in \(system); the first is reckoned with"
                        )
                    }
                    wanted[skin, default: [:]][place] = known ?? system
                }
            }
        }
        for (index, joints) in wanted {
            guard case .skin(var skin)? = context.scene.controllers[index].kind else { continue }
            let own = context.systems.system(at: context.document.controllers[index].position, within: places[index])
            for (place, system) in joints where system != own && skin.inverseBinds.indices.contains(place) {
                skin.inverseBinds[place] = own.conversion(to: system) * skin.inverseBinds[place]
            }
            context.scene.controllers[index].kind = .skin(skin)
        }
    }

    /// A morph adds up the positions of its meshes as they are written.
    private func reportTargets(in context: inout SceneContext) {
        for (index, controller) in context.scene.controllers.enumerated() {
            guard case .morph(let morph)? = controller.kind, let base = controller.base else { continue }
            let own = context.systems.system(at: context.document.geometries[base.value].position)
            for case let target? in morph.targets.map(\.geometry) {
                let system = context.systems.system(at: context.document.geometries[target.value].position)
                guard system != own else { continue }
                let place = context.document.controllers[index].place
                context.log.reportSystem(
                    system, ofThe: "morph", expected: own, at: place,
                    "a target of the morph is in \(system), its base in \(own); its numbers stay as they are")
                break
            }
        }
    }
}

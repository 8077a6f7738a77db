// Units and axes. The scene has those of its first document; what is written in others keeps its numbers and gets a
// node above it that takes them over, so that channels still move what the file says.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    /// Finds the system of each document, and tells of parts that have another.
    mutating func readSystems() {
        for (number, assets) in linked.assets.enumerated() {
            let own = system(of: assets, number)
            let scopes = AssetScopes(assets.nested, in: own)
            tellNested(scopes)
            self.scopes.append(scopes)
            guard let main = self.scopes.first?.system else { continue }
            if number == 0 {
                scene.metersPerUnit = own.metersPerUnit
                scene.upAxis = own.upAxis
            } else if own != main {
                log.add(
                    .assetNestedUnit, at: Self.place(of: number),
                    "the document is in \(own), the scene in \(main); what it lends is converted",
                    arguments: [.init("system", own.description), .init("expected", main.description)],
                    severity: .info)
            }
        }
    }

    /// A part that the document's own asset does not give is that of the scene that is shown, where its asset gives it:
    /// nothing else says what the libraries are written in.
    private mutating func system(of assets: LinkedDocument.DocumentAssets, _ number: Int) -> CoordinateSystem {
        let place = Self.place(of: number)
        let shown = number == 0 ? shownSystem(assets) : (unit: nil, upAxis: nil)
        var system = CoordinateSystem()
        if let axis = assets.own?.upAxis {
            system.upAxis = axis
        } else if let axis = shown.upAxis {
            system.upAxis = axis
            log.add(
                .assetUpAxisMissing, at: place, "no up axis is given for the document; that of its visual scene counts")
        } else if assets.own != nil {
            log.add(.assetUpAxisMissing, at: place, "no up axis is given; Y_UP is assumed")
        }
        if let unit = assets.own?.unit {
            system.metersPerUnit = unit.meter ?? 1
        } else if let unit = shown.unit {
            system.metersPerUnit = unit.meter ?? 1
            log.add(.assetUnitMissing, at: place, "no unit is given for the document; that of its visual scene counts")
        } else if assets.own != nil {
            log.add(.assetUnitMissing, at: place, "no unit is given; the metre is assumed")
        }
        if assets.own == nil { log.add(.assetMissing, at: place, "the document has no <asset>") }
        return system
    }

    private func shownSystem(
        _ assets: LinkedDocument.DocumentAssets
    ) -> (unit: ColladaDocument.Asset.Unit?, upAxis: Scene.UpAxis?) {
        guard !assets.nested.isEmpty, let position = shownPosition else { return (nil, nil) }
        let scopes = AssetScopes(assets.nested, in: CoordinateSystem())
        return (scopes.nearest(at: position, \.unit), scopes.nearest(at: position, \.upAxis))
    }

    /// Where the visual scene begins that will be shown; `nil` where it is in another document.
    private var shownPosition: XMLPosition? {
        if let reference = document.scene?.visualScene {
            guard reference.file == nil,
                case .visualScene(let index)? = table.lookUp(
                    reference.id, in: 0, where: { $0.element == "visual_scene" })
            else { return nil }
            return document.visualScenes[index].position
        }
        return (document.scene?.own ?? firstVisualScene).map { document.visualScenes[$0].position }
    }

    private static func place(of document: Int) -> Place {
        var place = Place()
        place.document = document
        return place
    }

    /// What is taken over where it meets the rest of the scene. All else keeps its numbers: lights, animations, physics
    /// and kinematics have their lengths in many places that no node stands above.
    private static let converted: Set = [
        "camera", "controller", "geometry", "library_cameras", "library_controllers", "library_geometries",
        "library_nodes", "library_visual_scenes", "node", "visual_scene",
    ]

    private mutating func tellNested(_ scopes: AssetScopes) {
        for scope in scopes.scopes where scope.system != scopes.system(around: scope) {
            let isConverted = Self.converted.contains(scope.nested.owner)
            log.add(
                .assetNestedUnit, at: Place(scope.nested.position),
                "the content of this <\(scope.nested.owner)> is in \(scope.system), what is around it in \(scopes.system(around: scope)); \(isConverted ? "it is converted" : "its numbers stay as they are")",
                arguments: [
                    .init("element", scope.nested.owner), .init("system", scope.system.description),
                    .init("expected", scopes.system(around: scope).description),
                ])
        }
    }

    // MARK: - Conversion

    func system(at position: XMLPosition) -> CoordinateSystem {
        scopes.indices.contains(position.document)
            ? scopes[position.document].system(at: position) : scene.coordinateSystem
    }

    /// Puts a node that converts wherever a part hangs on another that is written otherwise. Cycles must have been cut.
    mutating func joinSystems() {
        guard scopes.contains(where: { !$0.isUniform || $0.system != scene.coordinateSystem }) else { return }
        let systems = document.nodes.map { system(at: $0.position) }
        var joints = ConversionNodes()
        for index in systems.indices {
            scene.nodes[index].children = scene.nodes[index].children.map {
                joints.join($0, from: systems[$0.value], to: systems[index], in: &scene)
            }
            joinInstances(of: index, in: systems[index])
        }
        let main = scene.coordinateSystem
        scene.roots = scene.roots.map { joints.join($0, from: systems[$0.value], to: main, in: &scene) }
        convertBindShapes()
        convertCameras()
    }

    /// Meshes that are written otherwise move below a node of their own; cameras and lights look along their own axes
    /// whatever is up.
    private mutating func joinInstances(of index: Int, in own: CoordinateSystem) {
        var kept: [Instance] = []
        var moved: [(system: CoordinateSystem, instances: [Instance])] = []
        for instance in scene.nodes[index].instances {
            let system = system(of: instance) ?? own
            if system == own {
                kept.append(instance)
            } else if let group = moved.firstIndex(where: { $0.system == system }) {
                moved[group].instances.append(instance)
            } else if moved.count < Self.groupLimit {
                moved.append((system, [instance]))
            } else {
                // Beyond any sense: a node each, so that no list is looked through.
                scene.nodes[index].children.append(SceneIndex(scene.nodes.count))
                scene.nodes.append(.conversion(from: system, to: own, instances: [instance]))
            }
        }
        guard kept.count < scene.nodes[index].instances.count else { return }
        scene.nodes[index].instances = kept
        for (system, instances) in moved {
            scene.nodes[index].children.append(SceneIndex(scene.nodes.count))
            scene.nodes.append(.conversion(from: system, to: own, instances: instances))
        }
    }

    private static let groupLimit = 16

    private func system(of instance: Instance) -> CoordinateSystem? {
        switch instance {
        case .geometry(let geometry, materials: _): system(at: document.geometries[geometry.value].position)
        case .controller(let controller, skeleton: _, materials: _):
            system(at: document.controllers[controller.value].position)
        case .camera, .light: nil
        }
    }

    /// A mesh of another system than its skin's is taken into the skin's on the way into the bind shape.
    private mutating func convertBindShapes() {
        for (index, controller) in document.controllers.enumerated() {
            guard let base = scene.controllers[index].base else { continue }
            let mesh = system(at: document.geometries[base.value].position)
            let own = system(at: controller.position)
            guard mesh != own else { continue }
            guard case .skin(var skin)? = scene.controllers[index].kind else { continue }
            skin.bindShape = skin.bindShape * mesh.conversion(to: own)
            scene.controllers[index].kind = .skin(skin)
        }
    }

    /// A camera's lengths hang on no matrix, so they are given in the scene's unit.
    private mutating func convertCameras() {
        for (index, camera) in document.cameras.enumerated() {
            let scale = system(at: camera.position).scale(to: scene.coordinateSystem)
            if scale != 1 { scene.cameras[index].scaleLengths(by: scale) }
        }
    }
}

/// The nodes that convert from one system into another above a node: one for each, however often it is instanced.
private struct ConversionNodes {
    private struct Edge: Hashable {
        let child: Int
        let target: CoordinateSystem
    }
    private var made: [Edge: SceneIndex<Node>] = [:]

    /// What stands for a child below a parent of another system.
    mutating func join(
        _ child: SceneIndex<Node>, from source: CoordinateSystem, to target: CoordinateSystem, in scene: inout Scene
    ) -> SceneIndex<Node> {
        guard source != target else { return child }
        let edge = Edge(child: child.value, target: target)
        if let known = made[edge] { return known }
        let index = SceneIndex<Node>(scene.nodes.count)
        scene.nodes.append(.conversion(from: source, to: target, children: [child]))
        made[edge] = index
        return index
    }
}

extension Camera {
    fileprivate mutating func scaleLengths(by scale: Double) {
        near = near.map { $0 * scale }
        far = far.map { $0 * scale }
        switch projection {
        case .orthographic(let xmag, let ymag):
            projection = .orthographic(xmag: xmag.map { $0 * scale }, ymag: ymag.map { $0 * scale })
        case .perspective, nil: break
        }
    }
}

// Units and axes. The scene has those of its first document. Nodes and meshes that are written in others keep their
// numbers and get a node above them that takes them over, so that channels still move what the file says; all else is
// given in the scene's, where no node could do that. An asset counts for what is within its element, and for the meshes,
// skins and nodes that are instanced there and have none of their own, as the conformance suite has it.

import DaeDiagnostics
import DaeScene
import DaeXML

extension SceneBuilder {
    /// Those of all contributors, in the order of the documents.
    mutating func addCopyright() {
        var claims: [String] = []
        for one in assets {
            for asset in [one.own].compactMap(\.self) + one.nested.map(\.asset) {
                for claim in asset.contributors.compactMap(\.copyright) where !claim.isEmpty {
                    // A library may have an asset for each of its elements; a claim is a line.
                    if claims.count < 100, !claims.contains(claim) { claims.append(claim) }
                }
            }
        }
        scene.copyright = claims.isEmpty ? nil : claims.joined(separator: "; ")
    }

    /// Finds the system of each document, and reports parts that have another.
    mutating func readSystems() {
        for (number, one) in assets.enumerated() {
            let own = system(of: one, number)
            let scopes = AssetScopes(one.nested, in: own)
            reportNested(scopes)
            systems.add(scopes)
            let main = systems.main
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
        if let wanted = wantedVisualScene { return document.visualScenes[wanted].position }
        if let reference = document.scene?.visualScene {
            guard reference.file == nil, let index = table.lookUp(reference.id, in: 0, .visualScene) else { return nil }
            return document.visualScenes[index].position
        }
        return (document.scene?.own ?? firstVisualScene).map { document.visualScenes[$0].position }
    }

    private static func place(of document: Int) -> Place {
        var place = Place()
        place.document = document
        return place
    }

    /// What an asset of its own means for the numbers within an element.
    private enum Effect {
        case converted
        /// They say nothing of what they measure.
        case kept
        /// They are colours, shares, times.
        case none

        init(onContentOf element: String) {
            switch element {
            case "formula", "library_formulas", "force_field", "library_force_fields": self = .kept
            case "animation_clip", "effect", "image", "library_animation_clips", "library_effects", "library_images",
                "library_materials", "library_physics_materials", "material", "physics_material":
                self = .none
            default: self = .converted  // element names: all others have lengths or hold what has
            }
        }

        var words: String {
            switch self {
            case .converted: "it is converted"
            case .kept: "its numbers stay as they are"
            case .none: "no number in it depends on that"
            }
        }

        var severity: Severity? {
            switch self {
            case .converted, .kept: nil
            case .none: .info
            }
        }
    }

    private mutating func reportNested(_ scopes: AssetScopes) {
        for scope in scopes.scopes where scope.system != scopes.system(around: scope) {
            let effect = Effect(onContentOf: scope.nested.owner)
            log.add(
                .assetNestedUnit, at: Place(scope.nested.position),
                "the content of this <\(scope.nested.owner)> is in \(scope.system), what is around it in \(scopes.system(around: scope)); \(effect.words)",
                arguments: [
                    .init("element", scope.nested.owner), .init("system", scope.system.description),
                    .init("expected", scopes.system(around: scope).description),
                ], severity: effect.severity)
        }
    }

    // MARK: - Conversion

    /// Puts a node that converts wherever a part hangs on another that is written otherwise. Cycles must have been cut.
    mutating func joinSystems() {
        guard !systems.areUniform else { return }
        let systems = document.nodes.indices.map { self.systems.system(ofNode: $0) }
        let owners = skinOwners()
        // Before instances move below nodes of their own.
        let places = controllerPlaces()
        var joints = ConversionNodes()
        for index in systems.indices {
            scene.nodes[index].children = scene.nodes[index].children.map {
                joints.join($0, from: systems[$0.value], to: systems[index], in: &scene)
            }
            joinInstances(of: index, in: systems[index], owners)
        }
        let main = scene.coordinateSystem
        scene.roots = scene.roots.map { joints.join($0, from: systems[$0.value], to: main, in: &scene) }
        convertBindShapes(places)
        convertInverseBinds(owners, places)
        reportTargets()
        convertCamerasAndLights()
    }

    /// Meshes that are written otherwise move below a node of their own; cameras and lights look along their own axes
    /// whatever is up around them.
    private mutating func joinInstances(of index: Int, in own: CoordinateSystem, _ skins: [Int?]) {
        var kept: [Instance] = []
        var moved: [(system: CoordinateSystem, instances: [Instance])] = []
        let place = AssetSystems.Place(system: own, document: document.nodes[index].position.document)
        for instance in scene.nodes[index].instances {
            if let turned = turned(instance, in: own) {
                scene.nodes[index].children.append(SceneIndex(scene.nodes.count))
                scene.nodes.append(turned)
                continue
            }
            let system = system(of: instance, at: place, skins) ?? own
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

    /// What a mesh comes out in: that of the skin whose bind shape it is taken into, else its own.
    ///
    /// - Parameter skins: For each controller the first skin of its chain.
    private func system(
        of instance: Instance, at place: AssetSystems.Place, _ skins: [Int?]
    ) -> CoordinateSystem? {
        switch instance {
        case .geometry(let geometry, materials: _):
            return systems.system(at: document.geometries[geometry.value].position, within: place)
        case .controller(let controller, skeleton: _, materials: _):
            if let skin = skins[controller.value] {
                return systems.system(at: document.controllers[skin].position, within: place)
            }
            return scene.controllers[controller].base.map {
                systems.system(at: document.geometries[$0.value].position, within: place)
            }
        case .camera, .light: return nil
        }
    }

    /// A camera or light whose own asset has another axis up than its document looks along the horizon of that axis: a
    /// node of its own turns it. All others look along −z, whatever is up, as everybody writes them.
    private func turned(_ instance: Instance, in own: CoordinateSystem) -> Node? {
        let position: XMLPosition
        switch instance {
        case .camera(let camera): position = document.cameras[camera.value].position
        case .light(let light): position = document.lights[light.value].position
        case .geometry, .controller: return nil
        }
        guard systems.scopes.indices.contains(position.document) else { return nil }
        let (usual, given) = (systems.scopes[position.document].system.upAxis, systems.system(at: position).upAxis)
        guard usual != given, given != .y else { return nil }
        return .conversion(
            from: CoordinateSystem(metersPerUnit: own.metersPerUnit, upAxis: .y),
            to: CoordinateSystem(metersPerUnit: own.metersPerUnit, upAxis: given), instances: [instance])
    }

    private mutating func convertCamerasAndLights() {
        for (index, camera) in document.cameras.enumerated() {
            scene.cameras[index].convert(by: systems.change(at: camera.position))
        }
        for (index, light) in document.lights.enumerated() {
            scene.lights[index].convert(by: systems.change(at: light.position))
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

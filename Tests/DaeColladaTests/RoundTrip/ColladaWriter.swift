import DaeScene

/// Writes a scene as COLLADA.
///
/// Where the format has several ways to say one thing, the seed decides: nodes in place or in a library, arrays of their
/// own or shared ones, libraries whole or in pieces and in any order, parts in one document or in several.
struct ColladaWriter {
    let scene: Scene
    let version: ColladaVersion
    var dice: Dice
    let placements: [NodePlacement]
    private var names = 0
    /// Of each morph: the source of its weights, by which channels address them.
    var weightIDs: [Int: String] = [:]
    /// Of each effect: the sids of the values that stand in its properties, or of the parameters they read.
    var sids: [String: [Material.Property: String]] = [:]
    /// Of each effect: its samplers.
    var scopes: [String: EffectScope] = [:]
    /// Materials whose extras stand in their effects.
    var inEffect: Set<Int> = []
    /// The samplers that stand in the animations so far.
    var samplers: [AnimationCurve: String] = [:]
    /// Of each animation: the last key of its own samplers.
    var lastKeys: [Int: Double] = [:]
    /// What matrices are made of where no element may say them whole, by their rows.
    let frames: [[Double]: [Transform]]
    /// Physics materials that are still to be written where they are used.
    var inlineMaterials: Set<Int> = []
    /// The ids of joints that models instance.
    var jointsInLibrary: Set<String> = []
    let split: DocumentSplit
    /// The document that is being written.
    var home = 0
    /// Of each document.
    private var libraries: [[String]]

    private init(_ random: RandomScene, documents: Int, seed: UInt64) {
        scene = random.scene
        version = random.version
        frames = random.frames
        var dice = Dice(seed: seed)
        placements = NodePlacement.all(in: scene, sharedInLibrary: dice.chance(0.5))
        split =
            documents == 1
            ? .none : .random(scene, version, placements, documents: documents, &dice)
        self.dice = dice
        libraries = Array(repeating: [], count: split.paths.count)
    }

    static func write(_ random: RandomScene, seed: UInt64) -> String {
        var writer = ColladaWriter(random, documents: 1, seed: seed)
        return writer.texts()[0]
    }

    /// The paths of several documents and their texts, the one with the scene first.
    static func write(_ random: RandomScene, documents: Int, seed: UInt64) -> [(path: String, text: String)] {
        var writer = ColladaWriter(random, documents: documents, seed: seed)
        let texts = writer.texts()
        return zip(writer.split.paths, texts).map { (path: $0, text: $1) }
    }

    /// The address of a part from the document that is being written.
    func reference(_ part: DocumentSplit.Part, _ index: Int) -> String? {
        let id: String? =
            switch part {
            case .geometry: scene.geometries[index].id
            case .controller: scene.controllers[index].id
            case .material: scene.materials[index].id
            case .image: scene.images[index].id
            case .camera: scene.cameras[index].id
            case .light: scene.lights[index].id
            case .node: scene.nodes[index].id
            case .physicsModel: scene.physics.models[index].id
            }
        return id.map { split.reference(to: $0, in: split.document(of: part, index), from: home) }
    }

    /// No id of the scene begins so.
    mutating func newID() -> String {
        names += 1
        return "_\(names)"
    }

    private mutating func texts() -> [String] {
        // Channels address by ids that the others get while they are written.
        add("library_images", .image, scene.images.indices) { $0.image($0.scene.images[$1]) }
        for (document, effects) in effects().enumerated() {
            libraries[document].append(library("library_effects", effects))
        }
        add("library_materials", .material, scene.materials.indices) { $0.material($1) }
        add("library_geometries", .geometry, scene.geometries.indices) { $0.geometry($0.scene.geometries[$1]) }
        add("library_controllers", .controller, scene.controllers.indices) { $0.controller($1) }
        add("library_cameras", .camera, scene.cameras.indices) { $0.camera($0.scene.cameras[$1]) }
        add("library_lights", .light, scene.lights.indices) { $0.light($0.scene.lights[$1]) }
        add("library_nodes", .node, placements.indices.filter { placements[$0] == .library }) { $0.node($1) }
        libraries[0].append(library("library_visual_scenes", [visualScene()]))
        libraries[0].append(library("library_animations", animations()))
        libraries[0].append(library("library_animation_clips", scene.clips.map { clip($0) }))
        var groups = libraries.map { $0.map { [$0] } }
        for (document, physics) in physics().enumerated() { groups[document].append(physics) }
        groups[0].append(kinematics())
        var instances = scene.physics.active.map {
            Markup.element(
                "instance_physics_scene", ["url": scene.physics.scenes[$0.value].id.map { "#" + $0 }])
        }
        instances.append(Markup.element("instance_visual_scene", ["url": scene.id.map { "#" + $0 }]))
        for active in scene.kinematics.active { instances.append(instance(active)) }
        return libraries.indices.map { document in
            self.document(
                dice.shuffled(groups[document]).flatMap { $0 },
                scene: document == 0 ? Markup.element("scene", [:], instances.joined()) : "")
        }
    }

    private func document(_ libraries: [String], scene instance: String) -> String {
        let asset = Markup.element(
            "asset", [:],
            Markup.element("created", [:], "2024-01-01T00:00:00Z")
                + Markup.element("unit", ["name": "a & b", "meter": scene.metersPerUnit.description])
                + Markup.element("up_axis", [:], scene.upAxis.rawValue))
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
            + Markup.element(
                "COLLADA", ["xmlns": version.namespace, "version": version.rawValue],
                asset + libraries.joined() + instance)
    }

    private mutating func add(
        _ name: String, _ part: DocumentSplit.Part, _ indices: some Sequence<Int>,
        _ write: (inout ColladaWriter, Int) -> String
    ) {
        for (document, library) in spread(name, part, indices, write).enumerated() {
            libraries[document].append(library)
        }
    }

    /// A library of each document, with the parts that stand there.
    mutating func spread(
        _ name: String, _ part: DocumentSplit.Part, _ indices: some Sequence<Int>,
        _ write: (inout ColladaWriter, Int) -> String
    ) -> [String] {
        var elements = libraries.map { _ in [String]() }
        for index in indices {
            home = split.document(of: part, index)
            let element = write(&self, index)
            elements[home].append(element)
        }
        home = 0
        return elements.map { library(name, $0) }
    }

    /// One library, or two.
    mutating func library(_ name: String, _ elements: [String]) -> String {
        guard !elements.isEmpty else { return "" }
        let cut = dice.chance(0.2) ? dice.int(0...elements.count) : 0
        return [elements[..<cut], elements[cut...]].filter { !$0.isEmpty }
            .map { Markup.element(name, [:], $0.joined()) }.joined()
    }

    // MARK: - Optics

    private func camera(_ camera: Camera) -> String {
        let projection: String
        var parameters: [(AnimationTarget.CameraParameter, Double?)] = []
        switch camera.projection {
        case .perspective(let xfov, let yfov):
            projection = "perspective"
            parameters = [(.xfov, xfov), (.yfov, yfov)]
        case .orthographic(let xmag, let ymag):
            projection = "orthographic"
            parameters = [(.xmag, xmag), (.ymag, ymag)]
        case nil: projection = "unknown"
        }
        parameters += [(.aspectRatio, camera.aspectRatio), (.znear, camera.near), (.zfar, camera.far)]
        let content = parameters.map { parameter, value in
            value.map { Self.parameter(parameter.rawValue, [$0]) } ?? ""
        }
        return Markup.element(
            "camera", ["id": camera.id, "name": camera.name],
            Markup.element(
                "optics", [:],
                Markup.element("technique_common", [:], Markup.element(projection, [:], content.joined()))))
    }

    private func light(_ light: Light) -> String {
        var content = light.color.map { Self.parameter("color", $0.array) } ?? ""
        if let attenuation = light.source?.attenuation {
            content += Self.parameter("constant_attenuation", [attenuation.constant])
            content += Self.parameter("linear_attenuation", [attenuation.linear])
            content += Self.parameter("quadratic_attenuation", [attenuation.quadratic])
        }
        if let falloff = light.source?.falloff {
            content += Self.parameter("falloff_angle", [falloff.angle])
            content += Self.parameter("falloff_exponent", [falloff.exponent])
        }
        return Markup.element(
            "light", ["id": light.id, "name": light.name],
            Markup.element(
                "technique_common", [:], Markup.element(light.kind?.rawValue ?? "unknown", [:], content)))
    }

    /// The sid that a channel may use, or the element's own name.
    static func sid(of parameter: String) -> String { "of." + parameter }

    private static func parameter(_ name: String, _ numbers: [Double]) -> String {
        Markup.element(name, ["sid": sid(of: name)], Markup.numbers(numbers))
    }

    // MARK: - Images

    private func image(_ image: Image) -> String {
        var format: String?
        let content: String
        switch version {
        case .v14:
            switch image.content {
            case .reference(let path): content = Markup.element("init_from", [:], Markup.escaped(path))
            case .embedded(let embedded):
                format = embedded.format
                content = Markup.element("data", [:], hex(embedded))
            case .none: content = ""
            }
        case .v15:
            let name =
                switch image.shape {
                case .flat: "create_2d"
                case .volume: "create_3d"
                case .cube: "create_cube"
                }
            let parts = image.parts.map { part in
                initFrom(
                    part.content,
                    [
                        "face": part.face?.rawValue, "mip_index": "\(part.mip)", "array_index": "\(part.arrayIndex)",
                        "depth": "\(part.depth)",
                    ])
            }
            content = parts.isEmpty ? initFrom(image.content, [:]) : Markup.element(name, [:], parts.joined())
        }
        return Markup.element("image", ["id": image.id, "name": image.name, "format": format], content)
    }

    private func initFrom(_ content: ImageContent, _ attributes: KeyValuePairs<String, String?>) -> String {
        switch content {
        case .reference(let path):
            Markup.element("init_from", attributes, Markup.element("ref", [:], Markup.escaped(path)))
        case .embedded(let embedded):
            Markup.element(
                "init_from", attributes, Markup.element("hex", ["format": embedded.format], hex(embedded)))
        case .none: ""
        }
    }

    private func hex(_ image: EmbeddedImage) -> String {
        switch image.content {
        case .bytes(let bytes):
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16, uppercase: true) }.joined()
        case .counted: ""
        }
    }
}

extension ColladaVersion {
    fileprivate var namespace: String {
        switch self {
        case .v14: "http://www.collada.org/2005/11/COLLADASchema"
        case .v15: "http://www.collada.org/2008/03/COLLADASchema"
        }
    }
}

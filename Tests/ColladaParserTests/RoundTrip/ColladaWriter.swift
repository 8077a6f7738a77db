import SceneModel

/// Writes a scene as COLLADA.
///
/// Where the format has several ways to say one thing, the seed decides: nodes in place or in a library, arrays of their
/// own or shared ones, libraries whole or in pieces and in any order.
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

    private init(_ scene: Scene, _ version: ColladaVersion, seed: UInt64) {
        self.scene = scene
        self.version = version
        dice = Dice(seed: seed)
        placements = NodePlacement.all(in: scene, sharedInLibrary: dice.chance(0.5))
    }

    static func write(_ scene: Scene, _ version: ColladaVersion, seed: UInt64) -> String {
        var writer = ColladaWriter(scene, version, seed: seed)
        return writer.document()
    }

    /// No id of the scene begins so.
    mutating func newID() -> String {
        names += 1
        return "_\(names)"
    }

    private mutating func document() -> String {
        // Channels address by ids that the others get while they are written.
        var libraries = [
            library("library_images", scene.images.map { image($0) }),
            library("library_effects", effects()),
            library("library_materials", scene.materials.indices.map { material($0) }),
            library("library_geometries", scene.geometries.indices.map { geometry(scene.geometries[$0]) }),
            library("library_controllers", scene.controllers.indices.map { controller($0) }),
            library("library_cameras", scene.cameras.map { camera($0) }),
            library("library_lights", scene.lights.map { light($0) }),
            library("library_nodes", placements.indices.filter { placements[$0] == .library }.map { node($0) }),
            library("library_visual_scenes", [visualScene()]),
        ]
        libraries.append(library("library_animations", animations()))
        libraries.append(library("library_animation_clips", scene.clips.map { clip($0) }))
        let asset = Markup.element(
            "asset", [:],
            Markup.element("created", [:], "2024-01-01T00:00:00Z")
                + Markup.element("unit", ["name": "a & b", "meter": scene.metersPerUnit.description])
                + Markup.element("up_axis", [:], scene.upAxis.rawValue))
        let instance = Markup.element(
            "scene", [:], Markup.element("instance_visual_scene", ["url": scene.id.map { "#" + $0 }]))
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
            + Markup.element(
                "COLLADA", ["xmlns": version.namespace, "version": version.rawValue],
                asset + dice.shuffled(libraries).joined() + instance)
    }

    /// One library, or two.
    private mutating func library(_ name: String, _ elements: [String]) -> String {
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

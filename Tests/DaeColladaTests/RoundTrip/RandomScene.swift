import DaeScene

/// The version of COLLADA that a scene is made for.
enum ColladaVersion: String, CaseIterable {
    case v14 = "1.4.1"
    case v15 = "1.5.0"
}

/// Scenes of everything that the model has, as far as one document can say it without a finding.
///
/// Left out, since a document that says so is told of: what cannot be read (cameras without optics), what leads nowhere,
/// matrices whose last row is not 0 0 0 1, transforms without a direction, weights that do not sum up to 1, times that do
/// not increase, images that name no file, limits that are inverted, links in a circle, OpenRAVE's extensions.
struct RandomScene {
    var scene = Scene()
    let version: ColladaVersion
    var dice: Dice
    private var names = 0
    /// How each effect's `transparent` is meant, which a scene holds only as an opacity.
    var modes: [String: Opacity.Mode] = [:]
    /// Of each skin, by controller: the roots that an instance may have, one of them at a time.
    var armatures: [Int: [SceneIndex<Node>]] = [:]
    var twins: Twins?
    /// What matrices are made of that only translations and rotations may say, by their rows.
    var frames: [[Double]: [Transform]] = [:]

    init(seed: UInt64) {
        dice = Dice(seed: seed)
        version = dice.pick(ColladaVersion.allCases)
        scene.id = newID("scene")
        scene.name = dice.maybe(0.7) { $0.name() }
        scene.upAxis = dice.pick(Scene.UpAxis.allCases)
        scene.metersPerUnit = dice.positive()
        addImages()
        addMaterials()
        addGeometries()
        addCameras()
        addLights()
        addNodes()
        addControllers()
        addInstances()
        addAnimations()
        addClips()
        addPhysics()
        addKinematics()
    }

    /// One that nothing else has; also a sid.
    mutating func newID(_ kind: String) -> String {
        names += 1
        return "\(kind)\(names)" + dice.pick(["", "", "-a", ".X", "_c", "ü", ".名"])
    }

    mutating func maybeID(_ kind: String) -> String? { dice.chance(0.7) ? newID(kind) : nil }

    mutating func maybeName() -> String? { dice.maybe(0.6) { $0.name() } }

    // MARK: - Optics

    private mutating func addCameras() {
        for _ in 0..<dice.int(0...2) {
            func maybe(_ dice: inout Dice) -> Double? { dice.maybe(0.7) { $0.number() } }
            let projection: Camera.Projection =
                dice.chance(0.5)
                ? .perspective(xfov: maybe(&dice), yfov: maybe(&dice))
                : .orthographic(xmag: maybe(&dice), ymag: maybe(&dice))
            scene.cameras.append(
                Camera(
                    id: newID("camera"), name: maybeName(), projection: projection, aspectRatio: maybe(&dice),
                    near: maybe(&dice), far: maybe(&dice)))
        }
    }

    private mutating func addLights() {
        for _ in 0..<dice.int(0...3) {
            let attenuation = Light.Attenuation(
                constant: dice.number(), linear: dice.number(), quadratic: dice.number())
            let source: Light.Source =
                switch dice.pick(Light.Kind.allCases) {
                case .ambient: .ambient
                case .directional: .directional
                case .point: .point(attenuation)
                case .spot: .spot(attenuation, .init(angle: dice.number(), exponent: dice.number()))
                }
            scene.lights.append(
                Light(
                    id: newID("light"), name: maybeName(), source: source, color: dice.maybe(0.9) { $0.vector() }))
        }
    }
}

/// What a channel moves.
public enum AnimationTarget: Sendable, Hashable {
    /// A transform of a node, by its place in the node's list.
    case transform(SceneIndex<Node>, at: Int, AnimationMember)
    /// The weight of one target of a morph, or with `nil` those of all.
    case morphWeight(SceneIndex<Controller>, at: Int?)
    case material(SceneIndex<Material>, MaterialParameter, AnimationMember)
    case camera(SceneIndex<Camera>, CameraParameter)
    case light(SceneIndex<Light>, LightParameter, AnimationMember)

    public enum MaterialParameter: Sendable, Hashable {
        case property(Material.Property)
        /// None of a material's own: the sids below its effect, joined by `/`, as the channel gives them.
        case path(String)

        /// A property where the name is that of one, else a path.
        public init(named name: String) {
            self = Material.Property(rawValue: name).map { .property($0) } ?? .path(name)
        }

        /// As documents write it: `diffuse`, or the path.
        public var name: String {
            switch self {
            case .property(let property): property.rawValue
            case .path(let path): path
            }
        }
    }

    public enum CameraParameter: String, Sendable, Hashable, CaseIterable {
        case xfov, yfov, xmag, ymag, znear, zfar
        case aspectRatio = "aspect_ratio"
    }

    public enum LightParameter: String, Sendable, Hashable, CaseIterable {
        case color
        case constantAttenuation = "constant_attenuation"
        case linearAttenuation = "linear_attenuation"
        case quadraticAttenuation = "quadratic_attenuation"
        case falloffAngle = "falloff_angle"
        case falloffExponent = "falloff_exponent"
    }
}

/// A curve and what it moves. A curve may stand in several channels; it is stored once.
public struct AnimationChannel: Sendable, Equatable {
    public var target: AnimationTarget
    public var curve: AnimationCurve

    public init(target: AnimationTarget, curve: AnimationCurve) {
        self.target = target
        self.curve = curve
    }
}

/// What a channel moves.
public enum AnimationTarget: Sendable, Hashable {
    /// A transform of a node, by its place in the node's list.
    case transform(SceneIndex<Node>, at: Int, AnimationMember)
    /// The weight of one target of a morph, or with `nil` those of all.
    case morphWeight(SceneIndex<Controller>, at: Int?)
    /// A property of a material by its name, as `diffuse`, or where the channel means none of them, the path of sids that
    /// it gives below the effect or material.
    case material(SceneIndex<Material>, parameter: String, AnimationMember)
    case camera(SceneIndex<Camera>, CameraParameter)
    case light(SceneIndex<Light>, LightParameter, AnimationMember)

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

extension Material {
    /// An image as a property samples it.
    public struct Texture: Sendable, Hashable {
        public var image: SceneIndex<Image>
        /// The name for its texture coordinates, as in the effect; ``MaterialBinding`` says which set that is.
        public var texcoord: String
        public var sampler: Sampler
        /// What an exporter does to the coordinates before the image is sampled; `nil` for nothing.
        public var transform: UVTransform?
        /// How much of it counts, usually 0...1; `nil` when not said.
        public var amount: Double?
        /// An exporter's word for how it is laid over what is below, such as `MULTIPLY`; `nil` for none.
        public var blendMode: String?

        public init(
            image: SceneIndex<Image>, texcoord: String, sampler: Sampler = Sampler(), transform: UVTransform? = nil,
            amount: Double? = nil, blendMode: String? = nil
        ) {
            self.image = image
            self.texcoord = texcoord
            self.sampler = sampler
            self.transform = transform
            self.amount = amount
            self.blendMode = blendMode
        }
    }
}

extension Material.Texture {
    /// How an image is sampled; what is `nil` was not said.
    public struct Sampler: Sendable, Hashable {
        public var wrapS: Wrap?
        public var wrapT: Wrap?
        public var wrapP: Wrap?
        public var minFilter: Filter?
        public var magFilter: Filter?
        public var mipFilter: Filter?
        /// Red, green, blue, alpha.
        public var borderColor: SIMD4<Double>?
        /// At least 1.
        public var maxAnisotropy: Int?
        public var mipBias: Double?
        /// The levels of detail to use, from 0, the largest.
        public var mipMinLevel: Int?
        public var mipMaxLevel: Int?

        public init() {}
    }

    /// What lies beyond 0...1. COLLADA's default is ``wrap``.
    public enum Wrap: String, Sendable, Hashable, CaseIterable {
        case none = "NONE"
        case wrap = "WRAP"
        case mirror = "MIRROR"
        case clamp = "CLAMP"
        case border = "BORDER"
        case mirrorOnce = "MIRROR_ONCE"
    }

    /// The filters of both versions: 1.4 names those of two mip levels in one word.
    public enum Filter: String, Sendable, Hashable, CaseIterable {
        case none = "NONE"
        case nearest = "NEAREST"
        case linear = "LINEAR"
        case anisotropic = "ANISOTROPIC"
        case nearestMipmapNearest = "NEAREST_MIPMAP_NEAREST"
        case linearMipmapNearest = "LINEAR_MIPMAP_NEAREST"
        case nearestMipmapLinear = "NEAREST_MIPMAP_LINEAR"
        case linearMipmapLinear = "LINEAR_MIPMAP_LINEAR"
    }

    /// A change of texture coordinates in the terms of Maya's place2dTexture, which exporters write for all tools.
    public struct UVTransform: Sendable, Hashable {
        /// How often the image repeats within the frame.
        public var repetition = SIMD2(1.0, 1.0)
        /// Added after the repetition.
        public var offset = SIMD2(0.0, 0.0)
        /// Of the image within the frame, in degrees.
        public var rotation = 0.0
        /// The share of the surface that the frame covers.
        public var coverage = SIMD2(1.0, 1.0)
        public var frameTranslation = SIMD2(0.0, 0.0)
        /// Of the frame, in degrees.
        public var frameRotation = 0.0

        public init() {}

        public var isIdentity: Bool { self == UVTransform() }
    }
}

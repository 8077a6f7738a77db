public import SceneModel

extension ColladaDocument {
    /// The value of a `<newparam>` or `<setparam>`.
    public enum Parameter: Sendable, Equatable {
        case surface(Surface)
        indirect case sampler(Sampler)
        /// One to four numbers.
        case numbers([Double])
        /// The value of another one, by its sid.
        case alias(String)
        /// A kind that no property of the common profile has, by its element's name; `nil` when that is not known.
        case other(kind: String?)

        /// What 1.4 puts between sampler and image.
        public struct Surface: Sendable, Equatable {
            /// `2D`, `CUBE`, …
            public var type: String?
            /// The images' ids in the file's order.
            public var images: [String]
        }

        public struct Sampler: Sendable, Equatable {
            /// By the sid of a surface, as 1.4 has it.
            public var surface: String?
            /// By the image's address, as 1.5 has it.
            public var image: Reference?
            public var state: SceneModel.Material.Texture.Sampler
            public var extras: [Extra]
        }
    }
}

public import XMLReader

extension ColladaDocument {
    /// A profile other than the common one: its structure, for whoever runs its shaders.
    ///
    /// Where only figures are read it has its kind, id and place.
    public struct Profile: Sendable {
        public enum Kind: String, Sendable, Equatable, CaseIterable {
            case glsl = "profile_GLSL"
            case cg = "profile_CG"
            case gles = "profile_GLES"
            case gles2 = "profile_GLES2"
            case bridge = "profile_BRIDGE"
        }
        public var kind: Kind
        public var id: String?
        public var platform: String?
        /// Of a bridge: the file that it stands for.
        public var url: String?
        public var position: XMLPosition
        public var parameters: [NewParameter] = []
        public var code: [Code] = []
        public var techniques: [Technique] = []
        /// The ids of the images that stand in it; they are in ``ColladaDocument/images`` too.
        public var images: [String] = []
        /// All of it as it stands; `nil` where it was not kept.
        public var element: RawElement?

        public struct NewParameter: Sendable {
            public var sid: String?
            /// The name of the element that is its value, such as `float4x4`; `nil` without one.
            public var kind: String?
            public var semantic: String?
        }

        public enum Code: Sendable, Equatable {
            case inline(sid: String?, text: String)
            case include(sid: String?, url: String)
        }

        public struct Technique: Sendable {
            public var id: String?
            public var sid: String?
            public var parameters: [NewParameter]
            public var code: [Code]
            public var passes: [Pass]
        }

        public struct Pass: Sendable {
            public var sid: String?
            /// The stages of its shaders as written, such as `VERTEX` or `FRAGMENTPROGRAM`; `nil` where one has none.
            public var stages: [String?]
        }
    }
}

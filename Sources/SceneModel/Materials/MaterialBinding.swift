/// Which material the faces of one symbol get.
public struct MaterialBinding: Sendable, Hashable {
    public let symbol: String
    /// `nil` when the material does not exist.
    public let material: SceneIndex<Material>?
    /// What its textures' coordinates are in the mesh.
    public let vertexInputs: [VertexInput]
    /// What else of the scene its effect's parameters read.
    public let parameters: [Parameter]

    public init(
        symbol: String, material: SceneIndex<Material>?, vertexInputs: [VertexInput] = [],
        parameters: [Parameter] = []
    ) {
        self.symbol = symbol
        self.material = material
        self.vertexInputs = vertexInputs
        self.parameters = parameters
    }

    /// A `<bind_vertex_input>`.
    public struct VertexInput: Sendable, Hashable {
        /// The name in the effect: a texture's `texcoord`.
        public var semantic: String
        /// The input of the mesh, usually `TEXCOORD`.
        public var inputSemantic: String
        public var inputSet: Int?

        public init(semantic: String, inputSemantic: String, inputSet: Int?) {
            self.semantic = semantic
            self.inputSemantic = inputSemantic
            self.inputSet = inputSet
        }
    }

    /// A `<bind>`: a semantic of the effect and the address of what gives its value, as written.
    public struct Parameter: Sendable, Hashable {
        public var semantic: String
        public var target: String

        public init(semantic: String, target: String) {
            self.semantic = semantic
            self.target = target
        }
    }
}

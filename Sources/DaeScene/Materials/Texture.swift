extension Material {
    /// An image as a property samples it.
    public struct Texture: Sendable, Hashable {
        /// The picture, in the scene's images.
        public var image: Dae.SceneIndex<Dae.Image>
        /// The name for its texture coordinates, as in the effect; ``MaterialBinding`` says which set that is.
        public var texcoord: String
        /// How it is repeated and filtered.
        public var sampler: Sampler
        /// What an exporter does to the coordinates before the image is sampled; `nil` for nothing.
        public var transform: UVTransform?
        /// How much of it counts, usually 0...1; `nil` when not said.
        package var amount: Double?
        /// An exporter's word for how it is laid over what is below, such as `MULTIPLY`; `nil` for none.
        package var blendMode: String?

        package init(
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
        /// How it goes on beyond 0 to 1 across; `nil` where nothing is said.
        public var wrapS: Wrap?
        /// How it goes on beyond 0 to 1 upwards; `nil` where nothing is said.
        public var wrapT: Wrap?
        package var wrapP: Wrap?
        /// How it is filtered where it is made smaller; `nil` where nothing is said.
        public var minFilter: Filter?
        /// How it is filtered where it is made larger; `nil` where nothing is said.
        public var magFilter: Filter?
        /// How levels of detail are blended; `nil` where nothing is said.
        public var mipFilter: Filter?
        /// Red, green, blue, alpha.
        public var borderColor: SIMD4<Double>?
        /// At least 1.
        package var maxAnisotropy: Int?
        package var mipBias: Double?
        /// The levels of detail to use, from 0, the largest.
        package var mipMinLevel: Int?
        package var mipMaxLevel: Int?

        package init() {}
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
        /// Of the frame, in its own size.
        public var frameTranslation = SIMD2(0.0, 0.0)
        /// Of the frame, in degrees.
        public var frameRotation = 0.0

        package init() {}

        package var isIdentity: Bool { self == UVTransform() }
    }
}

// Which texture coordinates of a mesh a texture uses: as bound, else by what exporters are known to mean.

/// An input of a primitive that a texture's `texcoord` leads to.
package struct TexcoordChoice: Sendable, Hashable {
    package enum Rule: Sendable, Hashable {
        /// A `<bind_vertex_input>` says so.
        case bound
        /// The name is the set's number or ends in it, such as `CHANNEL1`.
        case number
        /// The same, with numbers that begin at 1 where the mesh's begin at 0.
        case numberFromOne
        /// There are no other texture coordinates.
        case only
        /// Nothing fits; those of the lowest set are taken, of several the first.
        case first

        /// Whether another reader might well choose otherwise.
        package var isGuess: Bool {
            switch self {
            case .bound, .number, .numberFromOne, .only: false
            case .first: true
            }
        }
    }
    /// Into the inputs that were asked about.
    package var input: Int
    package var set: Int?
    package var rule: Rule

    package init(input: Int, set: Int?, rule: Rule) {
        self.input = input
        self.set = set
        self.rule = rule
    }
}

/// An input of a mesh as far as bindings see it.
package struct VertexInputName: Sendable, Hashable {
    package var semantic: String
    package var set: Int?

    package init(semantic: String, set: Int?) {
        self.semantic = semantic
        self.set = set
    }

    /// Whether it gives places in a picture.
    var isTexcoord: Bool { Mesh.Semantic(semantic).isTexcoord }
}

extension Mesh.Semantic {
    /// Whether it gives places in a picture: `UV` is on the specification's list, and exporters count their sets in
    /// names such as `TEXCOORD1`, or call them by the word for them in other systems.
    package var isTexcoord: Bool {
        switch self {
        case .texcoord: true
        case .position, .normal, .color, .tangent, .binormal, .textangent, .texbinormal: false
        case .custom(let name): Self.isTexcoord(name)
        }
    }

    private static func isTexcoord(_ name: String) -> Bool {
        let letters = name.utf8.reversed().drop { (0x30...0x39).contains($0) }.reversed()
        guard (2...8).contains(letters.count) else { return false }
        return ["UV", "TEXCOORD", "MAPPING"].contains { $0.utf8.elementsEqual(letters.map { $0 & 0xDF }) }
    }
}

extension MaterialBinding {
    /// The input of a primitive that a texture uses; `nil` where the primitive has no texture coordinates.
    package func texcoords(for texcoord: String, in primitive: Mesh.Primitive, of mesh: Mesh) -> TexcoordChoice? {
        texcoords(
            for: texcoord,
            among: primitive.inputs.map { input in
                let isStream = mesh.streams.indices.contains(input.stream)
                return VertexInputName(
                    semantic: isStream ? mesh.streams[input.stream].semantic.name : "", set: input.set)
            })
    }

    /// The same for inputs by their names alone.
    package func texcoords(for texcoord: String, among inputs: [VertexInputName]) -> TexcoordChoice? {
        if let bound = vertexInput(for: texcoord), let index = Self.index(of: bound, in: inputs) {
            return TexcoordChoice(input: index, set: inputs[index].set, rule: .bound)
        }
        let candidates = inputs.indices.filter { inputs[$0].isTexcoord }
        guard let first = candidates.min(by: { (inputs[$0].set ?? 0, $0) < (inputs[$1].set ?? 0, $1) }) else {
            return nil
        }
        func choice(_ index: Int, _ rule: TexcoordChoice.Rule) -> TexcoordChoice {
            TexcoordChoice(input: index, set: inputs[index].set, rule: rule)
        }
        if let number = Self.number(at: texcoord) {
            let withSet = { (set: Int) in candidates.first { (inputs[$0].set ?? 0) == set } }
            if let index = withSet(number) { return choice(index, .number) }
            if number > 0, let index = withSet(number - 1) { return choice(index, .numberFromOne) }
        }
        return choice(first, candidates.count == 1 ? .only : .first)
    }

    /// What is bound to a texture's `texcoord`.
    package func vertexInput(for texcoord: String) -> VertexInput? {
        vertexInputs.first { $0.semantic == texcoord }
    }

    private static func index(of bound: VertexInput, in inputs: [VertexInputName]) -> Int? {
        let named = inputs.indices.filter { inputs[$0].semantic == bound.inputSemantic }
        guard let set = bound.inputSet else { return named.first }
        // A missing set counts as 0.
        return named.first { inputs[$0].set == set } ?? named.first { (inputs[$0].set ?? 0) == set }
    }

    /// The number that a name is or ends in, 0...999,999,999.
    private static func number(at name: String) -> Int? {
        let digits = name.utf8.reversed().prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        return digits.reversed().reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

extension Dae {
    /// An image as the document names it; where its file is, the locator says.
    public struct Image: Sendable, Equatable {
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// Of the picture that stands for it: the only one, or the first of its parts.
        public var content: ImageContent
        package var shape: ImageShape
        /// Every picture, in the file's order, of an image that has more than one; else empty.
        package var parts: [ImagePart]
        /// The path of the document it stands in, which its own path is relative to; `nil` where that is not known.
        package var base: String?

        package init(
            id: String?, name: String?, content: ImageContent, shape: ImageShape = .flat, parts: [ImagePart] = [],
            base: String? = nil
        ) {
            self.id = id
            self.name = name
            self.content = content
            self.shape = shape
            self.parts = parts
            self.base = base
        }
    }

    package enum ImageShape: Sendable, Equatable {
        case flat, volume, cube
    }

    /// One picture of an image: a side, a level of detail, an element of an array or a layer.
    package struct ImagePart: Sendable, Equatable {
        package enum Face: String, Sendable, Equatable, CaseIterable {
            case positiveX = "POSITIVE_X"
            case negativeX = "NEGATIVE_X"
            case positiveY = "POSITIVE_Y"
            case negativeY = "NEGATIVE_Y"
            case positiveZ = "POSITIVE_Z"
            case negativeZ = "NEGATIVE_Z"
        }
        /// Of a cube; `nil` when the file has it all.
        package var face: Face?
        /// From 0, the largest.
        package var mip: Int
        /// From 0.
        package var arrayIndex: Int
        /// The layer of a volume, from 0.
        package var depth: Int
        package var content: ImageContent

        package init(face: Face? = nil, mip: Int = 0, arrayIndex: Int = 0, depth: Int = 0, content: ImageContent) {
            self.face = face
            self.mip = mip
            self.arrayIndex = arrayIndex
            self.depth = depth
            self.content = content
        }
    }

    /// Where an image's bytes come from.
    public enum ImageContent: Sendable, Equatable {
        /// A path or address, as written.
        case reference(String)
        case embedded(EmbeddedImage)
        /// Nothing is named.
        case none
    }

    /// An image's file within the document.
    public struct EmbeddedImage: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case bytes([UInt8])
            /// How many there are; they were not kept, because only figures were read or they are more than the budget.
            case counted(Int)
        }
        /// As the document names it, such as `PNG`.
        package var format: String?
        package var content: Content

        package init(format: String?, content: Content) {
            self.format = format
            self.content = content
        }

        package var byteCount: Int {
            switch content {
            case .bytes(let bytes): bytes.count
            case .counted(let count): count
            }
        }
    }
}

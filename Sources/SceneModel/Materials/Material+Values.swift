extension Material {
    /// The properties of the four shading models, by the names that COLLADA gives them.
    public enum Property: String, Sendable, Equatable, CaseIterable {
        case emission, ambient, diffuse, specular, shininess, reflective, reflectivity, transparent, transparency
        case indexOfRefraction = "index_of_refraction"
    }

    /// What exporters add to the shading models under `<extra>`.
    public enum Detail: String, Sendable, Equatable, CaseIterable {
        /// Heights or directions, the document does not say which; a texture's amount says how strong.
        case bump
        /// Heights.
        case heights
        /// Directions in tangent space.
        case normal
        case displacement
        case ambientOcclusion
        /// A factor on `specular`.
        case specularLevel
        /// A factor on `emission`.
        case emissionLevel
        /// What the lit colour is multiplied by.
        case multiply
        case fresnelExponent
    }

    public enum Value: Sendable, Equatable {
        /// Red, green, blue, alpha as written, usually 0...1; alpha is 1 where the file gives three numbers.
        case color(SIMD4<Double>)
        case number(Double)
        indirect case texture(Texture)

        public var color: SIMD4<Double>? {
            switch self {
            case .color(let color): color
            case .number, .texture: nil
            }
        }

        public var number: Double? {
            switch self {
            case .number(let number): number
            case .color, .texture: nil
            }
        }

        /// Whether ``texture`` is one, without taking it out.
        package var isTexture: Bool {
            switch self {
            case .texture: true
            case .color, .number: false
            }
        }

        public var texture: Texture? {
            switch self {
            case .texture(let texture): texture
            case .color, .number: nil
            }
        }
    }
}

// By place: a raw value's own hash is that of its text.
extension Material.Property: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }

    private var place: UInt8 {
        switch self {
        case .emission: 0
        case .ambient: 1
        case .diffuse: 2
        case .specular: 3
        case .shininess: 4
        case .reflective: 5
        case .reflectivity: 6
        case .transparent: 7
        case .transparency: 8
        case .indexOfRefraction: 9
        }
    }
}

extension Material.Detail: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }

    private var place: UInt8 {
        switch self {
        case .bump: 0
        case .normal: 1
        case .displacement: 2
        case .ambientOcclusion: 3
        case .specularLevel: 4
        case .emissionLevel: 5
        case .multiply: 6
        case .fresnelExponent: 7
        case .heights: 8
        }
    }
}

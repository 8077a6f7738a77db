import SceneModel

/// What a material samples; most sample nothing.
struct TexturesInUse {
    /// In the order of ``Material/textures``.
    private(set) var all: [(property: String, texture: Material.Texture)] = []
    /// Each once, in that order.
    private(set) var images: [SceneIndex<Image>] = []

    /// - Parameter index: Of the material.
    init(of materials: [Material], _ index: Int) {
        // By index: a material taken out of its list would be copied.
        var isTextured = !materials[index].details.isEmpty
        materials[index].properties.forEachValue { isTextured = isTextured || $0.isTexture }
        guard isTextured else { return }
        for property in Material.Property.allCases {
            if let value = materials[index].properties[property] { add(value, of: property.rawValue) }
        }
        guard !materials[index].details.isEmpty else { return }
        for detail in Material.Detail.allCases {
            // Heights were one with bumps, and reports keep the word.
            let word = detail == .heights ? Material.Detail.bump.rawValue : detail.rawValue
            if let value = materials[index].details[detail] { add(value, of: word) }
        }
    }

    private mutating func add(_ value: Material.Value, of property: @autoclosure () -> String) {
        guard let texture = value.texture else { return }
        all.append((property(), texture))
        if !images.contains(texture.image) { images.append(texture.image) }
    }
}

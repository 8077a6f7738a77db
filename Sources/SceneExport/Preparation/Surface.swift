// The mapping, property by property, is documented in the DocC page Conversion; change both together.

import Glibc
import SceneModel

/// A material in the terms of metal and roughness, as engines of today shade it.
struct Surface: Equatable {
    /// A texture on one of a surface's properties.
    struct Map: Equatable {
        let texture: Material.Texture
        /// How much of it counts.
        var strength = 1.0
    }
    enum Alpha: Equatable {
        case opaque
        /// The base's alpha is how much covers what is behind.
        case blend
    }
    /// Red, green, blue, linear, and alpha.
    var base = SIMD4<Double>.one
    var baseMap: Map?
    var alpha = Alpha.opaque
    var metalness = 0.0
    var roughness = 1.0
    /// Linear; above 1 for what is brighter than white.
    var emission = SIMD3<Double>.zero
    var emissionMap: Map?
    var normalMap: Map?
    var occlusionMap: Map?
    var isDoubleSided = false  // as the format has it
    /// Shown as it is, whatever the lights.
    var isUnlit = false  // as the format has it
}

extension Surface {
    /// A bump texture with colours is a normal map, as many exporters write it, one without is a map of heights, which no
    /// engine has.
    init(_ material: Material, _ images: ExportImages, _ report: inout FidelityReport) {
        let place = material.id ?? material.name
        isDoubleSided = material.sides == .double
        switch material.shading {
        case .constant:
            isUnlit = true
            setBase(to: material[.emission] ?? material[.diffuse])
        case nil:
            // An effect for other profiles alone, or none at all.
            report.add(.dropped, .shading, at: place)
        case .lambert, .phong, .blinn:
            setBase(to: material[.diffuse])
            setEmission(of: material)
            roughness = Self.roughness(of: material)
            report.add(.approximated, .shading, at: place)
        }
        setOpacity(of: material, images.hasAlpha, &report)
        setDetails(of: material, images.isColored, &report)
        tell(material, &report)
    }

    private mutating func setBase(to value: Material.Value?) {
        switch value {
        case .color(let color): base = SIMD4(color.spatial.linearColor, 1)
        case .texture(let texture): baseMap = Map(texture: texture)
        case .number, nil: break
        }
    }

    private mutating func setEmission(of material: Material) {
        let level = material.details[.emissionLevel]?.number.map { max(0, $0) } ?? 1
        switch material[.emission] {
        case .color(let color): emission = color.spatial.linearColor * level
        case .texture(let texture):
            emission = SIMD3(repeating: level)
            emissionMap = Map(texture: texture)
        case .number, nil: break
        }
    }

    /// A highlight as wide as Phong's of the same exponent: α² = 2 ÷ (n + 2), and roughness is the root of α.
    ///
    /// - Source: Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007, section 5.2.
    private static func roughness(of material: Material) -> Double {
        switch material.shading {
        case .phong, .blinn: break
        case .lambert, .constant, nil: return 1
        }
        if let color = material[.specular]?.color, color.spatial.max() <= 0 { return 1 }
        guard let exponent = material[.shininess]?.number, exponent > 0, exponent.isFinite else { return 1 }
        return (2 / (exponent + 2)).squareRoot().squareRoot()
    }

    private mutating func setOpacity(
        of material: Material, _ hasAlpha: (SceneIndex<Image>) -> Bool, _ report: inout FidelityReport
    ) {
        let place = material.id ?? material.name
        switch material.likelyOpacity {
        case .opaque:
            // By the letter nothing of it would be seen.
            if material.opacity != .opaque { report.add(.approximated, .opacity, at: place) }
        case .constant(let opacity):
            base.w = opacity
            alpha = .blend
            // The texture's own alpha, which counts for nothing in the document, is multiplied with it.
            if let baseMap, hasAlpha(baseMap.texture.image) { report.add(.approximated, .opacity, at: place) }
        case .texture(let map):
            switch (map.channel, map.sense) {
            case (.alpha, .direct) where baseMap.map { map.texture.hasPlaces(of: $0.texture) } ?? true:
                // Alone, the texture brings its alpha; its own colour is white where only alpha counts.
                let isExact = map.texture.sampler == baseMap?.texture.sampler && map.factor <= 1
                baseMap = baseMap ?? Map(texture: map.texture)
                base.w = min(1, map.factor)
                alpha = .blend
                if !isExact { report.add(.approximated, .opacity, at: place) }
            case (.alpha, .direct), (.alpha, .inverted), (.luminance, .direct), (.luminance, .inverted):
                report.add(.dropped, .opacity, at: place)
            }
        }
    }

    private mutating func setDetails(
        of material: Material, _ isColored: (SceneIndex<Image>) -> Bool, _ report: inout FidelityReport
    ) {
        let place = material.id ?? material.name
        func map(_ detail: Material.Detail) -> Map? {
            material.details[detail]?.texture.map { Map(texture: $0, strength: $0.amount ?? 1) }
        }
        if let normal = map(.normal) {
            normalMap = normal
        } else if let bump = map(.bump) {
            if isColored(bump.texture.image) {
                normalMap = bump
                report.add(.approximated, .textures, at: place)
            } else {
                report.add(.dropped, .textures, at: place)
            }
        }
        occlusionMap = map(.ambientOcclusion)
    }

    /// What has no place in the format.
    private func tell(_ material: Material, _ report: inout FidelityReport) {
        let place = material.id ?? material.name
        if let alpha = material[.diffuse]?.color?.w, alpha != 1 { report.add(.dropped, .diffuseAlpha, at: place) }
        for property in Material.Property.allCases {
            guard let value = material[property], !isShown(property, of: material), !value.isNothing else { continue }
            switch property {
            case .emission, .diffuse, .shininess, .transparent, .transparency:
                report.add(.dropped, .textures, at: place)
            case .specular: report.add(.dropped, .specular, at: place)
            case .ambient: report.add(.dropped, .ambient, at: place)
            case .reflective, .reflectivity: report.add(.dropped, .reflection, at: place)
            case .indexOfRefraction: report.add(.dropped, .reflection, at: place)
            }
        }
        for detail in Material.Detail.allCases where material.details[detail] != nil {
            switch detail {
            case .bump, .normal, .ambientOcclusion, .emissionLevel: break
            case .displacement, .specularLevel, .multiply, .fresnelExponent:
                report.add(.dropped, .materialExtras, at: place)
            }
        }
        report.add(.dropped, .materialExtras, count: material.extras.count, at: place)
    }

    /// Whether a property is part of what is written, or was told already.
    private func isShown(_ property: Material.Property, of material: Material) -> Bool {
        switch property {
        case .emission: true
        case .diffuse: !isUnlit || material[.emission] == nil
        case .shininess: material[property]?.texture == nil
        case .transparent, .transparency: true
        case .indexOfRefraction: true
        case .specular, .ambient, .reflective, .reflectivity: false
        }
    }
}

extension Material.Texture {
    /// Whether it shows the same part of the same image everywhere, up to how it is sampled.
    fileprivate func hasPlaces(of other: Self) -> Bool {
        image == other.image && texcoord == other.texcoord
            && (transform ?? UVTransform()) == (other.transform ?? UVTransform())
    }
}

extension Material.Value {
    /// Whether it adds nothing to a surface.
    fileprivate var isNothing: Bool {
        switch self {
        case .color(let color): color.spatial.max() <= 0
        case .number(let number): number == 0
        case .texture: false
        }
    }
}

extension SIMD3<Double> {
    /// From what a display shows; numbers that are none, and negative ones, are 0. Above 1 it goes on.
    fileprivate var linearColor: SIMD3<Double> {
        var color = self
        for lane in 0..<3 {
            color[lane] = color[lane].isFinite && color[lane] > 0 ? color[lane].linearFromSRGB : 0
        }
        return color
    }
}

// The mapping, property by property, is documented in the DocC page Conversion; change both together.

package import DaeScene

/// A material in the terms of metal and roughness, as engines of today shade it.
package struct Surface: Equatable {
    /// A texture on one of a surface's properties.
    package struct Map: Equatable {
        package let texture: Material.Texture
        /// How much of it counts: 1 for all of it.
        package fileprivate(set) var strength = 1.0
    }
    package enum Alpha: Equatable {
        case opaque
        /// The base's alpha is how much covers what is behind.
        case blend
    }
    /// Where the opacity is from, beside what ``base`` says.
    package enum OpacitySource: Equatable {
        case number
        /// The alpha of the base's picture.
        case base
        /// Still to be put into the base's picture, which has its colours alone.
        case apart(Opacity.Map)
    }
    /// Red, green, blue, linear, and alpha.
    package private(set) var base = SIMD4<Double>.one
    package private(set) var baseMap: Map?
    package private(set) var opacitySource = OpacitySource.number
    package private(set) var alpha = Alpha.opaque
    package let metalness = 0.0
    /// 0...1.
    package private(set) var roughness = 1.0
    /// Red, green, blue, linear; above 1 for what is brighter than white.
    package private(set) var emission = SIMD3<Double>.zero
    package private(set) var emissionMap: Map?
    package private(set) var normalMap: Map?
    package private(set) var occlusionMap: Map?
    package var isDoubleSided = false
    /// Shown as it is, whatever the lights.
    package private(set) var isUnlit = false
}

extension Surface {
    /// What a surface is made with, beside its material.
    package struct Surroundings {
        fileprivate let images: ExportImages
        package let files: ImageFiles
        fileprivate let invisible: ExportOptions.InvisibleSurfaces
        /// By the names of their coordinates, the sets that textures use.
        package var sets: [String: Int] = [:]

        package init(_ prepared: PreparedScene, _ images: ExportImages) {
            self.images = images
            files = ImageFiles(prepared.scene, images)
            invisible = prepared.options.invisibleSurfaces
        }
    }

    /// - Parameter report: Gets what the material says otherwise than the surface.
    package init(_ material: Material, _ around: Surroundings, _ report: inout FidelityReport) {
        let place = material.id ?? material.name
        switch material.shading {
        case .constant:
            isUnlit = true
            setBase(to: material[.emission] ?? material[.diffuse])
        case nil:
            // An effect for other profiles alone, or none at all.
            report.add(.dropped, .shading, at: place)
        case .lambert, .phong, .blinn:
            setBase(to: material[.diffuse])
            if material.isBlackBeneath {
                base = SIMD4(0, 0, 0, 1)
                report.add(.approximated, .diffuse, at: place)
            }
            setEmission(of: material)
            roughness = Self.roughness(of: material)
            report.add(.approximated, .shading, at: place)
        }
        setOpacity(of: material, around, &report)
        setDetails(of: material, around, &report)
        note(material, &report)
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
        of material: Material, _ around: Surroundings, _ report: inout FidelityReport
    ) {
        let place = material.id ?? material.name
        let written = around.settled(material.opacity)
        switch around.invisible == .asWritten ? written : around.settled(material.likelyOpacity) {
        case .opaque:
            // By the letter nothing of it would be seen.
            if written != .opaque { report.add(.approximated, .opacity, at: place) }
        case .constant(let opacity):
            base.w = opacity
            alpha = .blend
            // The texture's own alpha, which counts for nothing in the document, is multiplied with it.
            if let baseMap, around.images.hasAlpha(baseMap.texture.image) {
                report.add(.approximated, .opacity, at: place)
            }
        case .texture(let map):
            if let baseMap, !around.haveSamePlaces(map.texture, baseMap.texture) {
                report.add(.dropped, .opacity, at: place)
            } else if let baseMap, map.isAlphaItself, around.files.areSame(map.texture.image, baseMap.texture.image) {
                base.w = map.factor
                alpha = .blend
                opacitySource = .base
                if map.texture.sampler != baseMap.texture.sampler { report.add(.approximated, .opacity, at: place) }
            } else {
                opacitySource = .apart(map)
                alpha = .blend
            }
        }
    }

    /// An opacity was put into the base's picture, beside its colours or beside white.
    package mutating func takeMerged(_ map: Opacity.Map, _ material: Material, _ report: inout FidelityReport) {
        if baseMap == nil { baseMap = Map(texture: map.texture) }
        opacitySource = .base
        report.add(.approximated, .opacity, at: material.id ?? material.name)
    }

    /// Alone, the texture of an opacity brings its alpha; its own colour is white where only alpha counts.
    package mutating func takeAlone(_ map: Opacity.Map, _ material: Material, _ report: inout FidelityReport) {
        baseMap = Map(texture: map.texture)
        base.w = map.factor
        opacitySource = .base
        report.add(.approximated, .opacity, at: material.id ?? material.name)
    }

    /// The picture that holds an opacity is not there, or not on the mesh.
    package mutating func loseOpacity(_ material: Material, _ report: inout FidelityReport) {
        base.w = 1
        alpha = .opaque
        opacitySource = .number
        report.add(.dropped, .opacity, at: material.id ?? material.name)
    }

    /// A bump texture that does not say what it holds is a map of normals, as many exporters write it, unless its picture
    /// shows that it is one of heights, which no engine has.
    private mutating func setDetails(
        of material: Material, _ around: Surroundings, _ report: inout FidelityReport
    ) {
        let place = material.id ?? material.name
        func map(_ detail: Material.Detail) -> Map? {
            material.details[detail]?.texture.map { Map(texture: $0, strength: $0.amount ?? 1) }
        }
        normalMap = map(.normal)
        if let bump = map(.bump) {
            let picture = bump.texture.image
            let isDiffuse = material[.diffuse]?.texture.map { around.files.areSame($0.image, picture) } ?? false
            if normalMap == nil, !isDiffuse, around.images.isColored(picture) {
                normalMap = bump
                report.add(.approximated, .textures, at: place)
            } else {
                report.add(.dropped, .textures, at: place)
            }
        }
        if material.details[.heights]?.texture != nil { report.add(.dropped, .textures, at: place) }
        occlusionMap = map(.ambientOcclusion)
    }

    /// What has no place in the format.
    private func note(_ material: Material, _ report: inout FidelityReport) {
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
            case .bump, .heights, .normal, .ambientOcclusion, .emissionLevel: break
            case .displacement, .specularLevel, .multiply, .fresnelExponent:
                report.add(.dropped, .materialExtras, at: place)
            }
        }
        report.add(.dropped, .materialExtras, count: material.extras.count, at: place)
    }

    /// Whether a property is part of what is written, or was reported already.
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

extension Surface.Surroundings {
    /// An opacity that is the alpha of a picture without one is the same everywhere.
    fileprivate func settled(_ opacity: Opacity) -> Opacity {
        switch opacity {
        case .opaque, .constant: return opacity
        case .texture(let map):
            guard map.channel == .alpha, map.sense == .direct, !images.hasAlpha(map.texture.image) else {
                return opacity
            }
            return map.factor < 1 ? .constant(map.factor) : .opaque
        }
    }

    /// Whether two textures show the same places of their pictures everywhere, up to how they are sampled.
    fileprivate func haveSamePlaces(_ one: Material.Texture, _ other: Material.Texture) -> Bool {
        sets[one.texcoord] == sets[other.texcoord]
            && (one.transform ?? .init()) == (other.transform ?? .init())
    }
}

extension Opacity.Map {
    /// Whether the alpha of its picture is the opacity, but for a factor that dims it.
    package var isAlphaItself: Bool { channel == .alpha && sense == .direct && factor <= 1 }
}

extension Material {
    /// Whether it has no diffuse colour, beside one that glows or shines: then what is lit is black, where viewers take a
    /// missing one for white. One that could not be read is not missing.
    fileprivate var isBlackBeneath: Bool {
        guard self[.diffuse] == nil, !unread.contains(.diffuse) else { return false }
        return [Property.emission, .specular].contains { self[$0].map { !$0.isNothing } ?? false }
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

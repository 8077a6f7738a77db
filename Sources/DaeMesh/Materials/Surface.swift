// The mapping, property by property, is documented in the DocC page Conversion; change both together.

public import DaeScene

extension Dae {
    /// A material in the terms of metal and roughness, as engines of today shade it. Colours are linear.
    public struct Surface: Sendable, Equatable {
        /// A texture on one of a surface's properties.
        public struct Map: Sendable, Equatable {
            /// Which image it shows, how it is repeated and filtered, and what moves its coordinates.
            public let texture: Dae.Material.Texture
            /// How much of it counts: 1 for all of it.
            public fileprivate(set) var strength = 1.0
            /// Which set of texture coordinates it is laid out by, from 0: into ``DrawnPart/texcoords``.
            public let set: Int
        }
        /// How a surface covers what is behind it.
        public enum Alpha: Sendable, Equatable {
            case opaque
            /// The base's alpha is how much covers what is behind.
            case blend
        }
        /// Where the opacity is from, beside what ``base`` says.
        public enum OpacitySource: Sendable, Equatable {
            case number
            /// The alpha of the base's picture.
            case base
            /// Another picture, which an exporter has to put into the base's.
            case apart(Dae.Opacity.Map)
        }
        /// The material in the scene's list; `nil` for one by itself.
        public package(set) var material: Dae.SceneIndex<Dae.Material>?
        /// By the names of their coordinates, the sets that the material's textures use on a drawing's part; empty for one
        /// that is not of a drawing.
        package internal(set) var sets: [String: Int] = [:]
        /// Red, green and blue, and alpha; times what ``baseMap`` shows.
        public private(set) var base = SIMD4<Double>.one
        /// A picture of the base's colours, which a display shows as they are (sRGB).
        public private(set) var baseMap: Dae.Surface.Map?
        /// Where the opacity is from, beside what ``base`` says.
        public private(set) var opacitySource = Dae.Surface.OpacitySource.number
        /// How it covers what is behind it.
        public private(set) var alpha = Dae.Surface.Alpha.opaque
        /// COLLADA's models of light know no metal.
        package let metalness = 0.0
        /// 0...1.
        public private(set) var roughness = 1.0
        /// Red, green and blue; above 1 for what is brighter than white; times what ``emissionMap`` shows.
        public private(set) var emission = SIMD3<Double>.zero
        /// A picture of what glows, in the colours that a display shows (sRGB).
        public private(set) var emissionMap: Dae.Surface.Map?
        /// In the space of tangents, x to the right of the picture and y up.
        public private(set) var normalMap: Dae.Surface.Map?
        /// A picture whose red says how much light reaches a place.
        public private(set) var occlusionMap: Dae.Surface.Map?
        /// Whether its back is seen as well.
        public package(set) var isDoubleSided = false
        /// Whether it is shown as it is, whatever the lights.
        public private(set) var isUnlit = false
    }
}

package typealias Surface = Dae.Surface

extension Surface {
    /// What a surface is made with, beside its material.
    package struct Surroundings {
        fileprivate let images: ExportImages
        package let files: ImageFiles
        fileprivate let invisible: ExportOptions.InvisibleSurfaces
        /// By the names of their coordinates, the sets that textures use.
        package var sets: [String: Int] = [:]

        package init(_ scene: Scene, _ images: ExportImages, _ invisible: ExportOptions.InvisibleSurfaces) {
            self.images = images
            files = ImageFiles(scene, images)
            self.invisible = invisible
        }

        fileprivate func map(_ texture: Material.Texture, strength: Double = 1) -> Surface.Map {
            Surface.Map(texture: texture, strength: strength, set: sets[texture.texcoord] ?? 0)
        }
    }

    /// - Parameter report: Gets what the material says otherwise than the surface.
    package init(_ material: Material, _ around: Surroundings, _ report: inout FidelityReport) {
        let place = material.id ?? material.name
        switch material.shading {
        case .constant:
            isUnlit = true
            setBase(to: material[.emission] ?? material[.diffuse], around)
        case nil:
            // An effect for other profiles alone, or none at all.
            report.add(.dropped, .shading, at: place)
        case .lambert, .phong, .blinn:
            setBase(to: material[.diffuse], around)
            if material.isBlackBeneath {
                base = SIMD4(0, 0, 0, 1)
                report.add(.approximated, .diffuse, at: place)
            }
            setEmission(of: material, around)
            roughness = Self.roughness(of: material)
            report.add(.approximated, .shading, at: place)
        }
        setOpacity(of: material, around, &report)
        setDetails(of: material, around, &report)
        note(material, &report)
    }

    private mutating func setBase(to value: Material.Value?, _ around: Surroundings) {
        switch value {
        case .color(let color): base = SIMD4(color.spatial.linearColor, 1)
        case .texture(let texture): baseMap = around.map(texture)
        case .number, nil: break
        }
    }

    private mutating func setEmission(of material: Material, _ around: Surroundings) {
        let level = material.details[.emissionLevel]?.number.map { max(0, $0) } ?? 1
        switch material[.emission] {
        case .color(let color): emission = color.spatial.linearColor * level
        case .texture(let texture):
            emission = SIMD3(repeating: level)
            emissionMap = around.map(texture)
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
    package mutating func takeMerged(
        _ map: Opacity.Map, _ material: Material, _ around: Surroundings, _ report: inout FidelityReport
    ) {
        if baseMap == nil { baseMap = around.map(map.texture) }
        opacitySource = .base
        report.add(.approximated, .opacity, at: material.id ?? material.name)
    }

    /// Alone, the texture of an opacity brings its alpha; its own colour is white where only alpha counts.
    package mutating func takeAlone(
        _ map: Opacity.Map, _ material: Material, _ around: Surroundings, _ report: inout FidelityReport
    ) {
        baseMap = around.map(map.texture)
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
            material.details[detail]?.texture.map { around.map($0, strength: $0.amount ?? 1) }
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

/// Which sets of texture coordinates the textures of a material find on a primitive.
package struct TexcoordSets {
    /// By the names that textures give their coordinates.
    package private(set) var chosen: [String: Int] = [:]
    private let hasAny: Bool

    /// - Parameters:
    ///   - sets: By place in the primitive's inputs, the set of texture coordinates that it became.
    ///   - report: Gets a choice that nothing in the document says.
    package init(
        of material: Material, _ binding: MaterialBinding?, _ primitive: Mesh.Primitive, of mesh: Mesh,
        sets: [Int: Int], _ report: inout FidelityReport
    ) {
        hasAny = !sets.isEmpty
        // A texture that does not name its coordinates has those of the diffuse one.
        let usual = material[.diffuse]?.texture?.texcoord ?? ""
        for texture in material.textures
        where chosen[texture.texcoord] == nil && !(texture.texcoord.isEmpty && !usual.isEmpty) {
            let choice = binding?.texcoords(for: texture.texcoord, in: primitive, of: mesh)
            if choice?.rule.isGuess != false {
                report.add(.approximated, .textureCoordinates, at: material.id ?? material.name)
            }
            chosen[texture.texcoord] = choice.flatMap { sets[$0.input] } ?? 0
        }
        if chosen[""] == nil { chosen[""] = chosen[usual] }
    }

    /// Of each texture of the material, in the order of ``DaeScene/Dae/Material/textures``; empty without coordinates.
    package func ofTextures(of material: Material) -> [Int] {
        hasAny ? material.textures.map { chosen[$0.texcoord] ?? 0 } : []
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
    package var isBlackBeneath: Bool {
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

import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct EffectCases {
    @Test(arguments: effectFamily.joined()) func materialsAndImages(_ row: ConformanceCase) throws { try row.run() }
}

private let effect = "collada/library_effects/effect"
private let references = effect + "/_reference"
private let others = "collada_other/library_effects/effect"

let effectFamily: ConformanceFamily = [
    // MARK: Parameters
    both("\(effect)/newparam/float3/diffuse", "diffuse is a parameter of three numbers; alpha is 1") {
        try $0.expectColor(.diffuse, of: "lambert1", [0, 0, 0.5, 1])
    },
    both("\(effect)/newparam/float4/diffuse", "diffuse is a parameter of four numbers") {
        try $0.expectColor(.diffuse, of: "lambert1", [0, 0, 0.5, 1])
    },
    both("\(references)/_reference_newparam/_reference_diffuse", "the same colour written in its place") {
        try $0.expectColor(.diffuse, of: "lambert1", [0, 0, 0.5, 1])
        try #expect($0.material("lambert1").opacity == .opaque)
    },
    both("\(effect)/newparam/float/halfTransparency", "transparency is a parameter: half of what is behind shows") {
        try #expect($0.material("lambert1").opacity == .constant(0.5))
        try #expect($0.material("lambert2").opacity == .opaque)
        try $0.expectColor(.emission, of: "lambert2", [1, 0, 0, 1])
    },
    both("\(references)/_reference_newparam/_reference_halfTransparency", "the same half written in its place") {
        try #expect($0.material("lambert1").opacity == .constant(0.5))
    },
    only("\(references)/_reference_newparam/_reference_alpha", "cyan, and opaque: a transparent colour of alpha 1") {
        try $0.expectColor(.diffuse, of: "lambert1", [0, 1, 1, 1])
        try #expect($0.material("lambert1").opacity == .opaque)
    },
    only("\(effect)/profile_COMMON/newparam/multiple_profile", "two profiles have a parameter of one sid: each its own")
    {
        try $0.expectColor(.diffuse, of: "lambert1", [0, 0, 0.5, 1])
        #expect($0.document.effects.first?.profiles.map(\.kind) == [.gles])
    },
    only("\(others)/profile_COMMON/newparam/float2/oneFloat2", "a parameter of two numbers that nothing reads") {
        #expect($0.document.effects.first?.parameters == ["testParam": .numbers([0.5, 0.5])])
        try $0.expectColor(.emission, of: "lambert1", [0, 0, 0.5, 1])
    },
    both("\(others)/newparam/float2/twoFloat2", "two such parameters, told apart by their sids") {
        let parameters = $0.document.effects.first?.parameters
        #expect(parameters == ["testParam1": .numbers([0.5, 0.5]), "testParam2": .numbers([0.75, 0.25])])
        try #expect($0.material("lambert1").opacity == .constant(0.5))
    },

    // MARK: Shading
    both(
        "\(effect)/profile_COMMON/technique/blinn/diffuse/_reference_effect_blinn_diffuse_black",
        "three tori, one of them black"
    ) {
        try #expect($0.material("blinn1").shading == .blinn && $0.material("blinn2").shading == .blinn)
        try $0.expectColor(.diffuse, of: "blinn1", [0, 0, 0, 1])
        try $0.expectColor(.diffuse, of: "blinn2", [0.5, 0.5, 0.5, 1])
        let black = $0.flat().triangles.count { $0.surface.numbers["diffuse"] == [0, 0, 0] }
        #expect(black == 800 && $0.flat().triangles.count == 2400)
    },
    only("1_5/\(others)/profile_COMMON/id/id_dash", "a profile with an id of dashes") {
        try $0.expectColor(.diffuse, of: "lambert1", [0, 0, 1, 1])
    },

    // MARK: Textures
    only("\(effect)/image/singleImage", "an image that stands in the effect") {
        try $0.expectTexture(.diffuse, of: "lambert1", "collada.png")
        #expect($0.inspection.images.map(\.format) == [.png])
    },
    only("\(effect)/profile_COMMON/image/oneImage", "an image that stands in the profile; filters") {
        let texture = try $0.expectTexture(.diffuse, of: "lambert1", "collada.png")
        #expect(texture.sampler.minFilter == .linearMipmapLinear && texture.sampler.magFilter == .linear)
        #expect(texture.sampler.wrapS == nil)
    },
    only("\(references)/_reference_oneImage", "the same image in a library") {
        let texture = try $0.expectTexture(.diffuse, of: "lambert1", "collada.png")
        #expect(texture.sampler.minFilter == .linearMipmapLinear && texture.sampler.magFilter == .linear)
    },
    both(
        "\(effect)/newparam/sampler2D/oneSampler", "a sampler among the effect's parameters; 1.5 has no surface between"
    ) {
        let texture = try $0.expectTexture(.diffuse, of: "lambert1", "checkerboard.png")
        #expect(texture.texcoord == "TEX0")
        try $0.expectBound("cube_node", texture)
    },
    only("\(effect)/newparam/surface/type/2d", "a surface of two dimensions") {
        try $0.expectTexture(.diffuse, of: "lambert1", "checkerboard.png")
        let parameters = try #require($0.document.effects.first?.parameters)
        guard case .surface(let surface)? = parameters["file1-surface"] else {
            Issue.record("no surface: \(parameters)")
            return
        }
        #expect(surface.type == "2D" && surface.images == ["checkerboard_jpg"])
    },
    only("1_5/\(others)/newparam/surface/init_as_null", "a surface of nothing, which the material fills") {
        try $0.expectTexture(.diffuse, of: "lambert1", "checkerboard.jpg")
    },
    only(
        "1_5/\(others)/profile_COMMON/technique/texture/extra",
        "a texture on a disk that nobody else has; Maya's placing", finds: [.imageNotFound, .imageURIAbsolute]
    ) {
        let texture = try #require(try $0.material("lamb1")[.diffuse]?.texture)
        #expect(texture.sampler.wrapS == .wrap && texture.texcoord == "TEX0")
        // A frame of one, repeated once: nothing moves.
        #expect(texture.transform?.isIdentity ?? true)
        #expect($0.inspection.images.first?.status == .missing && $0.inspection.counts.materials == 3)
    },
    both(
        "Textures/alpha_transp_from_maya.dae", "a texture for colour and opacity that names its image outright",
        finds: [.schemaInvalidEnum]
    ) {
        try $0.expectTexture(.diffuse, of: "lambert1", "AlphaTexture.tif")
        guard case .texture(let map) = try $0.material("lambert1").opacity else {
            Issue.record("the opacity is no texture")
            return
        }
        #expect($0.scene.images[map.texture.image].id == "file1")
        #expect($0.inspection.images.first?.format == .tiff)
    },

    // MARK: Images
    only("collada/library_images/image/image_1_load", "a red picture as the only light of a surface") {
        try $0.expectTexture(.emission, of: "lambert1", "fullRed.png")
        try #expect($0.material("lambert1").shading == .constant)
    },
    only("collada/library_images/image/_reference/_reference_red_square", "the same red as a colour") {
        try $0.expectColor(.emission, of: "lambert1", [1, 0, 0, 1])
    },

    // MARK: Materials
    only("collada/library_materials/material/extra/fullExtra", "what two applications say of a material is kept") {
        let extras = try #require($0.document.materials.first?.extras)
        #expect(extras.map(\.profile) == ["MAYA", "AnotherApplication"])
        #expect(extras.last?.elements.first?.first("value")?.text == "should not be changed.")
        #expect(extras.first?.elements.first?.children.count == 8)
    },
    only(
        "collada_other/library_materials/material/instance_effect/technique_hint",
        "an effect of nothing but Cg, in two techniques", finds: [.effectNoCommonProfile]
    ) {
        let profile = try #require($0.document.effects.first?.profiles.first)
        #expect(profile.kind == .cg && profile.platform == "PC-OGL")
        #expect(profile.techniques.map(\.sid) == ["Technique", "Hint"])
        #expect(profile.techniques.first?.passes.first?.stages == ["VERTEX", "FRAGMENT"])
        #expect(profile.code == [.include(sid: "technique_hint", url: "technique_hint.cg")])
        #expect($0.inspection.images.map(\.path) == ["technique.png", "hint.png"])
    },
]

extension ConformanceReading {
    fileprivate func expectColor(
        _ property: Material.Property, of material: String, _ expected: [Double],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let color = try self.material(material)[property]?.color
        expect(color.map { [$0.x, $0.y, $0.z, $0.w] }, expected, sourceLocation: sourceLocation)
    }

    /// That a property shows a picture, by the name of the file that was found.
    @discardableResult
    fileprivate func expectTexture(
        _ property: Material.Property, of material: String, _ file: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Material.Texture {
        let texture = try #require(try self.material(material)[property]?.texture, sourceLocation: sourceLocation)
        let row = inspection.images[texture.image.value]
        #expect(row.path == file && row.status == .found, sourceLocation: sourceLocation)
        return texture
    }

    /// That a texture's coordinates are bound to the mesh's first set.
    fileprivate func expectBound(_ node: String, _ texture: Material.Texture) throws {
        guard case .geometry(let geometry, let bindings)? = scene.nodes[try self.node(node)].instances.first,
            let mesh = scene.geometries[geometry].mesh, let primitive = mesh.primitives.first
        else {
            Issue.record("no geometry at \(node)")
            return
        }
        let choice = bindings.first?.texcoords(for: texture.texcoord, in: primitive, of: mesh)
        #expect(choice?.set == 0 && choice?.rule == .bound)
    }
}

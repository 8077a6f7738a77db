import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// What exporters say beyond the common profile.
@Suite struct MaterialExtraTests {
    private typealias Effect = EffectDocument

    private func extra(_ profile: String, _ content: String) -> String {
        "<extra><technique profile='\(profile)'>\(content)</technique></extra>"
    }

    private let parameters =
        EffectDocument.surface("f", "i1") + EffectDocument.sampler("s", "f", "<wrap_s>CLAMP</wrap_s>")

    @Test(arguments: [
        "GOOGLEEARTH", "MAX3D", "FCOLLADA", "MAYA", "OpenCOLLADA", "OpenCOLLADAMaya", "OpenCOLLADA3dsMax", "SceneKit",
    ])
    func bothSidesAreSaidInManyPlaces(profile: String) {
        let double = extra(profile, "<double_sided>1</double_sided>")
        let single = extra(profile, "<double_sided>0</double_sided>")
        let plain = Effect.profile("")
        #expect(Effect.outcome(plain).scene.materials.first?.sides == nil)
        #expect(Effect.outcome(plain + double).scene.materials.first?.sides == .double)
        #expect(Effect.outcome(Effect.profile("", extra: double)).scene.materials.first?.sides == .double)
        let inProfile = plain.replacing("</profile_COMMON>", with: double + "</profile_COMMON>")
        #expect(Effect.outcome(inProfile).scene.materials.first?.sides == .double)
        #expect(Effect.outcome(Effect.profile("", extra: single)).scene.materials.first?.sides == .single)
        #expect(Effect.outcome(Effect.profile("", extra: single) + double).scene.materials.first?.sides == .double)
        // What a material says itself counts more.
        #expect(Effect.outcome(plain + double, material: single).scene.materials.first?.sides == .single)
    }

    @Test(arguments: ["FCOLLADA", "OpenCOLLADA", "OpenCOLLADAMaya", "OpenCOLLADA3dsMax"])
    func aBumpMapIsFollowedToItsImage(profile: String) throws {
        let nested = extra("OpenCOLLADA3dsMax", "<amount>0.5</amount><bumpInterp>1</bumpInterp>")
        let bump = extra(
            profile, "<bump bumptype='HEIGHTFIELD'><texture texture='s' texcoord='TEX1'>\(nested)</texture></bump>")
        let outcome = Effect.outcome(Effect.profile("", parameters: parameters, extra: bump))
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let texture = try #require(outcome.scene.materials.first?.details[.heights]?.texture)
        #expect(texture.image == SceneIndex(1))
        #expect(texture.texcoord == "TEX1")
        #expect(texture.sampler.wrapS == .clamp)
        #expect(texture.amount == 0.5)
        #expect(outcome.scene.materials.first?.images == [SceneIndex(1)])
    }

    @Test func otherDetailsHaveTheirNames() throws {
        let details = """
            <spec_level><float>0.25</float></spec_level><emission_level><float>2</float></emission_level>
            <multiply><color>0.5 0.5 0.25 1</color></multiply><fresnelExponent><float>1.5</float></fresnelExponent>
            <normal><texture texture='s' texcoord='UV'/></normal><ambient_occlusion><texture texture='s' texcoord='UV2'/></ambient_occlusion>
            """
        let outcome = Effect.outcome(
            Effect.profile("", parameters: parameters, extra: extra("SceneKit", details)))
        let material = try #require(outcome.scene.materials.first)
        #expect(material.details[.specularLevel]?.number == 0.25)
        #expect(material.details[.emissionLevel]?.number == 2)
        #expect(material.details[.multiply]?.color == SIMD4(0.5, 0.5, 0.25, 1))
        #expect(material.details[.fresnelExponent]?.number == 1.5)
        #expect(material.details[.normal]?.texture?.texcoord == "UV")
        #expect(material.details[.ambientOcclusion]?.texture?.texcoord == "UV2")
        let normal = extra("FCOLLADA", "<bump bumptype='NORMALMAP'><texture texture='s' texcoord='UV'/></bump>")
        let second = Effect.outcome(Effect.profile("", parameters: parameters, extra: normal))
        #expect(second.scene.materials.first?.details.keys.sorted { $0.rawValue < $1.rawValue } == [.normal])
    }

    @Test func aTexturesExtrasSetWrapAndPlace() throws {
        let maya = extra(
            "MAYA",
            """
            <wrapU sid='wrapU0'>0</wrapU><wrapV>0</wrapV><mirrorV>1</mirrorV><repeatU>2</repeatU><repeatV>3</repeatV>
            <offsetU>0.25</offsetU><rotateUV>90</rotateUV><coverageV>0.5</coverageV><translateFrameU>0.125</translateFrameU>
            <rotateFrame>45</rotateFrame><blend_mode>ADD</blend_mode>
            """)
        let outcome = Effect.outcome(
            Effect.profile(
                Effect.texture("diffuse", "s", extra: maya) + Effect.texture("specular", "t", extra: maya),
                parameters: parameters + Effect.sampler("t", "f")))
        let diffuse = try #require(outcome.scene.materials.first?[.diffuse]?.texture)
        let specular = try #require(outcome.scene.materials.first?[.specular]?.texture)
        // The sampler's own word counts more.
        #expect(diffuse.sampler.wrapS == .clamp && diffuse.sampler.wrapT == .mirror)
        #expect(specular.sampler.wrapS == .clamp && specular.sampler.wrapT == .mirror)
        var transform = Material.Texture.UVTransform()
        (transform.repetition, transform.offset, transform.rotation) = (SIMD2(2, 3), SIMD2(0.25, 0), 90)
        (transform.coverage, transform.frameTranslation, transform.frameRotation) = (
            SIMD2(1, 0.5), SIMD2(0.125, 0), 45
        )
        #expect(diffuse.transform == transform)
        #expect(diffuse.blendMode == "ADD")
        let plain = extra("MAYA", "<wrapU>1</wrapU><repeatU>1.000000</repeatU><blend_mode>NONE</blend_mode>")
        let second = Effect.outcome(
            Effect.profile(
                Effect.texture("diffuse", "t", extra: plain), parameters: parameters + Effect.sampler("t", "f")))
        let texture = try #require(second.scene.materials.first?[.diffuse]?.texture)
        #expect(texture.transform == nil && texture.blendMode == nil && texture.sampler.wrapS == .wrap)
    }

    @Test func whatIsNotUnderstoodIsKept() {
        let outcome = Effect.outcome(
            Effect.profile("", extra: extra("Other", "<amount>1</amount><a x='1'><b>2</b><c/></a>"))
                + extra("MAX3D", "<faceted>1</faceted><double_sided>maybe</double_sided>"))
        let material = outcome.scene.materials.first
        #expect(material?.sides == nil)
        #expect(
            material?.extras == [
                .init(profile: "MAX3D", path: "faceted", text: "1"),
                .init(profile: "MAX3D", path: "double_sided", text: "maybe"),
                .init(profile: "Other", path: "amount", text: "1"),
                .init(profile: "Other", path: "a/b", text: "2"), .init(profile: "Other", path: "a/c", text: ""),
            ])
    }

    @Test func aBrokenDetailIsToldAndTheMaterialStays() {
        let bump = extra("FCOLLADA", "<bump><texture texture='none' texcoord='UV'/></bump>")
        let outcome = Effect.outcome(
            Effect.profile("<shininess><float>1</float></shininess>", extra: bump))
        #expect(outcome.codes == [.textureSamplerUnresolved])
        #expect(outcome.scene.materials.first?.details == [:])
        #expect(outcome.scene.materials.first?[.shininess]?.number == 1)
    }

    @Test func manyExtrasAndManyMaterialsStayLinear() {
        let count = 10_000
        let extras = String(repeating: "<double_sided>1</double_sided><x>1</x>", count: count)
        let materials = String(repeating: "<material><instance_effect url='#e'/></material>", count: count)
        let outcome = Document().with(
            "<library_effects><effect id='e'>\(Effect.profile("", extra: extra("MAX3D", extras)))</effect></library_effects>"
                + "<library_materials>\(materials)</library_materials>")
        #expect(outcome.scene.materials.count == count)
        #expect(outcome.scene.materials.last?.sides == .double)
        #expect(outcome.scene.materials.last?.extras.count == count)
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML
import Testing

@Suite struct EffectTests {
    private typealias Effect = EffectDocument

    @Test func everyPropertyHasItsValue() throws {
        let outcome = Effect.outcome(
            Effect.profile(
                """
                <emission><color>0.1 0.2 0.3 1</color></emission><ambient><color>0.4 0.5 0.6</color></ambient>
                \(Effect.texture("diffuse", "s0", "A"))<specular><color>1 1 1 0.5</color></specular>
                <shininess><float>20</float></shininess><reflective><color>0 0 0 1</color></reflective>
                <reflectivity><float>0.25</float></reflectivity><transparent opaque='A_ONE'><color>1 1 1 1</color></transparent>
                <transparency><float>0.5</float></transparency><index_of_refraction><float>1.5</float></index_of_refraction>
                """, shading: "blinn", parameters: Effect.surface("f0", "i1") + Effect.sampler("s0", "f0")))
        #expect(outcome.codes == [.quirkColorWithoutAlpha], "\(outcome.findings)")
        let material = try #require(outcome.scene.materials.first)
        #expect(material.shading == .blinn)
        #expect(material[.emission]?.color == SIMD4(0.1, 0.2, 0.3, 1))
        #expect(material[.ambient]?.color == SIMD4(0.4, 0.5, 0.6, 1))
        #expect(material[.diffuse]?.texture == Material.Texture(image: SceneIndex(1), texcoord: "A"))
        #expect(material[.specular]?.color == SIMD4(1, 1, 1, 0.5))
        #expect(material[.shininess]?.number == 20)
        #expect(material[.reflective]?.color == SIMD4(0, 0, 0, 1))
        #expect(material[.reflectivity]?.number == 0.25)
        #expect(material[.transparency]?.number == 0.5)
        #expect(material[.indexOfRefraction]?.number == 1.5)
        #expect(material.opacity == .constant(0.5))
        #expect(material.images == [SceneIndex(1)])
    }

    @Test(arguments: [
        ("<color>1 0 0 1</color><texture texture='s' texcoord='A'/>", "<color> and a <texture>; the texture"),
        ("<texture texture='s' texcoord='A'/><color>1 0 0 1</color>", "<texture> and a <color>; the texture"),
        ("<color>1 0 0 1</color><color>0 0 1 1</color>", "<color> and a <color>; the color"),
    ])
    func severalValuesOfAPropertyAreToldOnceWithWhatIsTaken(values: String, words: String) throws {
        for property in ["diffuse", "emission", "transparent"] {
            let outcome = Effect.outcome(
                Effect.profile(
                    "<\(property)>\(values)</\(property)>",
                    parameters: Effect.surface("f", "i0") + Effect.sampler("s", "f")))
            #expect(outcome.codes.filter { $0 == .effectSeveralValues }.count == 1, "\(outcome.findings)")
            let finding = try #require(outcome.findings.first { $0.code == .effectSeveralValues })
            #expect(finding.severity == .info)
            #expect(finding.message == "<\(property)> has a \(words) is taken")
            let isTexture = outcome.scene.materials.first?.images == [SceneIndex(0)]
            #expect(isTexture == values.contains("texture"))
        }
    }

    // MARK: - Samplers

    @Test func aSamplersStateIsKeptInBothVersions() throws {
        let states = """
            <wrap_s>MIRROR</wrap_s><wrap_t>CLAMP</wrap_t><wrap_p>BORDER</wrap_p><minfilter>LINEAR_MIPMAP_NEAREST</minfilter>
            <magfilter>NEAREST</magfilter><mipfilter>LINEAR</mipfilter><border_color>0 0.5 1 0.25</border_color>
            """
        let old = Effect.outcome(
            Effect.profile(
                Effect.texture("diffuse", "s"),
                parameters: Effect.surface("f", "i0")
                    + Effect.sampler(
                        "s", "f", states + "<mipmap_maxlevel>3</mipmap_maxlevel><mipmap_bias>0.5</mipmap_bias>")))
        #expect(old.findings.isEmpty, "\(old.findings)")
        var sampler = Material.Texture.Sampler()
        (sampler.wrapS, sampler.wrapT, sampler.wrapP) = (.mirror, .clamp, .border)
        (sampler.minFilter, sampler.magFilter, sampler.mipFilter) = (.linearMipmapNearest, .nearest, .linear)
        (sampler.borderColor, sampler.mipMaxLevel, sampler.mipBias) = (SIMD4(0, 0.5, 1, 0.25), 3, 0.5)
        #expect(old.scene.materials.first?[.diffuse]?.texture?.sampler == sampler)

        let new = Effect.outcome(
            Effect.profile(
                Effect.texture("diffuse", "s"),
                parameters:
                    "<newparam sid='s'><sampler2D><instance_image url='#i2'/><wrap_s>MIRROR_ONCE</wrap_s><minfilter>ANISOTROPIC</minfilter>"
                    + "<mip_max_level>4</mip_max_level><mip_min_level>1</mip_min_level><mip_bias>-1</mip_bias><max_anisotropy>8</max_anisotropy></sampler2D></newparam>"
            ), in: .version15)
        #expect(new.findings.isEmpty, "\(new.findings)")
        let texture = try #require(new.scene.materials.first?[.diffuse]?.texture)
        #expect(texture.image == SceneIndex(2))
        var second = Material.Texture.Sampler()
        (second.wrapS, second.minFilter, second.maxAnisotropy) = (.mirrorOnce, .anisotropic, 8)
        (second.mipMaxLevel, second.mipMinLevel, second.mipBias) = (4, 1, -1)
        #expect(texture.sampler == second)
    }

    @Test func anUnknownWrapIsToldAndTheTextureStays() {
        let outcome = Effect.outcome(
            Effect.profile(
                Effect.texture("diffuse", "s"),
                parameters: Effect.surface("f", "i0") + Effect.sampler("s", "f", "<wrap_s>REPEAT</wrap_s>")))
        #expect(outcome.codes == [.schemaInvalidEnum])
        #expect(outcome.scene.materials.first?[.diffuse]?.texture?.sampler == Material.Texture.Sampler())
    }

    @Test(arguments: [
        "<init_cube><all ref='i1'/></init_cube>",
        "<init_cube><primary ref='i1'><order>POSITIVE_X</order></primary></init_cube>",
        "<init_cube><face ref='i1'/><face ref='i2'/></init_cube>", "<init_volume><all ref='i1'/></init_volume>",
        "<init_planar><all ref='i1'/></init_planar>",
        "<init_from mip='0'>i1</init_from><init_from mip='1'>i2</init_from>",
    ])
    func aSurfaceOfSeveralPicturesLeadsToItsFirst(initial: String) {
        let outcome = Effect.outcome(
            Effect.profile(
                Effect.texture("diffuse", "s"),
                parameters: "<newparam sid='f'><surface type='CUBE'>\(initial)</surface></newparam>"
                    + "<newparam sid='s'><samplerCUBE><source>f</source></samplerCUBE></newparam>"))
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        #expect(outcome.scene.materials.first?.images == [SceneIndex(1)])
    }

    // MARK: - Parameters

    @Test(arguments: ["effect", "profile", "technique"])
    func aParameterIsFoundWhereverItStands(scope: String) {
        let parameter = "<newparam sid='p'><float3>0.1 0.2 0.3</float3></newparam>"
        let outer = "<newparam sid='p'><float4>9 9 9 9</float4></newparam>"
        let effect =
            (scope == "effect" ? parameter : outer) + "<profile_COMMON>" + (scope == "profile" ? parameter : "")
            + "<technique sid='t'>" + (scope == "technique" ? parameter : "")
            + "<lambert><diffuse><param ref='p'/></diffuse></lambert></technique></profile_COMMON>"
        let outcome = Effect.outcome(effect)
        #expect(outcome.scene.materials.first?[.diffuse]?.color == SIMD4(0.1, 0.2, 0.3, 1))
        #expect(outcome.findings.isEmpty)
    }

    @Test func aMaterialSetsWhatItsEffectLeavesOpen() {
        let parameters =
            "<newparam sid='c'><float4>1 0 0 1</float4></newparam><newparam sid='n'><float>1</float></newparam>"
            + Effect.surface("f", "i0") + Effect.sampler("s", "f")
        let effect = Effect.profile(
            "<diffuse><param ref='c'/></diffuse>\(Effect.texture("specular", "s"))<shininess><param ref='n'/></shininess>",
            parameters: parameters)
        let plain = Effect.outcome(effect).scene.materials.first
        #expect(plain?[.diffuse]?.color == SIMD4(1, 0, 0, 1))
        #expect(plain?[.shininess]?.number == 1)
        #expect(plain?.images == [SceneIndex(0)])
        let set = Effect.outcome(
            effect,
            settings:
                "<setparam ref='c'><float4>0 1 0 0.5</float4></setparam><setparam ref='n'><float>7</float></setparam>"
                + "<setparam ref='f'><surface type='2D'><init_from>i2</init_from></surface></setparam>")
        #expect(set.scene.materials.first?[.diffuse]?.color == SIMD4(0, 1, 0, 0.5))
        #expect(set.scene.materials.first?[.shininess]?.number == 7)
        #expect(set.scene.materials.first?.images == [SceneIndex(2)])
        #expect(set.findings.isEmpty)
        let unknown = Effect.outcome(effect, settings: "<setparam ref='x'><float>7</float></setparam>")
        #expect(unknown.codes == [.effectParamUnresolved])
        #expect(unknown.scene.materials.first == plain)
    }

    private static let broken: [(String, String, FindingCode?)] = [
        ("", "<param ref='x'/>", .effectParamUnresolved), ("", "<param/>", .effectParamUnresolved),
        ("<newparam sid='p'><bool>true</bool></newparam>", "<param ref='p'/>", .effectParamUnresolved),
        ("<newparam sid='p'><float2>1 2</float2></newparam>", "<param ref='p'/>", .effectParamUnresolved),
        ("<newparam sid='p'><param ref='p'/></newparam>", "<param ref='p'/>", .effectParamUnresolved),
        (
            "<newparam sid='p'><param ref='q'/></newparam><newparam sid='q'><param ref='p'/></newparam>",
            "<param ref='p'/>", .effectParamUnresolved
        ),
        ("<newparam sid='p'><float3>1 2 NaN</float3></newparam>", "<param ref='p'/>", .numberNonFinite),
        ("<newparam sid='p'><float3>1 2</float3></newparam>", "<param ref='p'/>", .schemaListLength),
        ("", "", nil), ("", "<color/>", .schemaListLength), ("", "<unknown/>", nil),
    ]

    @Test(arguments: broken.indices)
    func aParameterThatLeadsNowhereIsToldAndTheRestStays(index: Int) {
        let (parameters, value, code) = Self.broken[index]
        let outcome = Effect.outcome(
            Effect.profile(
                "<emission><color>0 0 1 1</color></emission><diffuse>\(value)</diffuse>", parameters: parameters))
        #expect(outcome.scene.materials.first?.properties == [.emission: .color(SIMD4(0, 0, 1, 1))])
        if let code { #expect(outcome.codes.contains(code), "\(outcome.codes)") } else { #expect(outcome.codes == []) }
    }

    @Test func aParameterMayReadAnother() {
        let outcome = Effect.outcome(
            Effect.profile(
                "<diffuse><param ref='a'/></diffuse>",
                parameters:
                    "<newparam sid='a'><param ref='b'/></newparam><newparam sid='b'><float3>1 0.5 0</float3></newparam>"
            ))
        #expect(outcome.scene.materials.first?[.diffuse]?.color == SIMD4(1, 0.5, 0, 1))
    }

    // MARK: - Opacity

    @Test func theWordForOpaqueIsRead() {
        func outcome(_ opaque: String, _ document: Document) -> Outcome {
            Effect.outcome(
                Effect.profile(
                    "<transparent \(opaque)><color>0.5 0.5 0.5 0.25</color></transparent><transparency><float>0.5</float></transparency>"
                ), in: document)
        }
        let cases: [(String, Double, Bool)] = [
            ("", 0.125, false), ("opaque='A_ONE'", 0.125, false), ("opaque='RGB_ZERO'", 0.75, false),
            ("opaque='A_ZERO'", 0.875, true), ("opaque='RGB_ONE'", 0.25, true),
        ]
        for (opaque, expected, isNew) in cases {
            for document in [Document(), .version15] {
                let outcome = outcome(opaque, document)
                guard case .constant(let value)? = outcome.scene.materials.first?.opacity else {
                    Issue.record("\(opaque) is not constant")
                    continue
                }
                #expect(abs(value - expected) < 1e-6, "\(opaque)")
                #expect(outcome.codes == (isNew && document.version == "1.4.1" ? [.schemaInvalidEnum] : []))
            }
        }
        #expect(outcome("opaque='NEVER'", Document()).codes == [.schemaInvalidEnum])
        #expect(outcome("opaque='NEVER'", Document()).scene.materials.first?.opacity == .constant(0.125))
    }

    @Test func aTextureOfOpacityKeepsItsSampler() throws {
        let outcome = Effect.outcome(
            Effect.profile(
                "<transparent opaque='RGB_ZERO'><texture texture='s' texcoord='UV'/></transparent>",
                parameters: Effect.surface("f", "i0") + Effect.sampler("s", "f", "<wrap_s>CLAMP</wrap_s>")))
        guard case .texture(let map)? = outcome.scene.materials.first?.opacity else {
            Issue.record("no texture")
            return
        }
        #expect(map.sense == .inverted && map.channel == .luminance && map.factor == 1)
        #expect(map.texture.sampler.wrapS == .clamp)
        #expect(map.texture == outcome.scene.materials.first?[.transparent]?.texture)
    }

    @Test func whatCannotBeSeenByTheLetterIsSuspect() {
        let outcome = Effect.outcome(Effect.profile("<transparency><float>0</float></transparency>"))
        #expect(outcome.codes == [.transparencySuspect])
        #expect(outcome.first(.transparencySuspect)?.severity == .hint)
        #expect(outcome.scene.materials.first?.opacity == .constant(0))
        #expect(outcome.scene.materials.first?.likelyOpacity == .opaque)
    }

    // MARK: - Other

    @Test func anEffectWithoutItsCommonPartIsTold() {
        #expect(Effect.outcome("<profile_CG/>").codes == [.effectNoCommonProfile])
        let unknown = Effect.outcome("<profile_COMMON><technique sid='t'><oren/></technique></profile_COMMON>")
        #expect(unknown.codes == [.effectTechniqueUnknown])
        #expect(unknown.scene.materials.first?.shading == nil)
    }

    @Test func aSidLeadsToTheProperty() throws {
        let outcome = Effect.outcome(
            Effect.profile(
                """
                <emission><color sid='glow'>0 0 0 1</color></emission><ambient><color sid='diffuse.x'>0 0 0 1</color></ambient>
                <diffuse><param ref='paint'/></diffuse><shininess><float sid='float'>3</float></shininess>
                """, parameters: "<newparam sid='paint'><float3>1 1 1</float3></newparam>"))
        let effect = try #require(outcome.document.effects.first)
        let paths: [([String], Material.Property?)] = [
            (["glow"], .emission), (["common", "glow"], .emission), (["diffuse.x"], .ambient), (["paint"], .diffuse),
            (["diffuse"], .diffuse), (["common", "diffuse", "color"], .diffuse), (["float"], .shininess),
            (["index_of_refraction"], .indexOfRefraction), (["none"], nil), ([], nil), (["color"], nil),
        ]
        for (path, property) in paths { #expect(effect.slot(forSIDPath: path) == property, "\(path)") }
    }

    @Test func figuresHaveTheSameValues() {
        let effect = Effect.profile(
            "\(Effect.texture("diffuse", "s"))<shininess><float>2</float></shininess>",
            parameters: Effect.surface("f", "i0") + Effect.sampler("s", "f"))
        let whole = Effect.outcome(effect)
        let figures = Effect.outcome(effect, retention: .figures)
        #expect(figures.scene.materials == whole.scene.materials)
        #expect(figures.scene.materials.first?.images == [SceneIndex(0)])
    }

    // MARK: - Hostile

    /// Each parameter reads the next, and each of many materials begins at the first.
    @Test func longWaysAndManyMaterialsStayLinear() {
        let count = 20_000
        let chain = (0..<count).map { "<newparam sid='p\($0)'><param ref='p\($0 + 1)'/></newparam>" }.joined()
        let materials = (0..<count).map {
            "<material id='m\($0)'><instance_effect url='#e'><setparam ref='q\($0)'><float>1</float></setparam></instance_effect></material>"
        }.joined()
        let outcome = Document().with(
            "<library_effects><effect id='e'>\(Effect.profile("<diffuse><param ref='p0'/></diffuse>", parameters: chain))</effect></library_effects>"
                + "<library_materials>\(materials)</library_materials>")
        #expect(outcome.scene.materials.count == count)
        // That of the effect, and each material's own: so many are kept.
        #expect(outcome.codes == [FindingCode](repeating: .effectParamUnresolved, count: 100))
        #expect(outcome.document.effects.first?.parameters.count == count)
    }

    @Test func whatIsWrongWithAValueIsToldWhereItStands() throws {
        let outcome = EffectDocument.outcome(
            EffectDocument.profile(
                "<emission><color>0 0 0 1</color></emission>\n" + EffectDocument.texture("ambient", "gone") + "\n"
                    + EffectDocument.texture("diffuse", "i1")
                    + "\n<specular>\n<param ref='none'/></specular>"))
        let told = outcome.findings.filter {
            [.textureSamplerUnresolved, .textureDirectImage, .effectParamUnresolved].contains($0.code)
        }
        #expect(told.map { $0.arguments.first { $0.name == "property" }?.value } == ["ambient", "diffuse", "specular"])
        #expect(told.map(\.place.line) == [4, 5, 7])
        #expect(told.map(\.place.elementID) == ["e", "e", "e"])
        #expect(told.first?.message.hasPrefix("<ambient>: \"gone\" leads to nothing") == true)
        let technique = try #require(outcome.document.effects.first?.common)
        #expect(technique.position(of: .emission)?.line == 3)
        #expect(technique.position(of: .specular)?.line == 7)
        #expect(technique.position(of: .shininess) == nil)
    }
}

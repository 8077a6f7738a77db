import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

@Suite struct LibraryTests {
    // MARK: - Images

    private static let images: [(String, ImageContent)] = [
        ("<init_from>a/b.png</init_from>", .reference("a/b.png")),
        ("<init_from>\n  a b.png\n</init_from>", .reference("a b.png")),
        ("<init_from><ref>a.png</ref></init_from>", .reference("a.png")),
        ("<init_from>\n <ref>\n a.png </ref>\n</init_from>", .reference("a.png")),
        ("<init_from><hex format='PNG'>00</hex></init_from>", .embedded(.init(format: "PNG", content: .bytes([0])))),
        (
            "<create_2d><size_exact width='1' height='1'/><init_from><ref>a.png</ref></init_from></create_2d>",
            .reference("a.png")
        ),
        ("<create_3d><init_from face='X'><ref>a.png</ref></init_from></create_3d>", .reference("a.png")),
        ("<create_cube><init_from><ref>a.png</ref></init_from></create_cube>", .reference("a.png")),
        ("<data>00FF</data>", .embedded(.init(format: nil, content: .bytes([0, 255])))), ("<init_from/>", .none),
        ("", .none),
        ("<init_from>  </init_from>", .none),
        ("<extra><init_from>no.png</init_from></extra><init_from>a.png</init_from>", .reference("a.png")),
    ]

    @Test(arguments: images.indices)
    func anImageIsReadInEveryForm(index: Int) {
        let (text, content) = Self.images[index]
        let outcome = Document().with("<library_images><image id='i' name='n'>\(text)</image></library_images>")
        #expect(outcome.scene.images.map(\.content) == [content], "\(text)")
        #expect(outcome.scene.images.first?.id == "i" && outcome.scene.images.first?.name == "n")
        #expect(outcome.scene.images.first?.parts == [], "\(text)")
        #expect(outcome.codes == (content == .none ? [.imageEmptyURI] : []))
    }

    @Test func theImageOf13StandsInAnAttribute() {
        let outcome = Document().with("<library_images><image id='i' source='a.png'/></library_images>")
        #expect(outcome.scene.images.first?.content == .reference("a.png"))
    }

    // MARK: - Effects

    private func effect(_ profile: String, image: String = "<init_from>a.png</init_from>") -> Outcome {
        Document().with(
            "<library_images><image id='i'>\(image)</image></library_images><library_effects><effect id='e'>\(profile)</effect></library_effects>"
                + "<library_materials><material id='m' name='M'><instance_effect url='#e'/></material></library_materials>"
        )
    }

    private static let surface = "<newparam sid='f'><surface type='2D'><init_from>i</init_from></surface></newparam>"
    private static let sampler = "<newparam sid='s'><sampler2D><source>f</source></sampler2D></newparam>"
    private static func lambert(_ texture: String) -> String {
        "<technique sid='t'><lambert><diffuse><texture texture='\(texture)' texcoord='UV'/></diffuse></lambert></technique>"
    }

    @Test func aTextureLeadsToItsImageInEveryForm() {
        let chains: [(String, told: [FindingCode])] = [
            ("<profile_COMMON>\(Self.surface)\(Self.sampler)\(Self.lambert("s"))</profile_COMMON>", []),
            ("\(Self.surface)\(Self.sampler)<profile_COMMON>\(Self.lambert("s"))</profile_COMMON>", []),
            (
                "<profile_COMMON><technique sid='t'>\(Self.surface)\(Self.sampler)<lambert><diffuse><texture texture='s'/></diffuse></lambert></technique></profile_COMMON>",
                []
            ),
            (
                "<profile_COMMON><newparam sid='s'><sampler2D><instance_image url='#i'/></sampler2D></newparam>\(Self.lambert("s"))</profile_COMMON>",
                []
            ),
            ("<profile_COMMON>\(Self.surface)\(Self.lambert("f"))</profile_COMMON>", [.quirkTextureDirectSurface]),
            ("<profile_COMMON>\(Self.lambert("i"))</profile_COMMON>", [.textureDirectImage]),
            (
                "<profile_COMMON><newparam sid='s'><sampler2D><source>i</source></sampler2D></newparam>\(Self.lambert("s"))</profile_COMMON>",
                [.quirkSamplerDirectImage]
            ),
            (
                "<profile_GLSL><technique/></profile_GLSL><profile_COMMON>\(Self.surface)\(Self.sampler)<extra/>\(Self.lambert("s"))</profile_COMMON>",
                []
            ),
        ]
        for (chain, told) in chains {
            let outcome = effect(chain)
            #expect(outcome.scene.materials.first?.images == [SceneIndex(0)], "\(chain)")
            #expect(outcome.scene.materials.first?.shading == .lambert)
            #expect(outcome.codes == told, "\(outcome.findings)")
        }
    }

    @Test func aBrokenChainIsToldAndTheMaterialStays() {
        let chains: [(String, FindingCode)] = [
            ("\(Self.surface)\(Self.sampler)\(Self.lambert("x"))", .textureSamplerUnresolved),
            ("\(Self.sampler)\(Self.lambert("s"))", .textureSurfaceUnresolved),
            ("<newparam sid='s'><sampler2D/></newparam>\(Self.lambert("s"))", .textureSurfaceUnresolved),
            (
                "<newparam sid='f'><surface><init_from>x</init_from></surface></newparam>\(Self.sampler)\(Self.lambert("s"))",
                .refUnresolved
            ),
            (
                "<newparam sid='s'><sampler2D><instance_image url='#x'/></sampler2D></newparam>\(Self.lambert("s"))",
                .refUnresolved
            ),
            (
                "<newparam sid='s'><sampler2D><instance_image/></sampler2D></newparam>\(Self.lambert("s"))",
                .schemaMissingAttribute
            ),
            ("<newparam sid='s'><float>1</float></newparam>\(Self.lambert("s"))", .textureSamplerUnresolved),
            (
                "<newparam sid='s'><sampler2D><source>s</source></sampler2D></newparam>\(Self.lambert("s"))",
                .textureSurfaceUnresolved
            ),
        ]
        for (chain, code) in chains {
            let outcome = effect("<profile_COMMON>\(chain)</profile_COMMON>")
            #expect(outcome.codes.contains(code), "\(chain): \(outcome.findings)")
            #expect(outcome.scene.materials.first?.images.isEmpty == true)
            #expect(outcome.scene.materials.first?.effectID == "e")
            #expect(outcome.first(code)?.place.line == 3)
        }
    }

    @Test func aSurfaceWithoutAnImageIsNoFault() {
        let outcome = effect(
            "<profile_COMMON><newparam sid='f'><surface type='2D'><init_as_null/></surface></newparam>"
                + "\(Self.sampler)\(Self.lambert("s"))</profile_COMMON>")
        #expect(outcome.findings.isEmpty)
        #expect(outcome.scene.materials.first?.images.isEmpty == true)
    }

    @Test func anEffectsOwnImagesAreListedToo() {
        let outcome = Document().with(
            "<library_effects><effect id='e'><image id='own'><init_from>b.png</init_from></image><profile_COMMON>"
                + "<image id='deep'><init_from>c.png</init_from></image>\(Self.lambert("deep"))</profile_COMMON></effect></library_effects>"
                + "<library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>")
        #expect(outcome.document.images.map(\.id) == ["own", "deep"])
        #expect(outcome.scene.materials.first?.images == [SceneIndex(1)])
    }

    /// All extras looked at for each sampler would be 10⁹ looks.
    @Test func manyExtrasAreEachFoundAtTheirElement() {
        let count = 30_000
        let samplers = (0..<count).map {
            "<newparam sid='s\($0)'><sampler2D><extra><technique profile='P\($0)'/></extra></sampler2D></newparam>"
        }
        let outcome = effect("<profile_COMMON>\(samplers.joined())</profile_COMMON>")
        let parameters = outcome.document.effects.first?.parameters ?? [:]
        #expect(parameters.count == count)
        for index in [0, 1, count - 1] {
            guard case .sampler(let sampler)? = parameters["s\(index)"] else {
                Issue.record("no sampler \(index)")
                continue
            }
            #expect(sampler.extras.map(\.profile) == ["P\(index)"])
        }
    }

    @Test func theShadingIsOneOfFour() {
        for (name, shading) in [("constant", Shading.constant), ("phong", .phong), ("blinn", .blinn), ("other", nil)] {
            let outcome = effect("<profile_COMMON><technique><\(name)/></technique></profile_COMMON>")
            #expect(outcome.scene.materials.first?.shading == shading)
        }
    }

    // MARK: - Cameras and lights

    private static let cameras: [(String, Camera.Projection?, [FindingCode])] = [
        (
            "<optics><technique_common><perspective><xfov>60</xfov><znear>0.1</znear><zfar>9</zfar></perspective></technique_common></optics>",
            .perspective(xfov: 60, yfov: nil), []
        ),
        (
            "<optics><technique_common><perspective><yfov sid='y'>40</yfov><aspect_ratio>2</aspect_ratio></perspective></technique_common></optics>",
            .perspective(xfov: nil, yfov: 40), []
        ),
        (
            "<optics><technique_common><orthographic><xmag>3</xmag><ymag>2</ymag></orthographic></technique_common></optics>",
            .orthographic(xmag: 3, ymag: 2), []
        ),
        (
            "<optics><technique_common><perspective/></technique_common></optics>", .perspective(xfov: nil, yfov: nil),
            []
        ),
        (
            "<optics><technique_common><perspective><xfov>wide</xfov></perspective></technique_common></optics>",
            .perspective(xfov: nil, yfov: nil), [.schemaInvalidNumber]
        ),
        (
            "<optics><technique_common><perspective><xfov>1 2</xfov></perspective></technique_common></optics>",
            .perspective(xfov: nil, yfov: nil), [.schemaListLength]
        ),
        (
            "<optics><technique_common><perspective><xfov>NaN</xfov></perspective></technique_common></optics>",
            .perspective(xfov: nil, yfov: nil), [.numberNonFinite]
        ),
        ("<optics><technique_common/></optics>", nil, [.cameraInvalid]), ("<optics/>", nil, [.cameraInvalid]),
        ("", nil, [.cameraInvalid]),
        (
            "<optics><technique profile='X'><perspective><xfov>1</xfov></perspective></technique></optics>", nil,
            [.cameraInvalid]
        ),
    ]

    @Test(arguments: cameras.indices)
    func aCameraIsReadHoweverBroken(index: Int) {
        let (text, projection, codes) = Self.cameras[index]
        let outcome = Document().with(
            "<library_cameras><camera id='c' name='n'>\(text)</camera><camera id='d'/></library_cameras>",
            node: "<instance_camera url='#c'/>")
        #expect(outcome.scene.cameras.count == 2)
        #expect(outcome.scene.cameras.first?.projection == projection, "\(text)")
        #expect(outcome.scene.cameras.first?.name == "n")
        #expect(outcome.codes == codes + [.cameraInvalid], "\(text)")
        #expect(outcome.scene.nodes.first?.instances == [.camera(SceneIndex(0))])
    }

    private static let lights: [(String, Light.Kind?, [Double]?, [FindingCode])] = [
        (
            "<technique_common><point><color>1 0.5 0</color><constant_attenuation>1</constant_attenuation></point></technique_common>",
            .point, [1, 0.5, 0], []
        ),
        (
            "<technique_common><spot><color>1 1 1</color><falloff_angle>9</falloff_angle></spot></technique_common>",
            .spot, [1, 1, 1], []
        ),
        ("<technique_common><ambient><color>1 1 1</color></ambient></technique_common>", .ambient, [1, 1, 1], []),
        ("<technique_common><directional/></technique_common>", .directional, nil, []),
        ("<technique_common><point><color>1 1</color></point></technique_common>", .point, nil, [.schemaListLength]),
        (
            "<technique_common><point><color>r g b</color></point></technique_common>", .point, nil,
            [.schemaInvalidNumber, .schemaInvalidNumber, .schemaInvalidNumber]
        ),
        ("<technique_common><area/></technique_common>", nil, nil, [.lightInvalid]),
        ("<technique profile='x'><point/></technique>", nil, nil, [.lightInvalid]),
        ("", nil, nil, [.lightInvalid]),
    ]

    @Test(arguments: lights.indices)
    func aLightIsReadHoweverBroken(index: Int) {
        let (text, kind, color, codes) = Self.lights[index]
        let outcome = Document().with(
            "<library_lights><light id='l'>\(text)</light></library_lights>", node: "<instance_light url='#l'/>")
        let light = outcome.scene.lights.first
        #expect(light?.kind == kind, "\(text)")
        #expect(light?.color.map { [$0.x, $0.y, $0.z] } == color)
        #expect(outcome.codes == codes)
        #expect(outcome.scene.nodes.first?.instances == [.light(SceneIndex(0))])
    }

    // MARK: - Animations

    /// A whole sampler of one key, with its sources; `values` are the numbers of that key.
    private static func sampler(_ id: String, values: String, params: String) -> String {
        let count = values.split(separator: " ").count
        return """
            <source id='\(id)t'><float_array id='\(id)ta' count='1'>0</float_array><technique_common><accessor source='#\(id)ta' count='1'><param name='TIME'/></accessor></technique_common></source>
            <source id='\(id)v'><float_array id='\(id)va' count='\(count)'>\(values)</float_array><technique_common><accessor source='#\(id)va' count='1' stride='\(count)'>\(params)</accessor></technique_common></source>
            <source id='\(id)i'><Name_array id='\(id)ia' count='1'>LINEAR</Name_array><technique_common><accessor source='#\(id)ia' count='1'><param name='INTERPOLATION'/></accessor></technique_common></source>
            <sampler id='\(id)'><input semantic='INPUT' source='#\(id)t'/><input semantic='OUTPUT' source='#\(id)v'/><input semantic='INTERPOLATION' source='#\(id)i'/></sampler>
            """
    }

    @Test func animationsAreCountedNestedAndInOrder() {
        let wide = Self.sampler("s", values: "1 2 3", params: "<param name='X'/><param name='Y'/><param name='Z'/>")
        let narrow = Self.sampler("q", values: "1", params: "<param name='X'/>")
        let outcome = Document().with(
            """
            <library_animations><animation id='a'><animation id='b'>\(wide)
            <channel source='#s' target='n/x'/></animation>\(narrow)<channel source='#q' target='n/y.X'/><channel source='#q' target='n/z(1)'/>
            </animation><animation id='c'/></library_animations>
            <library_animation_clips><animation_clip id='k' start='0'><instance_animation url='#a'/></animation_clip></library_animation_clips>
            """,
            node:
                "<translate sid='x'>0 0 0</translate><translate sid='y'>0 0 0</translate><translate sid='z'>0 0 0</translate>"
        )
        #expect(outcome.document.animations.map(\.id) == ["a", "b", "c"])
        #expect(
            outcome.document.animations.map { $0.channels.map(\.target.text) } == [["n/y.X", "n/z(1)"], ["n/x"], []])
        #expect(outcome.document.animations.map(\.samplers.count) == [1, 1, 0])
        #expect(outcome.document.animationClips.map { $0.animations.map(\.text) } == [["#a"]])
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    }

    /// Found one by one, these sources would be 10⁹ comparisons.
    @Test func manySamplersFindTheirSourcesAmongMany() {
        let count = 20_000
        let sources = (0..<count).map { "<source id='other\($0)'/>" }.joined()
        let samplers = (0..<count).map {
            "<sampler id='m\($0)'><input semantic='INPUT' source='#st'/><input semantic='OUTPUT' source='#sv'/><input semantic='INTERPOLATION' source='#si'/></sampler>"
        }
        let whole = Self.sampler("s", values: "1", params: "<param name='X'/>")
        let outcome = Document().with(
            "<library_animations><animation id='a'>\(sources)\(whole)\(samplers.joined())</animation></library_animations>"
        )
        #expect(outcome.document.animations.first?.samplers.count == count + 1)
        #expect(outcome.document.animations.first?.samplers.allSatisfy { $0.span == 0...0 } == true)
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    }

    // MARK: - Controllers

    private static let joints =
        "<source id='jn'><Name_array id='jna' count='2'>A\n B</Name_array><technique_common><accessor source='#jna' count='2'/></technique_common></source>"
        + "<source id='jm'><float_array id='jma' count='32'>\(unit) \(unit)</float_array><technique_common><accessor source='#jma' count='2' stride='16'/></technique_common></source>"
        + "<joints><input semantic='JOINT' source='#jn'/><input semantic='INV_BIND_MATRIX' source='#jm'/></joints>"
    private static let unit = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"

    @Test func aSkinOnAMorphLeadsToItsMesh() {
        let outcome = Document().with(
            Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
                + """
                <library_controllers><controller id='s'><skin source='#m'><bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix>
                \(Self.joints)</skin></controller><controller id='m'><morph source='#g' method='RELATIVE'><source id='mt'><IDREF_array id='mi' count='2'>g g</IDREF_array>
                </source><targets><input semantic='MORPH_TARGET' source='#mt'/></targets></morph></controller></library_controllers>
                """,
            node:
                "<node sid='A'/><node sid='B'/><instance_controller url='#s'><skeleton>#n</skeleton></instance_controller>"
        )
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        #expect(outcome.scene.controllers.map(\.base) == [SceneIndex(0), SceneIndex(0)])
        #expect(outcome.scene.controllers.map { $0.kind?.parts } == [2, 2])
        #expect(outcome.scene.controllers.map(\.source) == [.controller(SceneIndex(1)), .geometry(SceneIndex(0))])
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: .zero, max: [2, 2, 0]))
        #expect(SceneCensus(of: outcome.scene).triangles == 1)
    }

    @Test func controllersThatAreTheirOwnSourceAreCutAndTold() {
        for body in [
            "<controller id='a'><skin source='#a'>\(Self.joints)</skin></controller>",
            "<controller id='a'><skin source='#b'>\(Self.joints)</skin></controller><controller id='b'><morph source='#a'/></controller>",
        ] {
            let outcome = Document().with(
                "<library_controllers>\(body)</library_controllers>", node: "<instance_controller url='#a'/>")
            #expect(outcome.codes.contains(.refCycle))
            #expect(outcome.scene.controllers.allSatisfy { $0.base == nil })
            #expect(outcome.scene.nodes.first?.instances.count == 1)
        }
    }

    /// Walked from each controller anew, these chains would be 10⁹ steps.
    @Test func eachControllerOfAChainIsFollowedOnceAndItsBrokenEndToldOnce() {
        let count = 30_000
        for (end, base, codes) in [
            ("#g", SceneIndex<Geometry>(0), [FindingCode]()), ("#none", nil, [.refUnresolved]),
            ("#c7", nil, [.refCycle]),
        ] {
            let chain = (0..<count).map { index in
                "<controller id='c\(index)'><morph source='\(index == count - 1 ? end : "#c\(index + 1)")'/></controller>"
            }
            let outcome = Document().with(
                Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
                    + "<library_controllers>\(chain.joined())</library_controllers>")
            #expect(outcome.scene.controllers.count == count)
            #expect(outcome.scene.controllers.allSatisfy { $0.base == base })
            let references: Set<FindingCode> = [.refUnresolved, .refCycle]
            #expect(outcome.codes.filter { references.contains($0) } == codes)
        }
    }

    private static let controllers: [(String, FindingCode)] = [
        ("<controller id='a'/>", .schemaMissingElement),
        ("<controller id='a'><skin/></controller>", .schemaMissingAttribute),
        ("<controller id='a'><skin source='#none'/></controller>", .skinSourceUnresolved),
        ("<controller id='a'><skin source='#n'/></controller>", .refWrongType),
        (
            "<controller id='a'><skin source='#g'><bind_shape_matrix>1 2</bind_shape_matrix></skin></controller>",
            .schemaListLength
        ),
        (
            "<controller id='a'><skin source='#g'><joints><input semantic='JOINT' source='#x'/></joints></skin></controller>",
            .accessorNoSource
        ),
        (
            "<controller id='a'><skin source='#g'><vertex_weights><input semantic='WEIGHT' source='#x'/></vertex_weights></skin></controller>",
            .accessorNoSource
        ),
        (
            "<controller id='a'><morph source='#g'><source id='t'><IDREF_array id='i' count='1'>zz</IDREF_array></source><targets><input semantic='MORPH_TARGET' source='#t'/></targets></morph></controller>",
            .morphTargetUnresolved
        ),
    ]

    @Test(arguments: controllers.indices)
    func aBrokenControllerIsToldAndStays(index: Int) {
        let (text, code) = Self.controllers[index]
        let outcome = Document().with(
            Mesh.geometry("") + "<library_controllers>\(text)</library_controllers>",
            node: "<instance_controller url='#a'/>")
        #expect(outcome.codes.contains(code), "\(text): \(outcome.findings)")
        #expect(outcome.scene.controllers.count == 1)
        #expect(outcome.scene.nodes.first?.instances.count == 1)
    }

    // MARK: - Geometries of other kinds

    @Test func otherGeometriesAreKeptAndTold() {
        let outcome = Document().with(
            "<library_geometries><geometry id='s'><spline><source/></spline></geometry><geometry id='b'><brep/></geometry><geometry id='e'/>"
                + "<geometry id='h'><convex_mesh convex_hull_of='#x'/></geometry></library_geometries>")
        #expect(outcome.document.geometries.map(\.kind.name) == ["spline", "brep", "empty", "convex_mesh"])
        #expect(
            outcome.codes == [
                .schemaMissingElement, .geometryUnsupportedKind, .geometryUnsupportedKind, .physicsConvexSource,
            ])
    }
}

extension Controller.Kind {
    /// Joints or targets.
    fileprivate var parts: Int {
        switch self {
        case .skin(let skin): skin.joints.count
        case .morph(let morph): morph.targets.count
        }
    }
}

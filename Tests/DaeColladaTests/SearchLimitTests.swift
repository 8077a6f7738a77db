import DaeDiagnostics
import DaeScene
import TestSupport
import Testing

@testable import DaeCollada

/// What is looked for no further than a limit is told once.
@Suite struct SearchLimitTests {
    private func build(
        _ text: String, lentExtras: Int = 1000, _ change: (inout SearchLimits) -> Void
    ) throws -> (scene: Scene, told: [Finding]) {
        let reading = try ColladaParser.read(Array(text.utf8))
        var limits = SearchLimits()
        limits.lentExtras = lentExtras
        change(&limits)
        var builder = SceneBuilder(
            LinkedDocument(reading.document, path: nil), options: ColladaOptions(), limits: limits)
        let scene = try builder.build()
        return (scene, builder.log.findings.filter { $0.code == .workLimitExceeded })
    }

    /// - Returns: The scenes without and with a lower limit, after a check that the limit is told once and only then.
    private func expectTold(
        _ text: String, naming limit: Int, _ change: (inout SearchLimits) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (whole: Scene, cut: Scene) {
        let whole = try build(text) { _ in }
        #expect(whole.told == [], sourceLocation: sourceLocation)
        let cut = try build(text, change)
        #expect(cut.told.count == 1, sourceLocation: sourceLocation)
        #expect(cut.told.first?.severity == .warning, sourceLocation: sourceLocation)
        #expect(cut.told.first?.message.contains(" \(limit), ") == true, "\(cut.told)", sourceLocation: sourceLocation)
        return (whole.scene, cut.scene)
    }

    @Test(arguments: [(254, 0), (255, 1), (1000, 1)])
    func ofLevelsThatAreKeptAsTheyStand(levels: Int, told: Int) {
        let deep = String(repeating: "<x>", count: levels) + String(repeating: "</x>", count: levels)
        let outcome = Document().with("", node: "<extra><technique profile='X'>\(deep)</technique></extra>")
        let findings = outcome.findings.filter { $0.code == .workLimitExceeded }
        #expect(findings.count == told)
        #expect(findings.allSatisfy { $0.message.contains(" 256 levels") })
    }

    private static let sources =
        "<source id='t'><float_array id='ta' count='2'>0 1</float_array></source><source id='v'><float_array id='va' count='2'>1 3</float_array></source><sampler id='s'><input semantic='INPUT' source='#t'/><input semantic='OUTPUT' source='#v'/></sampler>"

    @Test func ofTargetsThroughInstances() throws {
        var document = Document()
        document.body =
            "<library_nodes><node id='far'><node><node sid='deep'><translate sid='x'>0 0 0</translate></node></node></node></library_nodes><library_animations><animation>\(Self.sources)<channel source='#s' target='n/x.X'/><channel source='#s' target='n/deep/x.Y'/></animation></library_animations>"
        document.node = "<instance_node url='#far'/>"
        let (whole, cut) = try expectTold(document.text, naming: 2) { $0.nodes = 2 }
        #expect(whole.channels.count == 2)
        #expect(cut.channels.isEmpty)
    }

    /// Three primitives of one symbol, each with an input of its own and six of the vertices'.
    @Test func ofTextureCoordinates() throws {
        let vertices =
            "<vertices id='v'>" + String(repeating: "<input semantic='POSITION' source='#pos'/>", count: 6)
            + "</vertices>"
        let primitives = (0..<3).map {
            "<triangles count='0' material='s'>\(Mesh.input)<input semantic='B' source='#pos' offset='0' set='\($0)'/></triangles>"
        }
        var document = Document()
        document.body = Mesh.geometry(primitives.joined(), vertices: vertices) + Self.materials
        document.node =
            "<instance_geometry url='#g'><bind_material><technique_common><instance_material symbol='s' target='#m'/></technique_common></bind_material></instance_geometry>"
        // Two of each of three primitives are listed, then looked at with six of the vertices.
        for (limit, told) in [(30, 3), (29, 2), (22, 2), (21, 1), (13, 0), (5, 0)] {
            let counts = try countsOfTexcoords(document.text, limit: limit)
            #expect(counts[.texcoordMissing] ?? 0 == told, "\(limit)")
            #expect(counts[.workLimitExceeded] ?? 0 == (told < 3 ? 1 : 0))
        }
        _ = try expectTold(document.text, naming: 10) { $0.texcoords = 10 }
    }

    /// A primitive of many inputs is listed once, however many bindings there are for it.
    @Test func ofTextureCoordinatesInManyBindings() throws {
        let inputs = (0..<20).map { "<input semantic='A' source='#pos' offset='0' set='\($0)'/>" }.joined()
        var document = Document()
        document.body =
            Mesh.geometry("<triangles count='0' material='s'>\(Mesh.input)\(inputs)</triangles>") + Self.materials
        document.node = (0..<3).map {
            "<instance_geometry url='#g'><bind_material><technique_common><instance_material symbol='s' target='#m'><bind_vertex_input semantic='q\($0)' input_semantic='A'/></instance_material></technique_common></bind_material></instance_geometry>"
        }.joined()
        let most = 21 + 3 * (21 + 2)
        for (limit, told) in [(most, 3), (most - 1, 2), (21, 0), (20, 0)] {
            let counts = try countsOfTexcoords(document.text, limit: limit)
            #expect(counts[.texcoordMissing] ?? 0 == told, "\(limit)")
            #expect(counts[.workLimitExceeded] ?? 0 == (told < 3 ? 1 : 0))
        }
    }

    private func countsOfTexcoords(_ text: String, limit: Int) throws -> [FindingCode: Int] {
        let reading = try ColladaParser.read(Array(text.utf8))
        var limits = SearchLimits()
        limits.texcoords = limit
        var builder = SceneBuilder(
            LinkedDocument(reading.document, path: nil), options: ColladaOptions(), limits: limits)
        _ = try builder.build()
        return builder.log.counts
    }

    /// One of a texture whose coordinates are named UV.
    private static let materials =
        "<library_images><image id='i'><init_from>a.png</init_from></image></library_images><library_effects><effect id='e'>"
        + EffectDocument.profile(
            EffectDocument.texture("diffuse", "s", "UV"),
            parameters: EffectDocument.surface("f", "i") + EffectDocument.sampler("s", "f"))
        + "</effect></library_effects><library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>"

    @Test func ofConvertedCurves() throws {
        var document = Document()
        let asset = "<asset><unit meter='0.5'/></asset>"
        let channels = (0..<3).map { "<channel source='#s' target='n/\($0).X'/>" }.joined()
        document.body =
            "<library_animations>\(asset)<animation>\(Self.sources)\(channels)<channel source='#s' target='c/znear'/></animation></library_animations><library_cameras><camera id='c'/></library_cameras>"
        document.node = (0..<3).map { "<translate sid='\($0)'>0 0 0</translate>" }.joined()
        let (whole, cut) = try expectTold(document.text, naming: 0) { $0.convertedCurves = 0 }
        #expect(whole.channels.map { $0.curve.value(at: 0) } == [[0.5], [0.5], [0.5], [0.5]])
        #expect(cut.channels.isEmpty)
    }

    @Test func ofNestedPhysicsModels() throws {
        let models = (0..<4).map {
            "<physics_model id='m\($0)'><rigid_body sid='b\($0)'><technique_common/></rigid_body><instance_physics_model url='#m\($0 + 1)'/></physics_model>"
        }
        var document = Document.version15
        document.body =
            "<library_physics_models>\(models.joined())<physics_model id='m4'><rigid_body sid='b4'><technique_common/></rigid_body></physics_model></library_physics_models><library_physics_scenes><physics_scene id='ps'><instance_physics_model url='#m0'><instance_rigid_body body='b4' target='#n'/></instance_physics_model><technique_common/></physics_scene></library_physics_scenes>"
        let (whole, cut) = try expectTold(document.text, naming: 3) { $0.physics = 3 }
        #expect(whole.physics.scenes.first?.instances.first?.bodies.first?.body != nil)
        #expect(cut.physics.scenes.first?.instances.first?.bodies.first?.body == nil)
    }

    @Test func ofKinematics() throws {
        let text = String(decoding: try Repository.fixture("documents/two-joint-robot.dae"), as: UTF8.self)
        let (whole, cut) = try expectTold(text, naming: 5) { $0.kinematics = 5 }
        #expect(whole.kinematics.active.first?.axes.count == 2)
        #expect((cut.kinematics.active.first?.axes.count ?? 0) < 2)
        #expect(cut.kinematics.models.count == 1)
        let nodes = try expectTold(text, naming: 1) { $0.nodes = 1 }
        #expect(nodes.cut.kinematics.active.first?.axes.allSatisfy { $0.transform == nil } == true)
    }

    @Test func ofJoints() throws {
        let skin =
            "<library_controllers><controller id='c'><skin source='#g'><source id='jn'><Name_array id='jna' count='1'>j</Name_array><technique_common><accessor source='#jna' count='1'><param name='JOINT' type='name'/></accessor></technique_common></source><joints><input semantic='JOINT' source='#jn'/></joints></skin></controller></library_controllers>"
        var document = Document()
        document.body = Mesh.geometry("") + skin
        // A limit is never less than eight times the nodes; each instance names other roots of the same subtree.
        var chain = "<node sid='j'/>"
        for level in 0..<40 { chain = "<node id='d\(level)'>\(chain)</node>" }
        let instances = (0..<40).map {
            "<instance_controller url='#c'><skeleton>#d\($0)</skeleton></instance_controller>"
        }
        document.node = chain + instances.joined()
        let nodes = 42
        let (whole, cut) = try expectTold(document.text, naming: nodes * 8) { $0.joints = 0 }
        func bound(_ scene: Scene) -> Int {
            var count = 0
            for case .controller(_, let skeleton, _) in scene.nodes.flatMap(\.instances)
            where skeleton.joints.first ?? nil != nil { count += 1 }
            return count
        }
        #expect(bound(whole) == 40)
        #expect(bound(cut) < 40)
    }

    @Test func ofChannelsOfEffects() throws {
        var document = Document()
        document.body =
            "<library_effects><effect id='e'><profile_COMMON><technique sid='common'><phong><shininess><float sid='f'>1</float></shininess></phong></technique></profile_COMMON></effect></library_effects><library_materials>\((0..<3).map { "<material id='m\($0)'><instance_effect url='#e'/></material>" }.joined())</library_materials><library_animations><animation>\(Self.sources)<channel source='#s' target='e/common/f'/></animation></library_animations>"
        let (whole, cut) = try expectTold(document.text, naming: 2) { $0.channels = 2 }
        #expect(whole.channels.count == 3)
        #expect(cut.channels.count == 2)
    }

    // MARK: - Extras

    private func material(_ extra: String, texture: String = "") -> String {
        var document = Document()
        document.body =
            "<library_images><image id='i'><init_from>a.png</init_from></image></library_images><library_effects><effect id='e'><profile_COMMON><technique sid='common'><phong><diffuse><texture texture='i' texcoord='t'>\(texture)</texture></diffuse></phong></technique></profile_COMMON></effect></library_effects><library_materials><material id='m'><instance_effect url='#e'/><extra><technique profile='X'>\(extra)</technique></extra></material><material id='o'><instance_effect url='#e'/><extra><technique profile='X'>\(extra)</technique></extra></material></library_materials>"
        return document.text
    }

    @Test func ofLongWaysUnderExtra() throws {
        let name = String(repeating: "n", count: 1000)
        let (scene, told) = try build(material("<\(name)><short>1</short><\(name)>2</\(name)></\(name)>")) { _ in }
        #expect(told.count == 1 && told.first?.message.contains(" 1024, ") == true)
        #expect(scene.materials.first?.extras.map(\.text) == ["1"])
        let short = try build(material("<short>1</short>")) { _ in }
        #expect(short.told == [])
    }

    @Test func ofExtrasThatMaterialsShare() throws {
        let effect = "<extra><technique profile='X'><shared>1</shared></technique></extra></profile_COMMON>"
        let text = material("<own>2</own>").replacing("</profile_COMMON>", with: effect)
        let (scene, told) = try build(text, lentExtras: 1) { _ in }
        #expect(told.count == 1 && told.first?.message.contains(" 1, ") == true)
        #expect(scene.materials.map { $0.extras.map(\.text) } == [["1", "2"], ["2"]])
        #expect(try build(text, lentExtras: 2) { _ in }.told == [])
    }

    @Test func ofElementsUnderATexturesExtra() throws {
        func extra(_ count: Int) -> String {
            "<extra><technique profile='MAYA'>\(String(repeating: "<noiseU>0</noiseU>", count: count))<repeatU>2</repeatU></technique></extra>"
        }
        let (_, told) = try build(material("", texture: extra(256))) { _ in }
        #expect(told.count == 1 && told.first?.message.contains(" 256, ") == true)
        #expect(try build(material("", texture: extra(255))) { _ in }.told == [])
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML
import Testing

/// Documents in memory, by path; counts how often each is read.
final class DocumentShelf {
    private let texts: [String: String]
    private(set) var reads: [String: Int] = [:]

    init(_ texts: [String: String]) { self.texts = texts }

    /// Finds a file beside the document that names it, as written.
    var loader: DocumentLoader {
        DocumentLoader(
            locate: { [self] file, base in
                if file.hasPrefix("http:") { return .blocked(reason: "is on the web") }
                let folder = base.split(separator: "/").dropLast().joined(separator: "/")
                let path = folder.isEmpty ? file : "\(folder)/\(file)"
                guard let text = texts[path] else { return .missing(tried: path) }
                return .found(path: path, bytes: Int64(text.utf8.count), remark: nil)
            },
            read: { [self] path, options in
                reads[path, default: 0] += 1
                return try ColladaParser.read(Array((texts[path] ?? "").utf8), options: options)
            })
    }

    /// The scene of the document at a path, and everything found in it, its linking and its scene.
    func scene(
        of path: String, options given: ColladaOptions = ColladaOptions()
    ) throws -> (scene: Scene, linked: LinkedDocument, findings: [Finding]) {
        var options = given
        options.documentPath = path
        let reading = try ColladaParser.read(Array((texts[path] ?? "").utf8), options: options)
        let linked = try reading.document.linked(options: options, by: loader)
        let built = try linked.scene(options: options)
        return (built.scene, linked, reading.log.findings + linked.log.findings + built.log.findings)
    }
}

@Suite struct OtherDocumentsTests {
    private static let triangle = "<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>"

    private func main(_ node: String, body: String = "") -> String { Document(body: body, node: node).text }

    private func library(_ body: String, asset: String = Document().asset) -> String {
        Document(asset: asset, body: body, node: nil).text
    }

    @Test func whatAnotherDocumentLendsIsPartOfTheScene() throws {
        let shelf = DocumentShelf([
            "main.dae": main(
                "<instance_node url='lib.dae#lamp'/><instance_geometry url='lib.dae#g'><bind_material><technique_common><instance_material symbol='s' target='lib.dae#m'/></technique_common></bind_material></instance_geometry><instance_camera url='lib.dae#c'/><instance_light url='lib.dae#l'/>"
            ),
            "lib.dae": library(
                Mesh.geometry(Self.triangle)
                    + "<library_materials><material id='m'><instance_effect url='#e'/></material></library_materials><library_effects><effect id='e'/></library_effects>"
                    + "<library_cameras><camera id='c'/></library_cameras><library_lights><light id='l'/></library_lights>"
                    + "<library_nodes><node id='lamp'><node>\(Mesh.instance)</node></node></library_nodes>"),
        ])
        let (scene, linked, findings) = try shelf.scene(of: "main.dae")
        let odd = Set(findings.map(\.code)).subtracting([.cameraInvalid, .lightInvalid, .materialSymbolUnused])
        #expect(odd.isEmpty, "\(findings)")
        #expect(shelf.reads == ["lib.dae": 1])
        #expect(linked.paths == ["main.dae", "lib.dae"])
        #expect(linked.document.nodes.map(\.id) == ["n", nil, "lamp"])
        let census = SceneCensus(of: scene)
        #expect(census.nodes == 3)
        #expect(census.instances == 2)
        #expect(census.triangles == 2)
        #expect(scene.materials.map(\.effectID) == ["e"])
        #expect(
            scene.nodes[scene.roots[0]].instances == [
                // Its triangles name no material: the only one that is bound is theirs.
                .geometry(
                    SceneIndex(0),
                    materials: ["s", ""].map { MaterialBinding(symbol: $0, material: SceneIndex(0)) }),
                .camera(SceneIndex(0)), .light(SceneIndex(0)),
            ])
        #expect(SceneBounds(of: scene).box == Bounds(min: .zero, max: [1, 1, 0]))
    }

    @Test func eachDocumentsIDsAreItsOwn() throws {
        let geometry = { (values: String) in
            "<library_geometries><geometry id='g'><mesh>\(Mesh.source("pos", values))\(Mesh.vertices)\(Self.triangle)</mesh></geometry></library_geometries>"
        }
        let shelf = DocumentShelf([
            "main.dae": main(
                "\(Mesh.instance)<instance_geometry url='a.dae#g'/><instance_node url='b.dae#g'/>",
                body: geometry("0 0 0 1 0 0 1 1 0 0 1 0")),
            "a.dae": library(geometry("0 0 0 5 0 0 5 1 0 0 1 0")),
            "b.dae": library("<library_nodes><node id='g'><instance_geometry url='a.dae#g'/></node></library_nodes>"),
        ])
        let (scene, linked, findings) = try shelf.scene(of: "main.dae")
        #expect(findings.isEmpty, "\(findings)")
        #expect(shelf.reads == ["a.dae": 1, "b.dae": 1])
        #expect(linked.paths == ["main.dae", "a.dae", "b.dae"])
        #expect(scene.geometries.map { $0.measure.bounds?.max.x } == [1, 5])
        #expect(scene.nodes[scene.roots[0]].instances.count == 2)
        #expect(SceneCensus(of: scene).instances == 3)
    }

    /// a → b → c → a: every file once, and what is a cycle of nodes is cut.
    @Test func documentsMayReferInCircles() throws {
        let nodes = { (id: String, url: String) in
            self.library("<library_nodes><node id='\(id)'><instance_node url='\(url)'/></node></library_nodes>")
        }
        let shelf = DocumentShelf([
            "main.dae": main("<instance_node url='b.dae#b'/>"),
            "b.dae": nodes("b", "c.dae#c"), "c.dae": nodes("c", "main.dae#n"),
        ])
        let (scene, linked, findings) = try shelf.scene(of: "main.dae")
        #expect(shelf.reads == ["b.dae": 1, "c.dae": 1])
        #expect(linked.paths.count == 3)
        #expect(findings.map(\.code) == [.refCycle])
        #expect(findings.first?.place.entry == "c.dae")
        #expect(SceneCensus(of: scene).nodes == 3)
    }

    @Test func aVisualSceneMayBeAnothersAndBringsItsAnimations() throws {
        let scenes =
            "<library_visual_scenes><visual_scene id='vs' name='Theirs'><node id='n'><translate sid='t'>1 0 0</translate></node></visual_scene></library_visual_scenes>"
        let animation =
            "<library_animations><animation id='a'><source id='i'><float_array id='ia' count='2'>0 1</float_array><technique_common><accessor source='#ia' count='2'><param name='TIME'/></accessor></technique_common></source><source id='o'><float_array id='oa' count='2'>0 8</float_array><technique_common><accessor source='#oa' count='2'><param name='X'/></accessor></technique_common></source><source id='k'><Name_array id='ka' count='2'>LINEAR LINEAR</Name_array><technique_common><accessor source='#ka' count='2'><param name='INTERPOLATION'/></accessor></technique_common></source><sampler id='s'><input semantic='INPUT' source='#i'/><input semantic='OUTPUT' source='#o'/><input semantic='INTERPOLATION' source='#k'/></sampler><channel source='#s' target='n/t.X'/></animation></library_animations>"
        let shelf = DocumentShelf([
            "main.dae": Document(
                body:
                    "<library_nodes><node id='n'/></library_nodes><scene><instance_visual_scene url='lib.dae#vs'/></scene>",
                node: nil
            ).text,
            "lib.dae": library(animation + scenes),
        ])
        let (scene, _, findings) = try shelf.scene(of: "main.dae")
        #expect(findings.isEmpty, "\(findings)")
        #expect(scene.name == "Theirs")
        #expect(scene.roots == [SceneIndex(1)])
        #expect(
            scene.animations.first?.channels.map(\.target) == [.transform(SceneIndex(1), at: 0, .named(.x))])
        var pose = PoseEvaluator(scene: scene, channels: scene.animations.flatMap(\.channels))
        pose.move(to: 0.5)
        #expect(pose.locals[1].transform(point: .zero) == [4, 0, 0])
    }

    @Test func whatIsNotThereIsToldWithWhereItWasLookedFor() throws {
        let shelf = DocumentShelf([
            "models/main.dae": main(
                "<instance_node url='gone.dae#x'/><instance_node url='bad.dae#x'/><instance_node url='lib.dae#none'/><instance_node url='http://h/a.dae#x'/>\(Mesh.instance)",
                body: Mesh.geometry(Self.triangle)),
            "models/bad.dae": "<html/>", "models/lib.dae": library("<library_nodes><node id='x'/></library_nodes>"),
        ])
        let (scene, _, findings) = try shelf.scene(of: "models/main.dae")
        #expect(
            findings.map(\.code) == [
                .refExternalUnresolved, .refExternalUnresolved, .refExternalUnresolved, .refExternalBlocked,
            ])
        let paths = findings.map { finding in finding.arguments.first { $0.name == "path" }?.value }
        #expect(paths == ["models/gone.dae", "models/bad.dae", "models/lib.dae", nil])
        #expect(findings.allSatisfy { $0.place.line != nil })
        #expect(findings.last?.severity == .warning)
        #expect(SceneCensus(of: scene).triangles == 1)
    }

    @Test func findingsOfAnotherDocumentNameItsEntry() throws {
        let shelf = DocumentShelf([
            "main.dae": main("<instance_node url='lib.dae#a'/><instance_node url='#gone'/>"),
            "lib.dae": library(
                "<library_nodes><node id='a' type='BONE'><instance_geometry url='#none'/></node><node id='a'/></library_nodes>",
                asset: "<asset/>"),
        ])
        let (_, _, findings) = try shelf.scene(of: "main.dae")
        let byCode = Dictionary(findings.map { ($0.code, $0.place.entry) }, uniquingKeysWith: { first, _ in first })
        #expect(byCode[.schemaInvalidEnum] == "lib.dae")
        #expect(byCode[.idDuplicate] == "lib.dae")
        #expect(byCode[.assetUnitMissing] == "lib.dae")
        #expect(byCode[.assetUpAxisMissing] == "lib.dae")
        let unresolved = findings.filter { $0.code == .refUnresolved }
        #expect(Set(unresolved.map { $0.place.entry ?? "main" }) == ["main", "lib.dae"])
    }

    @Test(arguments: ["my model.dae", "./my model.dae", "my%20model.dae", "../m/my%20model.dae", ""])
    func aDocumentMayCallItselfByItsPath(file: String) throws {
        let shelf = DocumentShelf([
            "m/my model.dae": main("<instance_geometry url='\(file)#g'/>", body: Mesh.geometry(Self.triangle))
        ])
        let (scene, linked, findings) = try shelf.scene(of: "m/my model.dae")
        #expect(findings.isEmpty, "\(findings)")
        #expect(linked.paths.count == 1)
        #expect(shelf.reads.isEmpty)
        #expect(SceneCensus(of: scene).triangles == 1)
    }

    @Test func documentsAreHeldToTheirBudgets() throws {
        let names = (0..<10).map { "d\($0).dae" }
        var texts = Dictionary(
            uniqueKeysWithValues: names.map { ($0, library("<library_nodes><node id='x'/></library_nodes>")) })
        texts["main.dae"] = main(names.map { "<instance_node url='\($0)#x'/>" }.joined())
        var options = ColladaOptions()
        options.documentLimit = 3
        let shelf = DocumentShelf(texts)
        let few = try shelf.scene(of: "main.dae", options: options)
        #expect(shelf.reads.count == 3)
        #expect(SceneCensus(of: few.scene).nodes == 4)
        #expect(few.findings.count == 7)
        options.documentLimit = 256
        options.documentBytes = Int64(texts["d0.dae"]?.utf8.count ?? 0) * 2
        let small = try shelf.scene(of: "main.dae", options: options)
        #expect(SceneCensus(of: small.scene).nodes == 3)
        #expect(small.findings.map(\.code) == Array(repeating: .refExternalBlocked, count: 8))
    }

    /// A chain as long as this, walked by calls within calls, would end the program.
    @Test func aLongChainOfDocumentsIsFollowedWithoutRecursion() throws {
        let count = 2_000
        var texts = Dictionary(
            uniqueKeysWithValues: (0..<count).map { index in
                (
                    "\(index)",
                    library(
                        "<library_nodes><node id='x'><instance_node url='\(index + 1)#x'/></node></library_nodes>")
                )
            })
        texts["main"] = main("<instance_node url='0#x'/>")
        var options = ColladaOptions()
        options.documentLimit = count + 1
        let (scene, linked, findings) = try DocumentShelf(texts).scene(of: "main", options: options)
        #expect(linked.paths.count == count + 1)
        #expect(SceneCensus(of: scene).depth == count + 1)
        #expect(findings.map(\.code) == [.refExternalUnresolved])
    }

    @Test func imagesKnowTheDocumentTheyStandIn() throws {
        let image = { (id: String) in
            "<library_images><image id='\(id)'><init_from>a.png</init_from></image></library_images>"
        }
        let effect =
            "<library_effects><effect id='e'><profile_COMMON><technique sid='t'><lambert><diffuse><texture texture='i' texcoord='u'/></diffuse></lambert></technique></profile_COMMON></effect></library_effects>"
        let shelf = DocumentShelf([
            "main.dae": main(
                "",
                body: image("i")
                    + "<library_materials><material id='m'><instance_effect url='lib/lib.dae#e'/></material></library_materials>"
            ),
            "lib/lib.dae": library(effect + image("i")),
        ])
        let (scene, _, findings) = try shelf.scene(of: "main.dae")
        #expect(findings.map(\.code) == [.textureDirectImage])
        #expect(findings.first?.place.entry == "lib/lib.dae")
        #expect(scene.images.map(\.base) == ["main.dae", "lib/lib.dae"])
        #expect(scene.materials.first?.images == [SceneIndex(1)])
    }

    @Test func anImageOf15MayBeInAnotherDocument() throws {
        let texture = { (url: String) in
            "<library_effects><effect id='e'><profile_COMMON><newparam sid='s'><sampler2D><instance_image url='\(url)'/></sampler2D></newparam><technique sid='t'><lambert><diffuse><texture texture='s' texcoord='u'/></diffuse></lambert></technique></profile_COMMON></effect></library_effects><library_materials><material id='m'><instance_effect url='#e'/></material></library_materials><library_images><image id='i'/></library_images>"
        }
        for (url, image, codes) in [
            ("lib.dae#i", 1, []), ("#i", 0, []), ("gone.dae#i", nil, [.refExternalUnresolved]),
        ] as [(String, Int?, [FindingCode])] {
            var document = Document.version15
            document.body = texture(url)
            let shelf = DocumentShelf([
                "main.dae": document.text, "lib.dae": library("<library_images><image id='i'/></library_images>"),
            ])
            let (scene, _, findings) = try shelf.scene(of: "main.dae")
            #expect(scene.materials.first?.images == (image.map { [SceneIndex($0)] } ?? []), "\(url)")
            #expect(findings.map(\.code).filter { $0 != .imageEmptyURI } == codes, "\(url)")
        }
    }

    @Test func anotherErrorThanADocumentsOwnEndsTheReading() throws {
        struct Stopped: Error {}
        let reading = try ColladaParser.read(Array(main("<instance_node url='a.dae#x'/>").utf8))
        var options = ColladaOptions()
        options.documentPath = "main.dae"
        let loader = DocumentLoader(
            locate: { file, _ in .found(path: file, bytes: 0, remark: nil) }, read: { _, _ in throw Stopped() })
        #expect(throws: Stopped.self) { try reading.document.linked(options: options, by: loader) }
    }

    // MARK: - By name

    @Test func whatHasNoSuchIDIsFoundByItsOnlyName() {
        let nodes = "<node id='a' name='Arm'>\(Mesh.instance)</node><node id='b' name='Leg'/><node id='c' name='Leg'/>"
        for (url, codes, reached) in [
            ("#Arm", [.refByName], 2), ("Arm", [.refByName], 2), ("#A%72m", [.refByName], 2),
            ("#Leg", [.refUnresolved], 1), ("#Hand", [.refUnresolved], 1), ("#a", [], 2),
        ] as [(String, [FindingCode], Int)] {
            let outcome = Document().with(
                Mesh.geometry(Self.triangle) + "<library_nodes>\(nodes)</library_nodes>",
                node: "<instance_node url='\(url)'/>")
            #expect(outcome.codes == codes, "\(url)")
            #expect(SceneCensus(of: outcome.scene).nodes == reached, "\(url)")
        }
    }

    @Test func aNameOfAnotherKindIsNotTaken() {
        let outcome = Document().with(
            "<library_nodes><node id='x' name='Box'/></library_nodes>", node: "<instance_geometry url='#Box'/>")
        #expect(outcome.codes == [.refUnresolved])
        let both = Document().with(
            "<library_geometries><geometry id='g' name='Box'/></library_geometries><library_nodes><node id='x' name='Box'/></library_nodes>",
            node: "<instance_geometry url='#Box'/>")
        #expect(both.codes.contains(.refByName))
        #expect(both.scene.nodes[both.scene.roots[0]].instances.count == 1)
    }

    @Test func manyNamesakesAndManyMissesTakeLinearTime() {
        let count = 50_000
        let nodes = String(repeating: "<node id='x' name='N'/>", count: count)
        let outcome = Document().with(
            "<library_nodes>\(nodes)</library_nodes>",
            node: String(repeating: "<instance_node url='#N'/><instance_geometry url='#x'/>", count: count))
        #expect(outcome.failure == nil)
        #expect(SceneCensus(of: outcome.scene).nodes == 1)
    }

    // MARK: - Physics and kinematics

    @Test func aConstraintMayHangOnAnotherDocumentsNode() throws {
        let shelf = DocumentShelf([
            "main.dae": main(
                "",
                body:
                    "<library_physics_scenes><physics_scene id='s'><instance_physics_model url='lib.dae#m'/><technique_common/></physics_scene></library_physics_scenes>"
            ),
            "lib.dae": library(
                "<library_nodes><node id='n'/></library_nodes><library_physics_models><physics_model id='m'>"
                    + ["main.dae#n", "#n", "main.dae#none"].map {
                        "<rigid_constraint sid='c'><ref_attachment rigid_body='\($0)'/><attachment/><technique_common/></rigid_constraint>"
                    }.joined() + "</physics_model></library_physics_models>"),
        ])
        let (scene, linked, findings) = try shelf.scene(of: "main.dae")
        #expect(findings.map(\.code) == [.physicsRefUnresolved])
        #expect(linked.document.nodes.map(\.position.document) == [0, 1])
        let anchors = scene.physics.models.first?.constraints.map(\.reference.anchor)
        #expect(anchors == [.node(SceneIndex(0)), .node(SceneIndex(1)), .lost])
    }

    /// The first document's material comes last of what was looked up before.
    @Test func aNodeOfPhysicsIsLookedForInItsOwnDocument() throws {
        let model =
            "<library_physics_models><physics_model id='m'><rigid_constraint sid='c'><ref_attachment rigid_body='#n'/><attachment/><technique_common/></rigid_constraint></physics_model></library_physics_models>"
        let shelf = DocumentShelf([
            "main.dae": main("<instance_controller url='lib.dae#none'/>", body: model),
            "lib.dae": library(
                "<library_materials><material id='m'><instance_effect url='#e'/></material></library_materials><library_effects><effect id='e'/></library_effects>"
            ),
        ])
        let (scene, _, findings) = try shelf.scene(of: "main.dae")
        #expect(findings.map(\.code) == [.refExternalUnresolved], "\(findings)")
        #expect(scene.physics.models.first?.constraints.first?.reference.anchor == .node(SceneIndex(0)))
    }

    @Test func bodiesAndRobotsOfOneIDAreEachDocumentsOwn() throws {
        let bodies = { (sids: [String]) in
            "<library_physics_models><physics_model id='p'>"
                + sids.map { "<rigid_body sid='\($0)'><technique_common/></rigid_body>" }.joined()
                + "<rigid_constraint sid='c'><ref_attachment rigid_body='p/b'/><attachment/><technique_common/></rigid_constraint></physics_model></library_physics_models>"
        }
        let robot = { (joints: [String]) in
            "<library_kinematics_models><kinematics_model id='r'><technique_common>"
                + joints.map { "<joint sid='\($0)'><revolute sid='a'><axis>0 0 1</axis></revolute></joint>" }.joined()
                + "<link><attachment_full joint='r/j'><link/></attachment_full></link></technique_common></kinematics_model></library_kinematics_models>"
        }
        var document = Document.version15
        document.node = nil
        document.body =
            bodies(["b"]) + robot(["j"])
            + "<library_physics_scenes><physics_scene id='s'><instance_physics_model url='lib.dae#p'/><technique_common/></physics_scene></library_physics_scenes>"
        var other = Document.version15
        other.node = nil
        other.body = bodies(["a", "b"]) + robot(["i", "j"])
        let (scene, _, findings) = try DocumentShelf(["main.dae": document.text, "lib.dae": other.text])
            .scene(of: "main.dae")
        #expect(findings.map(\.code) == [.sceneMissing] || findings.isEmpty, "\(findings)")
        let anchors = scene.physics.models.flatMap(\.constraints).map(\.reference.anchor)
        #expect(
            anchors == [
                .body(.init(model: SceneIndex(0), body: SceneIndex(0))),
                .body(.init(model: SceneIndex(1), body: SceneIndex(1))),
            ])
        let joints = scene.kinematics.models.map { $0.links.first?.attachments.first?.joint }
        #expect(joints == [SceneIndex(0), SceneIndex(1)])
    }
}

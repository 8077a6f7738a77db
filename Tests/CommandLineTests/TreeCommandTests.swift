import TestSupport
import Testing

@Suite struct TreeCommandTests {
    @Test func theGraphIsDrawnWithWhatHangsOnEachNode() throws {
        let outcome = try Program.run(["tree", "Fixtures/bundles/walker.zip"])
        #expect(outcome.code == 0)
        #expect(
            outcome.text == """
                Scene   Z_UP, a unit is 1 m
                ├─ Rig
                │  ├─ hips (joint)   matrix, to 0 0 0
                │  │  └─ chest (joint)   matrix, to 0 0.6 0
                │  │     └─ head (joint)   matrix, to 0 0.6 0
                │  └─ Body
                │        ▸ skin Rig, 3 joints · Skin, Cloth
                ├─ Sun   matrix, to 2 -2 4
                │     ▸ directional light SunLight
                └─ View   matrix, to 3 -3 1.5
                      ▸ camera ViewCamera

                """)
    }

    @Test func marksAreOfTheCharactersThatTheLocaleHas() throws {
        let outcome = try Program.run(["tree", "Fixtures/bundles/walker.zip"], environment: ["LC_ALL": "C"])
        #expect(outcome.text.utf8.allSatisfy { $0 < 0x80 })
        #expect(outcome.text.contains("|  |  `- chest (joint)   matrix, to 0 0.6 0\n"), "\(outcome.text)")
        let inspection = try Program.run(["inspect", "Fixtures/bundles/walker.zip"], environment: ["LC_ALL": "POSIX"])
        #expect(inspection.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: [
        ["inspect", "--full"], ["tree"], ["ls"], ["resolve"], ["validate"], ["convert", "-o", "a×b–c….glb"],
    ])
    func namesStayAsTheyAreWrittenWhereTheMarksAreOthers(command: [String]) throws {
        let folder = try TemporaryFolder()
        let name = "a×b–c…"
        let document = modelDocument(image: name + ".png").replacing("id=\"n\"", with: "id=\"n\" name=\"\(name)\"")
        try folder.write(document, to: name + ".dae")
        let texts = try ["C", "C.UTF-8"].map { locale in
            _ = try Program.run(["-f", "a×b–c….glb"], folder: folder.path, program: "rm")
            let outcome = try Program.run(
                command + [name + ".dae"], environment: ["LC_ALL": locale], folder: folder.path)
            #expect(outcome.text.contains(name), "\(outcome)")
            return outcome.text.replacing(name, with: "")
        }
        // An excerpt of the document is not of this program, nor is what a finding says.
        if command != ["validate"], command != ["resolve"] {
            #expect(texts[0].utf8.allSatisfy { $0 < 0x80 }, "\(texts[0])")
            #expect(texts[0] != texts[1])
        }
    }

    private static let chain: String = {
        let turns = (1...9).map { "<rotate>0 0 1 \($0)</rotate>" }.joined()
        let binds = (0..<6).map { "<instance_material symbol=\"s\($0)\" target=\"#M\($0 % 2)\"/>" }.joined()
        return """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
            <library_effects><effect id="E"><profile_COMMON><technique sid="t"><lambert/></technique></profile_COMMON>
            </effect></library_effects><library_materials><material id="M0"><instance_effect url="#E"/></material>
            <material id="M1"><instance_effect url="#E"/></material></library_materials>
            <library_geometries><geometry id="G"><mesh/></geometry></library_geometries>
            <library_visual_scenes><visual_scene id="s"><node id="n"><translate>400.113 463.264 -431.078</translate>
            \(turns)<instance_geometry url="#G"><bind_material><technique_common>\(binds)</technique_common>
            </bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#s"/></scene></COLLADA>
            """
    }()

    @Test func materialsAreNamedOnceAndLongChainsByWhereTheyLead() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(Self.chain, to: "a.dae")
        let text = try Program.run(["tree", source]).text
        #expect(text.contains("└─ n   10 transforms, to 400 463 -431\n"), "\(text)")
        #expect(text.contains("0 triangles · M0 ×3, M1 ×3\n"), "\(text)")
        let exact = try Program.run(["tree", "--exact", source]).text
        #expect(exact.contains("└─ n   translate 400.113 463.264 -431.078 · rotate z 1° · "), "\(exact)")
    }

    @Test(
        arguments: [
            (["--color", "always"], [:], true), (["--color", "never"], ["FORCE_COLOR": "1"], false), ([], [:], false),
            ([], ["CLICOLOR_FORCE": "1"], true), ([], ["FORCE_COLOR": "3"], true), ([], ["CLICOLOR_FORCE": "0"], false),
            ([], ["FORCE_COLOR": "1", "NO_COLOR": "1"], false), (["--color", "always"], ["NO_COLOR": "1"], true),
        ] as [([String], [String: String], Bool)])
    func coloursAreWhereTheyAreAskedFor(_ options: [String], _ environment: [String: String], _ isColored: Bool) throws
    {
        // Whoever runs the tests may have set it; empty it says nothing.
        let bare = ["NO_COLOR": "", "FORCE_COLOR": "", "CLICOLOR_FORCE": ""]
        for command in ["tree", "inspect", "validate", "ls"] {
            let outcome = try Program.run(
                [command] + options + ["Fixtures/bundles/walker.zip"], environment: bare.merging(environment) { $1 })
            #expect(outcome.text.contains("\u{1B}[") == isColored, "\(command)")
        }
        let explained = try Program.run(
            ["explain"] + options + ["IO_ERROR"], environment: bare.merging(environment) { $1 })
        #expect(explained.text.contains("\u{1B}[") == isColored)
    }

    @Test func aNodeThatIsInstancedTwiceIsDrawnOnce() throws {
        let outcome = try Program.run(["tree", "Fixtures/documents/instance-node-dag.dae"])
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("(drawn above)"))
        #expect(outcome.text.split(separator: "\n").count < 40)
    }

    @Test func theDepthCutsTheDrawingAndSaysSo() throws {
        let outcome = try Program.run(["tree", "--depth", "1", "Fixtures/bundles/chair.zip"])
        #expect(outcome.text.contains("└─ 6 children not drawn"))
        #expect(!outcome.text.contains("Leg1"))
        #expect(try Program.run(["tree", "--depth", "0", "Fixtures/bundles/chair.zip"]).code == 64)
    }

    @Test func jsonIsAFlatListOfNodes() throws {
        let outcome = try Program.run(["tree", "--format", "json", "--jsonl", "Fixtures/bundles/lamp.zae"])
        #expect(outcome.code == 0)
        #expect(outcome.text.split(separator: "\n").count == 1)
        #expect(
            outcome.text.contains(#""transforms":[{"kind":"matrix","values":[1,0,0,0,0,1,0,0,0,0,1,0.22,0,0,0,1]}]"#))
    }

    @Test func theDepthCutsTheListOfNodesToo() throws {
        let outcome = try Program.run([
            "tree", "--format", "json", "--jsonl", "--depth", "1", "Fixtures/bundles/chair.zip",
        ])
        #expect(outcome.code == 0)
        #expect(outcome.text.contains(#""children":[],"childrenNotShown":6"#))
        #expect(!outcome.text.contains("Leg1"))
    }

    @Test func whereSystemsMeetTheNodeThatConvertsSaysSo() throws {
        let document = """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
            <library_nodes><asset><unit meter="0.5"/></asset><node id="small"/></library_nodes>
            <library_visual_scenes><visual_scene id="s"><node id="n"><instance_node url="#small"/></node></visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#s"/></scene></COLLADA>
            """
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(document.utf8), to: "small.dae")
        let json = try Program.run(["tree", "--format", "json", "--jsonl", path])
        #expect(json.code == 0)
        #expect(json.text.contains(#""role":{"kind":"conversion","metersPerUnit":0.5,"upAxis":"Y_UP"}"#))
        #expect(json.text.contains(#""role":{"kind":"element"}"#))
        #expect(try Program.run(["tree", path]).text.contains("└─ converted from "))
    }

    @Test func aSourceThatFailsIsToldLikeElsewhere() throws {
        let outcome = try Program.run(["tree", "missing.dae"])
        #expect(outcome.code == 3)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "dae: missing.dae: no such file or folder [SOURCE_NOT_FOUND]\n")
    }

    // MARK: - Kinematics

    @Test func aRobotIsDrawnAsLinksAndJoints() throws {
        let outcome = try Program.run(["tree", "--kinematics", "Fixtures/documents/two-joint-robot.dae"])
        #expect(outcome.code == 0)
        #expect(
            outcome.text == """
                Arm   model, 4 links, 3 joints   ▸ node Robot
                └─ base
                   └─ —Turn (revolute, axis z, -180…180°, at 30°, 90°/s)→ upper   ▸ node Upper
                      ├─ —reach (prismatic, axis x, -0.5…1.5 units, at 0.25 units, locked)→ lower   ▸ node Lower
                      └─ —finger (prismatic, axis -y, 0…0.04 units)→ tip
                   finger follows reach by formula half
                   collide with nothing: base
                moving   articulated system, motion of standing, driven by GenericRobot
                   ▸ manipulator hand, base to lower, gripping by finger
                standing   articulated system, kinematics of Arm

                """)
    }

    @Test func theDepthCutsARobotToo() throws {
        let outcome = try Program.run(
            ["tree", "--kinematics", "--depth", "2", "Fixtures/documents/two-joint-robot.dae"])
        #expect(outcome.text.contains("      └─ 2 links not drawn\n"))
        #expect(!outcome.text.contains("→ lower"))
    }

    @Test func aDocumentWithoutRobotsSaysSo() throws {
        let outcome = try Program.run(["tree", "--kinematics", "Fixtures/documents/triangles.dae"])
        #expect(outcome.code == 0)
        #expect(outcome.text == "no kinematics in this document\n")
    }

    /// Golden: `DAE_UPDATE_GOLDEN=1` writes it anew.
    @Test func aRobotIsDataToo() throws {
        let outcome = try Program.run(
            ["tree", "--kinematics", "--format", "json", "Fixtures/documents/two-joint-robot.dae"])
        let golden = "documents/two-joint-robot.kinematics.json"
        if Repository.environment("DAE_UPDATE_GOLDEN") == "1" {
            try Repository.write(Array(outcome.text.utf8), fixture: golden)
        }
        #expect(try outcome.text == String(decoding: Repository.fixture(golden), as: UTF8.self))
    }
}

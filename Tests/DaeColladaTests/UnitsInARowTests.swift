import DaeCollada
import DaeDiagnostics
import Testing

/// Units of one name in a row are one record while they are read: their order among others must stay.
@Suite struct UnitsInARowTests {
    @Test func nodesKeepTheirOrderAmongOtherContents() throws {
        let outcome = Document().with(
            "",
            node: """
                <node id='a'/><node id='b'><node id='b1'/><node id='b2'/></node><instance_camera url='#c'/>
                <node id='c'/><extra/><node id='d'/>
                """)
        let node = try #require(outcome.document.nodes.first { $0.id == "n" })
        #expect(node.contents.map(ContentKind.init) == [.node, .node, .instanceCamera, .node, .node])
        #expect(node.children.map { outcome.document.nodes[$0].id } == ["a", "b", "c", "d"])
        let second = try #require(outcome.document.nodes.first { $0.id == "b" })
        #expect(second.children.map { outcome.document.nodes[$0].id } == ["b1", "b2"])
        #expect(outcome.document.visualScenes.first?.nodes.count == 1)
    }

    @Test(arguments: [
        ("", "node"), ("<node/>", "node[2]"), ("<node/><node/><node/>", "node[4]"),
        ("<node/><instance_camera url='#c'/><node/><extra/><node/>", "node[4]"),
        ("<node><node/><node/></node><node/>", "node[3]"),
    ])
    func aNodeIsNumberedAmongThoseBeforeIt(before: String, step: String) throws {
        let outcome = Document().with("", node: before + "<node><translate>1 x 3</translate></node>")
        let finding = try #require(outcome.findings.first { $0.place.path?.hasSuffix("/translate") == true })
        let above = "/COLLADA/library_visual_scenes/visual_scene[@id='vs']/node[@id='n']"
        #expect(finding.place.path == "\(above)/\(step)/translate")
    }

    @Test func jointsAndFormulasKeepTheirOrderAmongInstances() throws {
        let outcome = Document.version15.with(
            """
            <library_kinematics_models><kinematics_model id='m'><technique_common>
            <joint sid='a'/><joint sid='b'/><instance_joint sid='c' url='#j'/><joint sid='d'/>
            <formula id='e'/><formula id='f'/><instance_formula sid='g' url='#e'/><formula id='h'/>
            </technique_common></kinematics_model></library_kinematics_models>
            """)
        let document = outcome.document
        let model = try #require(document.kinematicsModels.first)
        let joints = model.joints.map { joint in
            switch joint {
            case .own(let place): document.joints[place].sid
            case .instance(let sid, name: _, _): sid
            }
        }
        #expect(joints == ["a", "b", "c", "d"])
        let formulas = model.formulas.map { formula in
            switch formula {
            case .own(let place): document.formulas[place].id
            case .instance(let sid, name: _, _, _): sid
            }
        }
        #expect(formulas == ["e", "f", "g", "h"])
    }

    @Test func animationsKeepTheirOrderWithinOthers() throws {
        let outcome = Document().with(
            """
            <library_animations><animation id='a'><animation id='b'/><animation id='c'><animation id='d'/></animation>
            <animation id='e'/></animation><animation id='f'/></library_animations>
            """)
        let animations = outcome.document.animations
        func ids(within id: String) throws -> [String?] {
            try #require(animations.first { $0.id == id }).children.map { animations[$0].id }
        }
        #expect(try ids(within: "a") == ["b", "c", "e"])
        #expect(try ids(within: "c") == ["d"])
        #expect(try ids(within: "f") == [])
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// What is written in feet with z up, within a document in metres with y up, means what it means written in those.
@Suite struct SystemRoundTests {
    private typealias Part = SystemRoundDocument.Part

    private static let parts: [Set<SystemRoundDocument.Part>] =
        Part.allCases.map { [$0] } + [
            [.animations, .nodes], [.bodies, .physicsScenes], [.joints, .models, .systems], Set(Part.allCases),
        ]

    private func read(_ parts: Set<SystemRoundDocument.Part>) -> Outcome {
        Outcome(SystemRoundDocument(feet: parts).document)
    }

    @Test(arguments: parts)
    func aPartInFeetMeansTheSameAsInMetres(parts: Set<SystemRoundDocument.Part>) {
        let hand = read([])
        let mixed = read(parts)
        // The arm's links close a circle, so that both ends of an attachment are there.
        #expect(Set(hand.codes) == [.kinematicsExtension, .kinematicsLinkCycle])
        #expect(
            mixed.codes.filter { !hand.codes.contains($0) }
                == Array(repeating: FindingCode.assetNestedUnit, count: parts.count))
        let told = mixed.findings.filter { $0.code == .assetNestedUnit }
        #expect(told.allSatisfy { $0.message.hasSuffix("it is converted") })
        #expect(hand.scene.physics.models.first?.bodies.first?.properties.shapes.count == 5)
        #expect(hand.scene.kinematics.active.first?.axes.count == 3)
        expectSame(mixed.scene.physics, hand.scene.physics)
        expectSame(mixed.scene.kinematics, hand.scene.kinematics)
        expectSame(mixed.scene.cameras, hand.scene.cameras)
        expectSame(mixed.scene.lights, hand.scene.lights)
        expectSamePoses(mixed.scene, hand.scene, areNodesTurned: parts.contains(.nodes))
    }

    private func expectSame(_ one: Any, _ two: Any, sourceLocation: SourceLocation = #_sourceLocation) {
        let differences = NumberTree(one).differences(from: NumberTree(two))
        #expect(differences == [], sourceLocation: sourceLocation)
    }

    private func expectSamePoses(_ mixed: Scene, _ hand: Scene, areNodesTurned: Bool) {
        #expect(mixed.channels.count == 15 && hand.channels.count == 15)
        var one = PoseEvaluator(scene: mixed, channels: mixed.channels)
        var two = PoseEvaluator(scene: hand, channels: hand.channels)
        #expect(one.misfits == [] && two.misfits == [])
        let feet = CoordinateSystem(metersPerUnit: 0.3048, upAxis: .z)
        let viewer = CoordinateSystem(metersPerUnit: 0.3048, upAxis: .y)
        for time in [-1, 0, 0.25, 0.5, 0.75, 1, 2] {
            one.move(to: time)
            two.move(to: time)
            let (worlds, expected) = (one.worlds(in: mixed), two.worlds(in: hand))
            for (index, node) in hand.nodes.enumerated() {
                guard let world = worlds[index], let other = expected[index] else {
                    Issue.record("\(node.id ?? "") has no place")
                    continue
                }
                // A lookat's own axes are the viewer's, whatever is up; all else has the axes of its place.
                let own = node.id == "eye" ? viewer : feet
                let back = areNodesTurned ? hand.coordinateSystem.conversion(to: own) : .identity
                let differences = NumberTree((world * back).rows).differences(from: NumberTree(other.rows))
                #expect(differences == [], "\(node.id ?? "") at \(time)")
            }
            for camera in hand.cameras.indices {
                expectSame(one.camera(SceneIndex(camera), in: mixed), two.camera(SceneIndex(camera), in: hand))
            }
            expectSame(one.light(SceneIndex(0), in: mixed), two.light(SceneIndex(0), in: hand))
        }
    }

    @Test func theHandWrittenDocumentMovesWhatItSays() {
        let scene = read([]).scene
        var pose = PoseEvaluator(scene: scene, channels: scene.channels)
        let still = pose.locals
        pose.move(to: 0.5)
        for (index, node) in scene.nodes.enumerated() where node.id != "inner" {
            #expect(pose.locals[index] != still[index], "\(node.id ?? "")")
        }
        #expect(pose.camera(SceneIndex(0), in: scene).near == (3.048 + 6.096) / 2)
    }

    // MARK: - Other documents

    @Test func whatAnotherDocumentLendsOfPhysicsAndLightIsConverted() throws {
        let asset = "<asset><unit meter='0.25'/><up_axis>Z_UP</up_axis></asset>"
        var main = Document.version15
        main.asset = "<asset><unit meter='1'/><up_axis>Y_UP</up_axis></asset>"
        main.node = nil
        main.body =
            "<library_visual_scenes><visual_scene id='vs'><node id='n'><instance_light url='lib.dae#lamp'/></node></visual_scene></library_visual_scenes><scene><instance_physics_scene url='lib.dae#ps'/><instance_visual_scene url='#vs'/></scene>"
        var library = Document.version15
        library.asset = asset
        library.node = nil
        library.body =
            "<library_lights><light id='lamp'><technique_common><point><color>1 1 1</color><linear_attenuation>1</linear_attenuation></point></technique_common></light></library_lights><library_physics_models><physics_model id='pm'><rigid_body sid='b'><technique_common><shape><box><half_extents>4 8 12</half_extents></box></shape></technique_common></rigid_body></physics_model></library_physics_models><library_physics_scenes><physics_scene id='ps'><instance_physics_model url='#pm'/><technique_common><gravity>0 0 -40</gravity></technique_common></physics_scene></library_physics_scenes>"
        let shelf = DocumentShelf(["main.dae": main.text, "lib.dae": library.text])
        let (scene, _, findings) = try shelf.scene(of: "main.dae")
        #expect(findings.map(\.code) == [.assetNestedUnit])
        #expect(scene.lights.first?.source == .point(.init(linear: 4)))
        #expect(scene.physics.scenes.first?.gravity == [0, -10, 0])
        #expect(
            scene.physics.models.first?.bodies.first?.properties.shapes.first?.form
                == .primitive(.box(halfExtents: [1, 3, 2])))
    }

    @Test func aFormulasNumbersStayAndThatIsTold() {
        var document = Document.version15
        document.asset = "<asset><unit meter='1'/><up_axis>Y_UP</up_axis></asset>"
        let formula =
            "<formula sid='f'><target><param>p</param></target><technique_common><math xmlns='http://www.w3.org/1998/Math/MathML'><cn>2</cn></math></technique_common></formula>"
        func read(_ asset: String) -> Outcome {
            document.with(
                "<library_kinematics_models><kinematics_model id='k'>\(asset)<technique_common><newparam sid='p'><float>1</float></newparam>\(formula)</technique_common></kinematics_model></library_kinematics_models>"
            )
        }
        let told = read(Self.quarter).findings.filter { $0.code == .assetNestedUnit }
        #expect(told.map { $0.arguments.first?.value } == ["kinematics_model", "formula"])
        #expect(told.last?.message.hasSuffix("its numbers stay as they are") == true)
        #expect(read("").first(.assetNestedUnit) == nil)
    }

    // MARK: - Meshes beside what is converted

    private static let quarter = "<asset><unit meter='0.25'/><up_axis>Z_UP</up_axis></asset>"

    private func document(
        models: String = "", geometries: String = "", controllers: String = "", nodes: String = "", content: String
    ) -> Outcome {
        var document = Document()
        document.asset = "<asset><unit meter='1'/><up_axis>Y_UP</up_axis></asset>"
        document.node = nil
        document.body =
            "<library_geometries>\(geometries)<geometry id='g'><mesh>\(Mesh.source("pos", "0 0 0 4 0 0 4 8 0 0 8 12"))\(Mesh.vertices)<triangles count='1'>\(Mesh.input)<p>1 2 3</p></triangles></mesh></geometry></library_geometries>"
            + content
            + "<library_visual_scenes>\(nodes)<visual_scene id='vs'><node id='n'><node id='j' sid='j'/><instance_controller url='#c'/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#vs'/></scene>"
        return Outcome(document.text)
    }

    @Test(arguments: [("", ""), (quarter, ""), ("", quarter), (quarter, quarter)])
    func aBodysMeshKeepsItsNumbersAndItsMatrixTakesThemOver(models: String, geometries: String) throws {
        let outcome = document(
            geometries: geometries,
            content:
                "<library_physics_models>\(models)<physics_model id='pm'><rigid_body sid='b'><technique_common><shape><instance_geometry url='#g'/><translate>8 0 4</translate></shape></technique_common></rigid_body></physics_model></library_physics_models>"
        )
        let shape = try #require(outcome.scene.physics.models.first?.bodies.first?.properties.shapes.first)
        #expect(shape.form == .geometry(SceneIndex(0)))
        let point: SIMD3<Double> = geometries.isEmpty ? [4, 8, 12] : [1, 3, -2]
        let offset: SIMD3<Double> = models.isEmpty ? [8, 0, 4] : [2, 1, 0]
        #expect(shape.matrix.transform(point: [4, 8, 12]) == point + offset)
    }

    private static let skin =
        "<controller id='c'><skin source='#g'><source id='jn'><Name_array id='jna' count='1'>j</Name_array><technique_common><accessor source='#jna' count='1'><param name='JOINT' type='name'/></accessor></technique_common></source><source id='ib'><float_array id='iba' count='16'>1 0 0 -4 0 1 0 0 0 0 1 8 0 0 0 1</float_array><technique_common><accessor source='#iba' count='1' stride='16'><param type='float4x4'/></accessor></technique_common></source><joints><input semantic='JOINT' source='#jn'/><input semantic='INV_BIND_MATRIX' source='#ib'/></joints></skin></controller>"

    /// At rest, where each joint stands where its inverse bind matrix says, a skin draws its mesh as it is.
    @Test(arguments: [("", ""), (quarter, ""), ("", quarter), (quarter, quarter)])
    func aSkinsInverseBindMatrixEndsInTheSystemOfItsJoint(controllers: String, nodes: String) throws {
        let outcome = document(
            nodes: nodes, content: "<library_controllers>\(controllers)\(Self.skin)</library_controllers>")
        let joint = try #require(outcome.scene.nodes.firstIndex { $0.id == "j" })
        let world = try #require(PoseEvaluator(scene: outcome.scene, channels: []).worlds(in: outcome.scene)[joint])
        guard case .skin(let skin)? = outcome.scene.controllers.first?.kind else {
            Issue.record("no skin")
            return
        }
        // The joint stands at the origin, so that what the matrix takes off stays taken off.
        let drawn = (world * skin.inverseBinds[0] * skin.bindShape).transform(point: [4, 8, 12])
        // A skin and a mesh without a system of their own are in that of the node that shows them.
        let expected: SIMD3<Double> = nodes.isEmpty ? (controllers.isEmpty ? [0, 8, 20] : [3, 10, 12]) : [0, 5, -2]
        #expect(drawn == expected)
    }

    @Test func aJointInTwoSystemsIsTold() {
        var document = Document()
        document.asset = "<asset><unit meter='1'/><up_axis>Y_UP</up_axis></asset>"
        document.node = nil
        document.body =
            Mesh.geometry("") + "<library_controllers>\(Self.skin)</library_controllers>"
            + "<library_visual_scenes><visual_scene id='vs'><node id='one'><node sid='j'/></node><node id='two'>\(Self.quarter)<node sid='j'/></node><node><instance_controller url='#c'><skeleton>#one</skeleton></instance_controller><instance_controller url='#c'><skeleton>#two</skeleton></instance_controller></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#vs'/></scene>"
        let outcome = Outcome(document.text)
        let told = outcome.findings.filter { $0.code == .assetNestedUnit }
        #expect(told.count == 2)
        #expect(told.last?.message.hasSuffix("the first is reckoned with") == true, "\(told)")
    }

    @Test func aMorphIsDrawnInTheSystemOfItsBase() {
        let morph =
            "<controller id='c'><morph source='#g'><source id='m'><IDREF_array id='ma' count='1'>h</IDREF_array></source><source id='w'><float_array id='wa' count='1'>0</float_array></source><targets><input semantic='MORPH_TARGET' source='#m'/><input semantic='MORPH_WEIGHT' source='#w'/></targets></morph></controller>"
        let target = "<geometry id='h'>\(Self.quarter)<mesh>\(Mesh.source())\(Mesh.vertices)</mesh></geometry>"
        let outcome = document(
            geometries: target, content: "<library_controllers>\(Self.quarter)\(morph)</library_controllers>")
        // The base is in metres, whatever the controller is in.
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [0, 0, 0], max: [4, 8, 12]))
        #expect(
            outcome.findings.last { $0.code == .assetNestedUnit }?.message.hasSuffix("its numbers stay as they are")
                == true)
    }
}

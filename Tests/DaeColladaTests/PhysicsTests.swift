import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

@Suite struct PhysicsTests {
    private func model(_ technique: String, _ version: Document = Document(), body: String = "") -> Outcome {
        version.with(
            "<library_physics_models><physics_model id='pm' name='M'><rigid_body sid='b' name='B'>"
                + "<technique_common>\(technique)</technique_common>\(body)</rigid_body></physics_model></library_physics_models>"
        )
    }

    private static let shapes: [(String, PhysicsPrimitive)] = [
        ("<plane><equation>0 1 0 -2</equation></plane>", .plane(normal: [0, 1, 0], offset: -2)),
        ("<box><half_extents>1 2 3</half_extents></box>", .box(halfExtents: [1, 2, 3])),
        ("<sphere><radius>4</radius></sphere>", .sphere(radius: 4)),
        ("<cylinder><height>5</height><radius>1 2</radius></cylinder>", .cylinder(height: 5, radii: [1, 2])),
        ("<cylinder><height>5</height><radius>1</radius></cylinder>", .cylinder(height: 5, radii: [1, 1])),
        ("<capsule><height>5</height><radius>1 2</radius></capsule>", .capsule(height: 5, radii: [1, 2], cap: nil)),
        ("<capsule><height>5</height><radius>1 2 3</radius></capsule>", .capsule(height: 5, radii: [1, 3], cap: 2)),
        (
            "<tapered_cylinder><height>5</height><radius1>1 2</radius1><radius2>3 4</radius2></tapered_cylinder>",
            .taperedCylinder(height: 5, upper: [1, 2], lower: [3, 4])
        ),
        (
            "<tapered_capsule><height>5</height><radius1>1 2</radius1><radius2>0 0</radius2></tapered_capsule>",
            .taperedCapsule(height: 5, upper: [1, 2], lower: [0, 0])
        ),
        ("<ellipsoid><size>1 2 3</size></ellipsoid>", .ellipsoid(size: [1, 2, 3])),
    ]

    @Test(arguments: shapes.indices)
    func everyVolumeIsReadInBothVersions(index: Int) {
        let (text, primitive) = Self.shapes[index]
        for version in [Document(), Document.version15] {
            let outcome = model("<shape>\(text)<translate>1 0 0</translate><rotate>0 0 1 90</rotate></shape>", version)
            let shape = outcome.scene.physics.models.first?.bodies.first?.properties.shapes.first
            #expect(shape?.form == .primitive(primitive), "\(text)")
            #expect(shape?.matrix.rows == [0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
            let isCircle = text.contains("<cylinder><height>5</height><radius>1</radius>")
            #expect(outcome.codes == (isCircle ? [.quirkShapeRadius] : []), "\(outcome.findings)")
        }
    }

    private static let oddShapes: [(String, FindingCode, isKept: Bool)] = [
        ("<box><half_extents>1 0 3</half_extents></box>", .physicsShapeInvalid, true),
        ("<sphere><radius>-4</radius></sphere>", .physicsShapeInvalid, true),
        ("<plane><equation>0 0 0 1</equation></plane>", .physicsShapeInvalid, true),
        ("<cylinder><height>0</height><radius>1 2</radius></cylinder>", .physicsShapeInvalid, true),
        (
            "<tapered_capsule><height>5</height><radius1>0 0</radius1><radius2>0 0</radius2></tapered_capsule>",
            .physicsShapeInvalid, true
        ),
        ("<sphere/>", .schemaMissingElement, false),
        ("<sphere><radius>x</radius></sphere>", .schemaInvalidNumber, false),
        ("<box><half_extents>1 2</half_extents></box>", .schemaListLength, false), ("", .schemaMissingElement, false),
        ("<instance_geometry url='#no'/>", .physicsRefUnresolved, false),
        ("<instance_geometry url='#n'/>", .refWrongType, false),
    ]

    @Test(arguments: oddShapes.indices)
    func anOddVolumeIsToldAndItsBodyStays(index: Int) {
        let (text, code, isKept) = Self.oddShapes[index]
        let outcome = model("<mass>2</mass><shape>\(text)</shape>")
        #expect(outcome.codes.contains(code), "\(text): \(outcome.findings)")
        let properties = outcome.scene.physics.models.first?.bodies.first?.properties
        #expect(properties?.mass == 2)
        #expect(properties?.shapes.count == 1)
        #expect((properties?.shapes.first?.form != .missing) == isKept)
    }

    @Test func aBodyHasItsMassMaterialAndFrame() throws {
        let outcome = Document().with(
            Mesh.geometry("")
                + "<library_physics_materials><physics_material id='ice' name='Ice'><technique_common><dynamic_friction>0.05</dynamic_friction><restitution>0.5</restitution><static_friction>0.1</static_friction></technique_common></physics_material></library_physics_materials>"
                    + """
                    <library_physics_models><physics_model id='pm'><rigid_body sid='b'><technique_common>
                    <dynamic>true</dynamic><mass>3</mass><mass_frame><translate>1 2 3</translate></mass_frame>
                    <inertia>1 2 3</inertia><instance_physics_material url='#ice'/>
                    <shape><hollow>true</hollow><mass>1</mass><density>7</density>
                    <physics_material><technique_common><restitution>1</restitution></technique_common></physics_material>
                    <instance_geometry url='#g'/></shape></technique_common></rigid_body></physics_model></library_physics_models>
                    """)
        #expect(outcome.codes.filter { $0 != .inputNoPosition } == [], "\(outcome.findings)")
        let physics = outcome.scene.physics
        #expect(
            physics.materials.first
                == PhysicsMaterial(id: "ice", name: "Ice", dynamicFriction: 0.05, restitution: 0.5, staticFriction: 0.1)
        )
        let body = try #require(physics.models.first?.bodies.first).properties
        #expect(body.motion == .dynamic && body.mass == 3 && body.inertia == [1, 2, 3])
        #expect(body.massFrame?.columns.3 == [1, 2, 3, 1])
        #expect(body.material == SceneIndex(0))
        let shape = try #require(body.shapes.first)
        #expect(shape.form == .geometry(SceneIndex(0)))
        #expect(shape.filling == .hollow && shape.mass == 1 && shape.density == 7)
        #expect(shape.material == SceneIndex(1))
        #expect(physics.materials[1].restitution == 1)
    }

    @Test func aDynamicBodyWithoutMassIsTold() {
        #expect(model("<dynamic>true</dynamic><mass>0</mass>").codes == [.physicsMassInvalid])
        #expect(model("<dynamic>false</dynamic><mass>0</mass>").codes == [])
        #expect(model("<dynamic>maybe</dynamic><mass>0</mass>").codes == [.schemaInvalidEnum])
    }

    // MARK: - Scenes

    private static let library = """
        <library_force_fields><force_field id='wind'><technique profile='X'><blow/></technique></force_field></library_force_fields>
        <library_physics_models>
        <physics_model id='pm'><rigid_body sid='left'><technique_common/></rigid_body>
        <rigid_body sid='right' id='right-body'><technique_common/></rigid_body>
        <rigid_constraint sid='hinge' name='Hinge'><ref_attachment rigid_body='#pm/left'><translate>1 0 0</translate></ref_attachment>
        <attachment rigid_body='ATTACHED'><rotate>0 0 1 90</rotate></attachment><technique_common>
        <interpenetrate>true</interpenetrate><limits><swing_cone_and_twist><min>-45 0 -INF</min><max>45 0 INF</max></swing_cone_and_twist>
        <linear><min>0 0 0</min><max>1 2 3</max></linear></limits>
        <spring><angular><stiffness>5</stiffness></angular><linear><damping>6</damping><target_value>7</target_value></linear></spring>
        </technique_common></rigid_constraint></physics_model>
        <physics_model id='outer'><instance_physics_model url='#pm' sid='inner'/></physics_model>
        </library_physics_models>
        <library_physics_scenes><physics_scene id='ps' name='S'><instance_force_field url='#wind'/>
        <instance_physics_model url='#outer' sid='i' parent='#n'>
        <instance_rigid_body body='left' sid='x' target='#n'><technique_common><angular_velocity>0 0 90</angular_velocity>
        <velocity>1 2 3</velocity><dynamic>true</dynamic><mass>9</mass></technique_common></instance_rigid_body>
        <instance_rigid_constraint constraint='hinge'/></instance_physics_model>
        <technique_common><gravity>0 0 -9.81</gravity><time_step>0.01</time_step></technique_common></physics_scene></library_physics_scenes>
        """

    private func scene(_ from: String = "", _ to: String = "", attached: String = "right") -> Outcome {
        var library = Self.library.replacing("ATTACHED", with: attached)
        if !from.isEmpty { library = library.replacing(from, with: to) }
        let text = Document.version15.with(library)
        return text
    }

    @Test func aSceneMovesTheBodiesOfNestedModels() throws {
        let outcome = scene()
        #expect(outcome.codes == [], "\(outcome.findings)")
        let physics = outcome.scene.physics
        let given = try #require(physics.scenes.first)
        #expect(given.gravity == [0, 0, -9.81] && given.timeStep == 0.01 && given.name == "S")
        let instance = try #require(given.instances.first)
        #expect(instance.model == SceneIndex(1) && instance.parent == SceneIndex(0) && instance.sid == "i")
        #expect(instance.constraints == [.init(model: SceneIndex(0), constraint: SceneIndex(0))])
        let body = try #require(instance.bodies.first)
        #expect(body.body == .init(model: SceneIndex(0), body: SceneIndex(0)))
        #expect(body.node == SceneIndex(0) && body.velocity == [1, 2, 3] && body.angularVelocity == [0, 0, 90])
        #expect(body.overrides.mass == 9)
        #expect(physics.active.isEmpty)
        #expect(outcome.document.forceFields.first?.extras.first?.profile == "X")
    }

    @Test func aConstraintHasItsBodiesAndSettings() throws {
        let constraint = try #require(scene().scene.physics.models.first?.constraints.first)
        #expect(constraint.reference.anchor == .body(.init(model: SceneIndex(0), body: SceneIndex(0))))
        #expect(constraint.reference.matrix.columns.3 == [1, 0, 0, 1])
        #expect(constraint.attachment.anchor == .body(.init(model: SceneIndex(0), body: SceneIndex(1))))
        let settings = constraint.settings
        #expect(settings.isEnabled && settings.interpenetrates)
        #expect(settings.swingConeAndTwist == .init(min: [-45, 0, -.infinity], max: [45, 0, .infinity]))
        #expect(settings.linear == .init(min: .zero, max: [1, 2, 3]))
        #expect(settings.angularSpring == .init(stiffness: 5))
        #expect(settings.linearSpring == .init(damping: 6, target: 7))
    }

    private static let anchors: [(String, RigidConstraint.Anchor, [FindingCode])] = [
        ("#right-body", .body(.init(model: SceneIndex(0), body: SceneIndex(1))), []),
        ("./right", .body(.init(model: SceneIndex(0), body: SceneIndex(1))), []),
        ("#outer/inner/right", .body(.init(model: SceneIndex(0), body: SceneIndex(1))), []),
        ("#n", .node(SceneIndex(0)), []), ("", .world, []), ("#pm/none", .lost, [.physicsRefUnresolved]),
        ("#none", .lost, [.physicsRefUnresolved]),
    ]

    @Test(arguments: anchors.indices)
    func aConstraintIsAttachedToABodyANodeOrTheWorld(index: Int) {
        let (text, anchor, codes) = Self.anchors[index]
        let outcome = scene(attached: text)
        #expect(outcome.scene.physics.models.first?.constraints.first?.attachment.anchor == anchor, "\(text)")
        #expect(outcome.codes == codes)
    }

    @Test(arguments: [
        ["url='#outer'", "url='#none'", "PHYSICS_REF_UNRESOLVED"],
        ["url='#outer'", "url='#wind'", "REF_WRONG_TYPE"],
        ["body='left'", "body='middle'", "PHYSICS_REF_UNRESOLVED"],
        ["target='#n'", "target='#none'", "PHYSICS_REF_UNRESOLVED"],
        ["parent='#n'", "parent='#none'", "PHYSICS_REF_UNRESOLVED"],
        ["constraint='hinge'", "constraint='none'", "PHYSICS_REF_UNRESOLVED"],
        ["url='#wind'", "url='#none'", "PHYSICS_REF_UNRESOLVED"],
        ["url='#outer'", "url='other.dae#outer'", "REF_EXTERNAL_UNRESOLVED"],
        ["<instance_physics_model url='#pm'", "<instance_physics_model url='#outer'", "REF_CYCLE"],
    ])
    func abrokenReferenceIsToldAndTheRestStays(edit: [String]) {
        let outcome = scene(edit[0], edit[1])
        #expect(outcome.codes.map(\.rawValue).contains(edit[2]), "\(edit): \(outcome.codes)")
        #expect(
            outcome.findings.allSatisfy { $0.severity != .error || $0.code == .refWrongType || $0.code == .refCycle })
        #expect(outcome.scene.physics.scenes.first?.gravity == [0, 0, -9.81])
        #expect(outcome.scene.physics.models.first?.bodies.count == 2)
        #expect(outcome.scene.roots == [SceneIndex(0)])
    }

    @Test func theSceneSaysWhichPhysicsIsActive() {
        let text = Document(
            body: Self.library.replacing("ATTACHED", with: "right"), node: nil
        ).text.replacing(
            "</COLLADA>",
            with: "<scene><instance_physics_scene url='#ps'/><instance_physics_scene url='#no'/></scene></COLLADA>")
        let outcome = Outcome(text)
        #expect(outcome.scene.physics.active == [SceneIndex(0)])
        #expect(
            outcome.codes.filter { $0 == .physicsRefUnresolved }.count == 3, "the nodes and the scene are not there")
    }

    // MARK: - Hulls

    @Test func aConvexMeshIsTheHullOfTheEndOfItsChain() {
        func hull(_ id: String, of other: String) -> String {
            "<geometry id='\(id)'><convex_mesh convex_hull_of='\(other)'/></geometry>"
        }
        let outcome = Document().with(
            "<library_geometries><geometry id='m'><mesh/></geometry>" + hull("a", of: "#b") + hull("b", of: "#m")
                + hull("c", of: "#d") + hull("d", of: "#c") + hull("e", of: "#none") + hull("f", of: "#a")
                + "</library_geometries>")
        #expect(
            outcome.scene.geometries.map { $0.hullOf?.value } == [nil, 0, 0, nil, nil, nil, 0])
        #expect(outcome.codes.filter { $0 == .refCycle }.count == 1)
        #expect(outcome.codes.filter { $0 == .physicsConvexSource }.count == 1)
    }
}

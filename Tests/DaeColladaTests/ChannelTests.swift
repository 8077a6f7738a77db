import DaeDiagnostics
import DaeScene
import Testing

@testable import DaeCollada

/// From a document's channels to a pose.
@Suite struct ChannelTests {
    /// A node `Arm` with a translation and a rotation, inside it `Hand`, and one channel with the keys 0 → 1 and 2 → 3.
    private static func document(target: String, type: String = "LINEAR", extra: String = "") -> String {
        """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
        <library_geometries><geometry id="base"><mesh><source id="bp"><float_array id="bpa" count="3">0 0 0</float_array>
        <technique_common><accessor source="#bpa" count="1" stride="3"><param name="X"/><param name="Y"/><param name="Z"/>
        </accessor></technique_common></source><vertices id="bv"><input semantic="POSITION" source="#bp"/></vertices></mesh>
        </geometry></library_geometries>
        <library_controllers><controller id="blend"><morph source="#base">
        <source id="names"><IDREF_array id="na" count="2">base base</IDREF_array></source>
        <source id="weights"><float_array id="weights-array" count="2">0 0</float_array></source>
        <targets><input semantic="MORPH_TARGET" source="#names"/><input semantic="MORPH_WEIGHT" source="#weights"/></targets>
        </morph></controller></library_controllers>
        <library_cameras><camera id="cam"><optics><technique_common><perspective><yfov sid="yfov">40</yfov>
        </perspective></technique_common></optics></camera></library_cameras>
        <library_animations><animation id="move">
        <source id="t"><float_array id="ta" count="2">0 2</float_array><technique_common>
        <accessor source="#ta" count="2" stride="1"><param name="TIME" type="float"/></accessor></technique_common></source>
        <source id="v"><float_array id="va" count="2">1 3</float_array><technique_common>
        <accessor source="#va" count="2" stride="1"><param name="X" type="float"/></accessor></technique_common></source>
        <source id="i"><Name_array id="ia" count="2">\(type) \(type)</Name_array><technique_common>
        <accessor source="#ia" count="2" stride="1"><param name="INTERPOLATION" type="name"/></accessor></technique_common>
        </source>
        <sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#v"/>
        <input semantic="INTERPOLATION" source="#i"/></sampler>
        <channel source="#s" target="\(target)"/></animation></library_animations>
        <library_animation_clips><animation_clip id="clip" start="0.5"><instance_animation url="#move"/></animation_clip>
        </library_animation_clips>\(extra)
        <library_visual_scenes><visual_scene id="scene">
        <node id="arm" sid="arm.sid"><translate sid="move">5 0 0</translate><rotate sid="turn.z">0 0 1 0</rotate>
        <matrix sid="pose">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
        <node id="hand" sid="hand"><translate sid="move">0 7 0</translate><scale sid="size">1 1 1</scale></node></node>
        </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>
        """
    }

    private func read(_ text: String) throws -> (scene: Scene, log: FindingLog) {
        let reading = try ColladaParser.read(Array(text.utf8))
        var log = reading.log
        let built = try reading.document.scene()
        log.merge(built.log)
        return (built.scene, log)
    }

    private func matrix(of id: String, in scene: Scene, at time: Double) throws -> Matrix4 {
        var pose = PoseEvaluator(scene: scene, channels: scene.animations.flatMap(\.channels))
        pose.move(to: time)
        let index = try #require(scene.nodes.firstIndex { $0.id == id })
        return pose.locals[index]
    }

    @Test(
        arguments: [
            ("arm/move.X", [2.0, 0, 0]), ("arm/move.Y", [5, 2, 0]), ("arm/move(2)", [5, 0, 2]),
            ("#arm/move.X", [2, 0, 0]),
            ("arm/pose(3)(1)", [5, 2, 0]),
        ] as [(String, [Double])])
    func aPartOfATransformMovesAndTheRestStays(target: String, origin: [Double]) throws {
        let (scene, log) = try read(Self.document(target: target))
        #expect(log.counts[.animationTargetUnresolved] == nil)
        let offset = try matrix(of: "arm", in: scene, at: 1).columns.3
        #expect([offset.x, offset.y, offset.z] == origin)
    }

    @Test func aSidWithADotIsTriedWholeFirst() throws {
        let (scene, _) = try read(Self.document(target: "arm/turn.z.ANGLE"))
        let channel = try #require(scene.animations.first?.channels.first)
        let arm = try #require(scene.nodes.firstIndex { $0.id == "arm" })
        #expect(channel.target == .transform(SceneIndex(arm), at: 1, .named(.angle)))
    }

    @Test func sidsLeadDownLevelByLevel() throws {
        let (scene, _) = try read(Self.document(target: "arm/hand/move.Y"))
        #expect(try matrix(of: "hand", in: scene, at: 2).columns.3.y == 3)
        // `size` is below the hand only; `move` is nearer in the arm itself.
        let deep = try read(Self.document(target: "arm/size.X"))
        #expect(try matrix(of: "hand", in: deep.scene, at: 0.5).columns.0.x == 1.5)
        #expect(try matrix(of: "arm", in: read(Self.document(target: "arm/move.X")).scene, at: 0).columns.3.x == 1)
    }

    @Test func interpolationAndTimesOutsideTheKeysAreThoseOfTheSampler() throws {
        let (stepped, _) = try read(Self.document(target: "arm/move.X", type: "STEP"))
        #expect(try matrix(of: "arm", in: stepped, at: 1.9).columns.3.x == 1)
        #expect(try matrix(of: "arm", in: stepped, at: 2).columns.3.x == 3)
        #expect(try matrix(of: "arm", in: stepped, at: -10).columns.3.x == 1)
        #expect(try matrix(of: "arm", in: stepped, at: 10).columns.3.x == 3)
    }

    @Test func weightsOfAMorphAndParametersOfACameraAreTargets() throws {
        for target in ["weights(1)", "weights-array(1)"] {
            let (scene, log) = try read(Self.document(target: target))
            #expect(scene.animations.first?.channels.first?.target == .morphWeight(SceneIndex(0), at: 1))
            #expect(log.counts[.animationTargetUnresolved] == nil)
        }
        let (scene, _) = try read(Self.document(target: "cam/yfov"))
        #expect(scene.animations.first?.channels.first?.target == .camera(SceneIndex(0), .yfov))
    }

    @Test(
        arguments: [
            ("nowhere/move.X", FindingCode.animationTargetUnresolved), ("arm/nothing", .animationTargetUnresolved),
            ("", .animationTargetUnresolved), ("arm", .animationTargetUnresolved), ("/", .animationTargetUnresolved),
            ("arm/move.ANGLE", .animationTargetMemberInvalid), ("arm/move(3)", .animationTargetMemberInvalid),
            ("arm/move(0)(0)", .animationTargetMemberInvalid), ("weights(2)", .animationTargetMemberInvalid),
            ("arm/move(99999999999999999999)", .animationTargetUnresolved),
        ] as [(String, FindingCode)])
    func aTargetThatCannotBeMovedIsToldAndLeftOut(target: String, code: FindingCode) throws {
        let (scene, log) = try read(Self.document(target: target))
        #expect(log.counts[code] == 1)
        #expect(scene.animations.first?.channels.isEmpty == true)
        #expect(scene.nodes.count == 2)
    }

    @Test func aClipEndsWithItsAnimationsUnlessItSaysOtherwise() throws {
        let (scene, _) = try read(Self.document(target: "arm/move.X"))
        let clip = try #require(scene.clips.first)
        #expect((clip.start, clip.end ?? 0) == (0.5, 2))
        #expect(clip.animations == [SceneIndex(0)])
    }

    @Test func figuresAloneFindTheSameFaults() throws {
        var options = ColladaOptions()
        options.retention = .figures
        for target in ["arm/move.X", "nowhere/x", "arm/move.ANGLE"] {
            let text = Array(Self.document(target: target, type: "WOBBLE").utf8)
            let whole = try ColladaParser.read(text)
            let figures = try ColladaParser.read(text, options: options)
            #expect(whole.log.counts == figures.log.counts)
            #expect(whole.log.counts[.animationUnknownInterpolation] == 1)
            #expect(try whole.document.scene().log.counts == figures.document.scene(options: options).log.counts)
            #expect(figures.document.animations.first?.span == 0...2)
        }
    }

    /// A sampler and a channel may lead to another animation; what is nowhere is told, also where ids were not kept.
    @Test(arguments: [ColladaOptions.Retention.everything, .figures])
    func referencesBetweenAnimationsAreFollowed(retention: ColladaOptions.Retention) throws {
        var options = ColladaOptions()
        options.retention = retention
        let other = """
            <library_animations><animation id="other"><sampler id="o"><input semantic="INPUT" source="#t"/>
            <input semantic="OUTPUT" source="#v"/><input semantic="INTERPOLATION" source="#gone"/></sampler>
            <channel source="#s" target="arm/move.Y"/><channel source="#t" target="arm/move.Z"/></animation>
            <animation><source id=""/><sampler id=""/></animation><animation><channel source="#" target="arm/move.X"/>
            <sampler id="p"><input semantic="INPUT" source="#"/></sampler></animation>
            </library_animations>
            """
        let text = Self.document(target: "arm/move.X", extra: other)
        let log = try ColladaParser.read(Array(text.utf8), options: options).document.scene(options: options).log
        let told = log.findings.filter { $0.code == .accessorNoSource }
        #expect(told.map { $0.arguments.map(\.value) } == [["#gone"], ["#t"]])
    }

    /// One param stands for all of a matrix, with a name or without.
    @Test(arguments: ["name='TRANSFORM' type='float4x4'", "type='float4x4'"])
    func aMatrixHasSixteenValuesAKey(param: String) throws {
        let values = (0..<32).map(String.init).joined(separator: " ")
        let library = """
            <library_animations><animation>
            <source id='t'><float_array id='ta' count='2'>0 1</float_array><technique_common><accessor source='#ta' count='2'><param name='TIME'/></accessor></technique_common></source>
            <source id='m'><float_array id='ma' count='32'>\(values)</float_array><technique_common><accessor source='#ma' count='2' stride='16'><param \(param)/></accessor></technique_common></source>
            <source id='k'><Name_array id='ka' count='2'>LINEAR LINEAR</Name_array><technique_common><accessor source='#ka' count='2'><param name='INTERPOLATION'/></accessor></technique_common></source>
            <sampler id='s'><input semantic='INPUT' source='#t'/><input semantic='OUTPUT' source='#m'/><input semantic='INTERPOLATION' source='#k'/></sampler>
            <channel source='#s' target='n/place'/></animation></library_animations>
            """
        let outcome = Document().with(
            library, node: "<matrix sid='place'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>")
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let curve = try #require(outcome.scene.animations.first?.channels.first?.curve)
        #expect(curve.width == 16)
        #expect(curve.values.array == (0..<32).map(Double.init))
    }

    /// A number that is none is told where it stands, and read as if it were not given.
    @Test(arguments: [
        ("stride='3'", "stride='three'"), ("offset='0'", "offset=''"), ("set='1'", "set='1.5'"),
        ("count='1'", "count='one'"),
    ])
    func aWholeNumberThatIsNoneIsTold(good: String, bad: String) {
        let mesh = Mesh.geometry(
            "<triangles count='1'>\(Mesh.input)<input semantic='NORMAL' source='#pos' offset='0' set='1'/><p>0 1 2</p></triangles>"
        )
        #expect(Document().with(mesh).findings.isEmpty)
        let outcome = Document().with(mesh.replacing(good, with: bad))
        #expect(outcome.first(.schemaInvalidNumber) != nil, "\(outcome.findings)")
        #expect(outcome.scene.geometries.first?.measure.triangles == 1)
    }
}

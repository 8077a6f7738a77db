import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// What is moved beside the transforms of nodes, and where samplers find their sources.
@Suite struct ChannelTargetTests {
    private static func source(_ id: String, _ values: String) -> String {
        let count = values.split(separator: " ").count
        return "<source id='\(id)'><float_array id='\(id)a' count='\(count)'>\(values)</float_array></source>"
    }

    private static func sampler(_ id: String, times: String = "t", values: String = "v") -> String {
        "<sampler id='\(id)'><input semantic='INPUT' source='#\(times)'/><input semantic='OUTPUT' source='#\(values)'/><input semantic='INTERPOLATION' source='#w'/></sampler>"
    }

    private static let ways = "<source id='w'><Name_array id='wa' count='2'>LINEAR LINEAR</Name_array></source>"

    private static func document(_ animations: String, retention: ColladaOptions.Retention = .everything) -> Outcome {
        var document = Document()
        document.body = """
            <library_effects><effect id='e'><profile_COMMON><technique sid='common'><phong><diffuse><color sid='paint'>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect><effect id='unused'><profile_COMMON><technique sid='common'><phong/></technique></profile_COMMON></effect></library_effects>
            <library_materials><material id='p'><instance_effect url='#e'/></material><material id='q'/><material id='r'><instance_effect url='#e'/></material></library_materials>
            <library_cameras><camera id='cam'><optics><technique_common><perspective><xfov sid='wide'>40</xfov><znear sid='xfov'>1</znear></perspective></technique_common></optics></camera></library_cameras>
            <library_lights><light id='lamp'><technique_common><spot><color sid='paint.1'>1 1 1</color><constant_attenuation>2</constant_attenuation><quadratic_attenuation sid='q'>0.5</quadratic_attenuation><falloff_angle sid='cone'>60</falloff_angle></spot></technique_common></light></library_lights>
            <library_controllers><controller id='blend'><morph source='#none'><source id='targets'><IDREF_array id='ta' count='2'>x y</IDREF_array></source>
            \(source("weights", "0 0"))<targets><input semantic='MORPH_TARGET' source='#targets'/><input semantic='MORPH_WEIGHT' source='#weights'/></targets></morph></controller></library_controllers>
            <library_animations>\(animations)</library_animations>
            """
        document.node = "<translate sid='t'>0 0 0</translate>"
        var options = ColladaOptions()
        options.retention = retention
        return Outcome(Array(document.text.utf8), options: options)
    }

    private static func moving(_ target: String) -> Outcome {
        document(
            "<animation id='a'>\(source("t", "0 1"))\(source("v", "1 3"))\(ways)\(sampler("s"))<channel source='#s' target='\(target)'/></animation>"
        )
    }

    private static let targets: [(String, [AnimationTarget])] = [
        ("cam/wide", [.camera(SceneIndex(0), .xfov)]),
        // A sid goes before the name of an element.
        ("cam/xfov", [.camera(SceneIndex(0), .znear)]),
        ("cam/znear", [.camera(SceneIndex(0), .znear)]),
        ("lamp/paint.1", [.light(SceneIndex(0), .color, .whole)]),
        ("lamp/paint.1.R", [.light(SceneIndex(0), .color, .named(.red))]),
        ("lamp/color(2)", [.light(SceneIndex(0), .color, .index(2))]),
        ("lamp/q", [.light(SceneIndex(0), .quadraticAttenuation, .whole)]),
        ("lamp/cone.ANGLE", [.light(SceneIndex(0), .falloffAngle, .whole)]),
        ("blend/weights(1)", [.morphWeight(SceneIndex(0), at: 1)]),
        ("blend/weightsa", [.morphWeight(SceneIndex(0), at: nil)]),
        ("weights(0)", [.morphWeight(SceneIndex(0), at: 0)]),
        (
            "e/common/paint.G",
            [0, 2].map { .material(SceneIndex($0), .property(.diffuse), .named(.green)) }
        ),
        ("r/diffuse(1)", [.material(SceneIndex(2), .property(.diffuse), .index(1))]),
        ("e/glow/rim.R", [0, 2].map { .material(SceneIndex($0), .path("glow/rim"), .named(.red)) }),
        ("q/paint", [.material(SceneIndex(1), .path("paint"), .whole)]),
    ]

    @Test(arguments: targets.indices)
    func aTargetLeadsToWhatIsMoved(index: Int) {
        let (text, expected) = Self.targets[index]
        let outcome = Self.moving(text)
        #expect(outcome.scene.animations.first?.channels.map(\.target) == expected)
        let told = outcome.codes.filter { $0.rawValue.hasPrefix("ANIMATION_TARGET") }
        #expect(told == [])
    }

    @Test(
        arguments: [
            ("cam/wide.Y", FindingCode.animationTargetMemberInvalid), ("lamp/q(1)", .animationTargetMemberInvalid),
            ("lamp/paint.1.ANGLE", .animationTargetMemberInvalid), ("blend/weights(2)", .animationTargetMemberInvalid),
            ("blend/targets(0)", .animationTargetUnresolved), ("cam/yard", .animationTargetUnresolved),
            ("unused/common/color", .animationTargetUnresolved),
        ] as [(String, FindingCode)])
    func aTargetWithoutSuchAPartIsTold(target: String, code: FindingCode) {
        let outcome = Self.moving(target)
        #expect(outcome.scene.animations.first?.channels.isEmpty == true)
        #expect(outcome.codes.contains(code))
    }

    @Test func whatAreSidsOfALightIsReadWithIt() {
        let light = Self.moving("lamp/q").scene.lights.first
        #expect(light?.source == .spot(.init(constant: 2, linear: 0, quadratic: 0.5), .init(angle: 60, exponent: 0)))
        #expect(Self.moving("n/t.X").scene.nodes.first?.transformSIDs == ["t"])
    }

    // MARK: - Sources elsewhere

    private static let elsewhere: [(String, String)] = [
        (
            "before",
            "<animation>\(source("t", "0 1"))\(ways)</animation><animation id='a'>\(source("v", "1 3"))\(sampler("s"))CHANNEL</animation>"
        ),
        (
            "after",
            "<animation id='a'>\(source("v", "1 3"))\(sampler("s"))CHANNEL</animation><animation>\(source("t", "0 1"))\(ways)</animation>"
        ),
        (
            "around",
            "<animation id='z'>\(source("t", "0 1"))\(ways)<animation id='a'>\(source("v", "1 3"))\(sampler("s"))CHANNEL</animation></animation>"
        ),
        (
            "all of them",
            "<animation id='a'>\(sampler("s"))CHANNEL</animation><animation>\(source("t", "0 1"))\(source("v", "1 3"))\(ways)</animation>"
        ),
        (
            "the channel alone",
            "<animation id='a'>CHANNEL</animation><animation>\(source("t", "0 1"))\(source("v", "1 3"))\(ways)\(sampler("s"))</animation>"
        ),
        (
            "used by another sampler",
            "<animation id='a'>\(source("u", "1 3"))\(sampler("s", values: "u"))CHANNEL</animation><animation>\(source("t", "0 1"))\(source("v", "5 6"))\(ways)\(sampler("o"))</animation>"
        ),
    ]

    @Test(arguments: elsewhere.indices)
    func aSamplerFindsItsSourcesInOtherAnimations(index: Int) throws {
        let (what, text) = Self.elsewhere[index]
        let whole = text.replacing("CHANNEL", with: "<channel source='#s' target='n/t.X'/>")
        let outcome = Self.document(whole)
        let animation = try #require(outcome.scene.animations.first { $0.id == "a" })
        let channel = try #require(animation.channels.first, "\(what)")
        #expect(channel.curve.value(at: 0.5) == [2])
        let told = outcome.codes.filter { $0.rawValue.hasPrefix("ANIMATION") || $0 == .accessorNoSource }
        #expect(told == [])
        let figures = Self.document(whole, retention: .figures)
        // What another sampler uses is not held where only figures are wanted.
        guard what != "used by another sampler" else { return }
        let spans = figures.document.animations.flatMap(\.samplers).map(\.span)
        #expect(spans.contains(0...1))
        #expect(figures.codes == outcome.codes)
    }

    @Test func aSourceThatIsNowhereIsToldOnce() {
        let outcome = Self.document(
            "<animation id='a'>\(Self.source("v", "1 3"))\(Self.ways)\(Self.sampler("s"))<channel source='#s' target='n/t.X'/></animation>"
        )
        let told = outcome.findings.filter { $0.arguments.contains(.init("reference", "#t")) }
        #expect(told.map(\.code) == [.accessorNoSource])
        #expect(outcome.scene.animations.first?.channels.isEmpty == true)
    }

    @Test func aClipEndsWithTheAnimationsWithinItsOwn() {
        let outcome = Self.document(
            """
            <animation id='z'><animation id='a'>\(Self.source("t", "0 4"))\(Self.source("v", "1 3"))\(Self.ways)\(Self.sampler("s"))<channel source='#s' target='n/t.X'/></animation></animation></library_animations>
            <library_animation_clips><animation_clip id='k'><instance_animation url='#z'/></animation_clip><animation_clip id='l' start='2' end='1'><instance_animation url='#z'/></animation_clip></library_animation_clips><library_animations>
            """)
        #expect(outcome.scene.clips.map(\.end) == [4, 1])
        #expect(outcome.first(.animationClipRange)?.place.elementID == "l")
        #expect(outcome.codes.count { $0 == .animationClipRange } == 1)
        #expect(outcome.scene.clips.first.map { outcome.scene.channels(of: $0).count } == 1)
    }

    // MARK: - Hostile

    /// Searched one by one, these would be 10⁹ comparisons.
    @Test func manyChannelsOfOneEffectAreBounded() {
        let count = 3_000
        let materials = (0..<count).map { "<material id='m\($0)'><instance_effect url='#e2'/></material>" }.joined()
        let channels = String(repeating: "<channel source='#s' target='e2/c'/>", count: count)
        let outcome = Self.document(
            """
            <animation id='a'>\(Self.source("t", "0 4"))\(Self.source("v", "1 3"))\(Self.ways)\(Self.sampler("s"))\(channels)</animation></library_animations>
            <library_effects><effect id='e2'/></library_effects><library_materials>\(materials)</library_materials><library_animations>
            """)
        let made = outcome.scene.channels.count
        #expect(made >= 1_000_000 && made < 1_000_000 + 2 * count)
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// Exporters give the same ids to the sources and samplers of each animation: the nearest is meant.
@Suite struct AnimationNamesakeTests {
    private func source(_ id: String, _ numbers: String, _ params: String = "<param type='float'/>") -> String {
        let count = numbers.split(separator: " ").count
        return
            "<source id='\(id)'><float_array id='\(id)-a' count='\(count)'>\(numbers)</float_array><technique_common><accessor source='#\(id)-a' count='\(count)'>\(params)</accessor></technique_common></source>"
    }

    private func sources(_ end: Int) -> String { source("i", "0 1") + source("o", "0 \(end)") }

    private let sampler =
        "<sampler id='s'><input semantic='INPUT' source='#i'/><input semantic='OUTPUT' source='#o'/></sampler>"

    private func channel(_ target: String) -> String { "<channel source='#s' target='n/\(target)'/>" }

    private func moved(_ animations: String, version: String = "1.4") -> SIMD3<Double>? {
        var document = version == "1.5" ? Document.version15 : Document()
        document.node = "<translate sid='t'>0 0 0</translate>"
        document.body = "<library_animations>\(animations)</library_animations>"
        let scene = Outcome(document.text).scene
        var pose = PoseEvaluator(scene: scene, channels: scene.channels)
        pose.move(to: 1)
        return pose.locals.first?.transform(point: .zero)
    }

    @Test(arguments: ["1.4", "1.5"])
    func eachAnimationHasItsOwnSamplerAndSources(version: String) {
        let one = "<animation>\(sources(5))\(sampler)\(channel("t.X"))</animation>"
        let two = "<animation>\(sources(7))\(sampler)\(channel("t.Y"))</animation>"
        let three = "<animation>\(sources(9))\(sampler)\(channel("t.Z"))</animation>"
        #expect(moved(one + two + three, version: version) == [5, 7, 9])
    }

    @Test func whatIsWithinAnotherHasItsOwnToo() {
        let inner = "<animation>\(sources(7))\(sampler)\(channel("t.Y"))</animation>"
        #expect(moved("<animation>\(sources(5))\(sampler)\(channel("t.X"))\(inner)</animation>") == [5, 7, 0])
        #expect(
            moved("<animation>\(inner)<animation>\(sources(5))\(sampler)\(channel("t.X"))</animation></animation>") == [
                5, 7, 0,
            ])
    }

    @Test func theSourcesAndSamplersAroundAnAnimationAreNearerThanOthers() {
        func nested(_ end: Int, _ target: String) -> String {
            "<animation>\(sources(end))<animation>\(sampler)\(channel(target))</animation></animation>"
        }
        #expect(moved(nested(5, "t.X") + nested(7, "t.Y") + nested(9, "t.Z")) == [5, 7, 9])
        func split(_ end: Int, _ target: String) -> String {
            "<animation><animation>\(sources(end))\(sampler)</animation><animation>\(channel(target))</animation></animation>"
        }
        #expect(moved(split(5, "t.X") + split(7, "t.Y")) == [5, 7, 0])
    }

    @Test func oneThatIsTheOnlyOneIsFoundWhereverItStands() {
        #expect(
            moved("<animation>\(channel("t.X"))</animation><animation>\(sources(5))\(sampler)</animation>") == [
                5, 0, 0,
            ])
    }

    // MARK: - Counts

    private func read(_ target: String, _ output: String, _ stride: Int, _ param: String, node: String) -> Outcome {
        let numbers = output.split(separator: " ").count
        var document = Document()
        document.node = node
        document.body =
            "<library_animations><animation>\(source("i", "0 1"))<source id='o'><float_array id='oa' count='\(numbers)'>\(output)</float_array><technique_common><accessor source='#oa' count='2' stride='\(stride)'>\(param)</accessor></technique_common></source>\(sampler)\(channel(target))</animation></library_animations>"
        return Outcome(document.text)
    }

    @Test func oneNumberForARotationIsItsAngleAndTold() {
        let outcome = read(
            "r", "0 90", 1, "<param name='ANGLE' type='float'/>", node: "<rotate sid='r'>0 0 1 0</rotate>")
        let told = outcome.first(.animationCountMismatch)
        #expect(told?.severity == .warning && told?.message.contains("takes 4 numbers, its sampler gives 1") == true)
        guard case .transform(_, at: 0, .named(.angle))? = outcome.scene.channels.first?.target else {
            Issue.record("\(outcome.scene.channels)")
            return
        }
    }

    @Test(arguments: [
        ("t", "0 1", "<translate sid='t'>0 0 0</translate>"),
        ("m", "0 1", "<matrix sid='m'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"),
        ("k", "0 1", "<scale sid='k'>1 1 1</scale>"),
    ])
    func anotherCountThanTheTargetTakesIsTold(target: String, output: String, node: String) {
        let outcome = read(target, output, 1, "<param type='float'/>", node: node)
        #expect(outcome.first(.animationCountMismatch)?.severity == .error)
        #expect(outcome.first(.animationCountMismatch)?.message.hasSuffix("moves nothing") == true)
    }

    @Test(arguments: ["<param name='TRANSFORM' type='float'/>", "<param type='Float4x4'/>", "<param/>"])
    func sixteenNumbersOfOneParamAreAMatrix(param: String) {
        let rest = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"
        let outcome = read(
            "m", rest + " 1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1", 16, param, node: "<matrix sid='m'>\(rest)</matrix>")
        // A param without a type says nothing else.
        #expect((outcome.first(.quirkMatrixStride) != nil) == param.contains("type"))
        var pose = PoseEvaluator(scene: outcome.scene, channels: outcome.scene.channels)
        pose.move(to: 1)
        #expect(pose.locals.first?.transform(point: .zero) == [5, 0, 0])
    }
}

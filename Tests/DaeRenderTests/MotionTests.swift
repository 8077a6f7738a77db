import DaePipeline
import DaeRender
import DaeScene
import TestSupport
import Testing

/// Pictures of scenes that move.
@Suite struct MotionTests {
    private static func source(_ id: String, _ values: String, _ type: String, _ width: Int = 1) -> String {
        let count = values.split(separator: " ").count
        let kind = type == "float" ? "float_array" : "\(type)_array"
        return """
            <source id="\(id)"><\(kind) id="\(id)-a" count="\(count)">\(values)</\(kind)><technique_common>
            <accessor source="#\(id)-a" count="\(count / width)" stride="\(width)"><param name="X" type="\(type)"/></accessor>
            </technique_common></source>
            """
    }

    private static func animation(of target: String, _ times: String, _ values: String) -> String {
        """
        <library_animations><animation id="move">\(source("times", times, "float"))\(source("values", values, "float"))
        \(source("ways", "LINEAR LINEAR", "Name"))<sampler id="curve"><input semantic="INPUT" source="#times"/>
        <input semantic="OUTPUT" source="#values"/><input semantic="INTERPOLATION" source="#ways"/></sampler>
        <channel source="#curve" target="\(target)"/></animation></library_animations>
        """
    }

    @Test(arguments: [(nil, 0..<4), (0, 0..<4), (1, 4..<8), (2, 8..<12), (99, 8..<12)] as [(Double?, Range<Int>)])
    func aNodeIsWhereItsAnimationHasIt(time: Double?, columns: Range<Int>) async throws {
        var part = TestScene.Part.rectangle(-1 ... -0.5, -1...1)
        part.place = "<translate sid=\"way\">0 0 0</translate>"
        var scene = TestScene(parts: [part])
        scene.libraries = Self.animation(of: "n0/way.X", "0 2", "0 1")
        let row = try await scene.picture { $0.time = time }.row(8)
        #expect(row == (0..<16).map { columns.contains($0) ? 255 : 0 })
    }

    @Test func aMaterialIsAsItsAnimationHasIt() async throws {
        let effect =
            "<lambert><emission><color sid=\"glow\">0 0 0 1</color></emission><diffuse><color>0 0 0 1</color></diffuse></lambert>"
        var scene = TestScene(parts: [.rectangle(-1...1, -1...1, effect: effect)])
        scene.libraries = Self.animation(of: "e0/glow.R", "0 2", "0 1")
        #expect(try await scene.picture { $0.time = 1 }.pixel(8, 8) == [128, 0, 0, 255])
    }

    @Test func aSkinIsWhereItsJointsAre() async throws {
        let model = try await Dae.load(.path(Repository.fixtures + "/bundles/walker.zip"))
        var options = RenderOptions()
        (options.width, options.height, options.camera) = (64, 64, .fit)
        options.background = [0, 0, 0, 1]
        var shown: [[Bool]] = []
        for time in [0, 0.5, 0] {
            options.time = time
            let picture = TestPicture(made: try model.picture(options))
            shown.append((0..<64 * 64).map { picture.pixel($0 % 64, $0 / 64)[0] > 0 })
        }
        #expect(shown[0] == shown[2] && shown[0] != shown[1])
        #expect(shown.allSatisfy { picture in picture.count { $0 } > 64 * 64 / 20 })
    }

    @Test func aMorphIsBlended() async throws {
        // The square grows to twice its width, of which half is added.
        var scene = TestScene(parts: [.rectangle(-0.25...0.25, -1...1), .rectangle(-0.5...0.5, -1...1)])
        let morph = """
            <library_controllers><controller id="c"><morph source="#g0" method="NORMALIZED">
            \(Self.source("shapes", "g1", "IDREF"))\(Self.source("amounts", "0.5", "float"))
            <targets><input semantic="MORPH_TARGET" source="#shapes"/><input semantic="MORPH_WEIGHT" source="#amounts"/>
            </targets></morph></controller></library_controllers>
            """
        scene.libraries = morph
        let shown = scene.text().replacing("<instance_geometry url=\"#g0\">", with: "<instance_controller url=\"#c\">")
            .replacing("<instance_geometry url=\"#g1\">", with: "<extra><technique profile=\"x\">")
        // What was the first mesh's node shows the controller, the second one's nothing.
        var parts = shown.components("</instance_geometry>")
        #expect(parts.count == 3)
        parts[0] += "</instance_controller>"
        parts[1] += "</technique></extra>"
        let model = try await Dae.load(.bytes(Array(parts.joined().utf8), name: "scene.dae"))
        var options = RenderOptions()
        (options.width, options.height, options.style, options.samples) = (16, 16, .suite, 1)
        let row = TestPicture(made: try model.picture(options)).row(8)
        #expect(row == (0..<16).map { (5..<11).contains($0) ? 255 : 0 })
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

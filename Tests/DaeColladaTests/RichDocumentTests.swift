import DaeCollada
import DaeDiagnostics
import DaeScene
import TestSupport
import Testing

@Suite struct RichDocumentTests {
    /// One of everything; every reference resolves and every number is right.
    static let text = """
        <?xml version="1.0" encoding="utf-8"?>
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
        <asset><contributor><author>A</author></contributor><unit name="cm" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
        <library_images><image id="img"><init_from>a.png</init_from></image></library_images>
        <library_effects><effect id="eff"><profile_COMMON>
        <newparam sid="surf"><surface type="2D"><init_from>img</init_from></surface></newparam>
        <newparam sid="samp"><sampler2D><source>surf</source></sampler2D></newparam>
        <technique sid="common"><phong><diffuse><texture texture="samp" texcoord="UV"/></diffuse><emission><color>0 0 0 1</color></emission></phong></technique>
        </profile_COMMON></effect></library_effects>
        <library_materials><material id="mat"><instance_effect url="#eff"/></material></library_materials>
        <library_cameras><camera id="cam"><optics><technique_common><perspective><yfov>45</yfov></perspective></technique_common></optics></camera></library_cameras>
        <library_lights><light id="lamp"><technique_common><point><color>1 1 1</color></point></technique_common></light></library_lights>
        <library_geometries><geometry id="geo"><mesh>
        <source id="pos"><float_array id="pos-array" count="12">0 0 0 1 0 0
        1 1 0 0 1 0</float_array><technique_common><accessor source="#pos-array" count="4" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
        <source id="nor"><float_array id="nor-array" count="3">0 0 1</float_array><technique_common><accessor source="#nor-array" count="1" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
        <source id="tex"><float_array id="tex-array" count="2">0 1</float_array><technique_common><accessor source="#tex-array" count="1" stride="2"><param name="S"/><param name="T"/></accessor></technique_common></source>
        <vertices id="ver"><input semantic="POSITION" source="#pos"/></vertices>
        <triangles count="1" material="sym"><input semantic="VERTEX" source="#ver" offset="0"/><input semantic="NORMAL" source="#nor" offset="1"/><input semantic="TEXCOORD" source="#tex" offset="1" set="0"/><p>0 0 1 0 2 0</p></triangles>
        <polylist count="1"><input semantic="VERTEX" source="#ver" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
        </mesh></geometry>
        <geometry id="hull"><convex_mesh convex_hull_of="#geo"/></geometry></library_geometries>
        <library_controllers><controller id="mor"><morph source="#geo"><source id="tar"><IDREF_array id="tar-array" count="1">geo</IDREF_array><technique_common><accessor source="#tar-array" count="1"><param name="IDREF"/></accessor></technique_common></source>
        <targets><input semantic="MORPH_TARGET" source="#tar"/></targets></morph></controller>
        <controller id="ski"><skin source="#mor"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix><source id="joi"><Name_array id="joi-array" count="1">J</Name_array><technique_common><accessor source="#joi-array" count="1"><param name="JOINT"/></accessor></technique_common></source>
        <source id="wei"><float_array id="wei-array" count="1">1</float_array><technique_common><accessor source="#wei-array" count="1"><param name="WEIGHT"/></accessor></technique_common></source>
        <source id="inv"><float_array id="inv-array" count="16">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array><technique_common><accessor source="#inv-array" count="1" stride="16"><param name="TRANSFORM"/></accessor></technique_common></source>
        <joints><input semantic="JOINT" source="#joi"/><input semantic="INV_BIND_MATRIX" source="#inv"/></joints>
        <vertex_weights count="4"><input semantic="JOINT" source="#joi" offset="0"/><input semantic="WEIGHT" source="#wei" offset="1"/><vcount>1 1 1 1</vcount><v>0 0 0 0 0 0 0 0</v></vertex_weights></skin></controller></library_controllers>
        <library_animations><animation id="ani"><source id="tim"><float_array id="tim-array" count="1">0</float_array><technique_common><accessor source="#tim-array" count="1"><param name="TIME"/></accessor></technique_common></source>
        <source id="out"><float_array id="out-array" count="1">1</float_array><technique_common><accessor source="#out-array" count="1"><param name="X"/></accessor></technique_common></source>
        <source id="way"><Name_array id="way-array" count="1">LINEAR</Name_array><technique_common><accessor source="#way-array" count="1"><param name="INTERPOLATION"/></accessor></technique_common></source>
        <sampler id="sam"><input semantic="INPUT" source="#tim"/><input semantic="OUTPUT" source="#out"/><input semantic="INTERPOLATION" source="#way"/></sampler><channel source="#sam" target="nod/t.X"/></animation></library_animations>
        <library_animation_clips><animation_clip id="cli"><instance_animation url="#ani"/></animation_clip></library_animation_clips>
        <library_nodes><node id="lib"><instance_geometry url="#geo"><bind_material><technique_common><instance_material symbol="sym" target="#mat"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material></technique_common></bind_material></instance_geometry></node></library_nodes>
        <library_visual_scenes><visual_scene id="vis"><node id="nod" sid="J"><translate sid="t">1 2 3</translate>
        <instance_geometry url="#geo"><bind_material><technique_common><instance_material symbol="sym" target="#mat"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material></technique_common></bind_material></instance_geometry>
        <instance_controller url="#ski"><skeleton>#nod</skeleton><bind_material><technique_common><instance_material symbol="sym" target="#mat"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material></technique_common></bind_material></instance_controller>
        <instance_node url="#lib"/><instance_camera url="#cam"/><instance_light url="#lamp"/></node></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#vis"/></scene></COLLADA>
        """

    @Test func theRichDocumentIsWithoutFindings() {
        let outcome = Outcome(Self.text)
        #expect(outcome.failure == nil)
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let census = SceneCensus(of: outcome.scene)
        #expect(census.nodes == 2)
        #expect(census.instances == 3)
        #expect(census.triangles == 9)
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [1, 2, 3], max: [2, 3, 3]))
        #expect(outcome.scene.materials.first?.images == [SceneIndex(0)])
    }

    @Test(arguments: [1, 7, 64, 4096])
    func theChunksDoNotChangeWhatIsRead(size: Int) {
        let whole = Outcome(Self.text)
        let cut = Outcome(Array(Self.text.utf8), chunk: size)
        #expect(cut.scene == whole.scene)
        #expect(cut.findings == whole.findings)
        let broken = Array(Self.text.replacing("#", with: "# ").utf8)
        #expect(Outcome(broken, chunk: size).findings == Outcome(broken).findings)
    }

    /// Where a reference is written: each is broken once.
    @Test func everyReferenceThatIsBrokenIsToldAndTheSceneStays() {
        let bytes = Array(Self.text.utf8)
        let places = bytes.indices.filter { bytes[$0] == UInt8(ascii: "#") }
        #expect(places.count == 40)
        for place in places {
            var broken = bytes
            broken.insert(contentsOf: Array("none-".utf8), at: place + 1)
            let outcome = Outcome(broken)
            let around = String(decoding: bytes[(place - 40)..<(place + 6)], as: UTF8.self)
            #expect(outcome.failure == nil)
            #expect(!outcome.findings.isEmpty, "\(around)")
            #expect(outcome.findings.allSatisfy { $0.place.line != nil }, "\(around)")
            #expect(!outcome.scene.roots.isEmpty)
            #expect(outcome.scene.geometries.count == 2)
        }
    }

    @Test(arguments: [
        "texture=\"samp\"", "<source>surf</source>", "<init_from>img</init_from>", ">geo</IDREF_array>",
    ])
    func everyReferenceWithoutAHashIsToldToo(text: String) {
        let broken = Self.text.replacing(
            text,
            with: text.replacing("samp\"", with: "x\"").replacing(">surf", with: ">x").replacing(">img", with: ">x")
                .replacing(">geo", with: ">x"))
        let outcome = Outcome(broken)
        #expect(broken != Self.text)
        #expect(outcome.findings.count == 1, "\(outcome.findings)")
        #expect(SceneCensus(of: outcome.scene).nodes == 2)
    }

    @Test(arguments: ["url", "source", "target", "texture"])
    func everyReferenceThatIsMissingIsTold(attribute: String) {
        let parts = Self.text.components(separatedBy: " \(attribute)=\"")
        for index in 1..<parts.count {
            var changed = parts
            let rest = changed[index].drop { $0 != "\"" }.dropFirst()
            changed[index - 1] += rest
            changed.remove(at: index)
            let outcome = Outcome(changed.joined(separator: " \(attribute)=\""))
            #expect(outcome.failure == nil)
            // An accessor without a source reads the array beside it.
            let isTold = !parts[index - 1].hasSuffix("<accessor")
            #expect(outcome.findings.isEmpty != isTold, "\(attribute) \(index): \(parts[index - 1].suffix(40))")
            #expect(!outcome.scene.roots.isEmpty)
        }
    }

    @Test func unknownElementsAnywhereLoseNothing() {
        let whole = Outcome(Self.text)
        let junk = [
            "<extra><technique profile='X'><node id='nod'/><p>1 2</p></technique></extra>",
            "<foo:bar xmlns:foo='u'><mesh/></foo:bar>", "<unknown>1 2 3<p/></unknown>",
        ]
        let pieces = Self.text.components(separatedBy: "><")
        for (index, text) in junk.enumerated() {
            for border in stride(from: 1 + index, to: pieces.count, by: 3) {
                let changed =
                    pieces[..<border].joined(separator: "><") + ">" + text + "<"
                    + pieces[border...].joined(separator: "><")
                let outcome = Outcome(changed)
                #expect(outcome.failure == nil)
                // What is not understood of a material is kept; the rest of the scene is as before.
                var scene = outcome.scene
                for index in scene.materials.indices { scene.materials[index].extras = [] }
                #expect(scene == whole.scene, "\(pieces[border - 1].suffix(30))> \(text.prefix(8))")
                #expect(outcome.findings.isEmpty)
            }
        }
    }

    @Test func bothRetentionsGiveTheSameFigures() {
        var options = ColladaOptions()
        options.retention = .figures
        let bare = Outcome(Self.text, options: options)
        let full = Outcome(Self.text)
        // The arrays of meshes and the curves are what only everything has.
        var figures = full.scene
        for index in figures.geometries.indices {
            figures.geometries[index].mesh = nil
        }
        for index in figures.animations.indices { figures.animations[index].channels = [] }
        #expect(figures != full.scene)
        #expect(bare.scene == figures)
        #expect(bare.document.geometries.map(\.measure) == full.document.geometries.map(\.measure))
        guard let kept = full.document.geometries.first?.built, bare.document.geometries.first?.built == nil,
            case .mesh(let left)? = bare.document.geometries.first?.kind
        else {
            Issue.record("no mesh, or one where only figures are wanted")
            return
        }
        #expect(kept.primitives.map(\.indices.count) == [6, 4])
        #expect(left.primitives.map(\.indices.count) == [0, 0])
        #expect(left.sources.allSatisfy { $0.array == .none })
    }

    @Test func mutationsGiveASceneOrACodedFailure() {
        let good = Array(Self.text.utf8)
        var random = SeededNumbers(seed: 21)
        var scenes = 0
        for _ in 0..<5000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes[at] = Array("0123456789-#. <>/\"".utf8).randomElement(using: &random) ?? 0
                case 2: bytes.remove(at: at)
                case 3: bytes.insert(contentsOf: Array("999999999".utf8), at: at)
                case 4:
                    // Two digits exchange, which keeps the markup whole.
                    let other = Int.random(in: bytes.indices, using: &random)
                    if isWord(bytes[at]), isWord(bytes[other]) { bytes.swapAt(at, other) }
                default: bytes.removeSubrange(at..<min(bytes.count, at + 30))  // numbers
                }
            }
            let outcome = Outcome(bytes, chunk: Int.random(in: 1...5000, using: &random))
            if outcome.failure == nil {
                scenes += 1
                if SceneCensus(of: outcome.scene).nodes > 0 { _ = SceneBounds(of: outcome.scene) }
            } else {
                #expect(outcome.failure?.message.isEmpty == false)
            }
        }
        #expect(scenes > 200)
    }

    /// Only words change, so every one of these is well-formed.
    @Test func changedWordsGiveASceneEachTime() {
        let good = Array(Self.text.utf8)
        let words = ["-1", "0", "1e400", "NaN", "2147483648", "99999999", "", "1,5", "#geo", "#nod", "mesh", "x"]
        var random = SeededNumbers(seed: 22)
        let body = good.dropFirst(150).indices.filter {
            good[$0] == UInt8(ascii: "\"") || good[$0] == UInt8(ascii: ">")
        }
        for _ in 0..<3000 {
            var bytes = good
            guard let start = body.randomElement(using: &random) else { continue }
            let end = bytes[(start + 1)...].firstIndex { !isWord($0) && $0 != UInt8(ascii: "#") } ?? bytes.endIndex
            // What stands in quotation marks or directly in an element.
            guard end > start + 1, bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "<") else { continue }
            bytes.replaceSubrange((start + 1)..<end, with: Array((words.randomElement(using: &random) ?? "").utf8))
            let outcome = Outcome(bytes)
            #expect(outcome.failure == nil, "\(outcome.failure?.description ?? "")")
        }
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }
}

extension String {
    func components(separatedBy other: String) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        let bytes = Array(utf8)
        let wanted = Array(other.utf8)
        var at = 0
        while at < bytes.count {
            if bytes[at...].starts(with: wanted) {
                parts.append(String(decoding: part, as: UTF8.self))
                part = []
                at += wanted.count
            } else {
                part.append(bytes[at])
                at += 1
            }
        }
        return parts + [String(decoding: part, as: UTF8.self)]
    }

    func replacing(_ other: String, with new: String) -> String {
        components(separatedBy: other).joined(separator: new)
    }
}

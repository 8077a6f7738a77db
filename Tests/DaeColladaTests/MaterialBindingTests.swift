import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// Materials bound to meshes: symbols and texture coordinates.
@Suite struct MaterialBindingTests {
    private static let uv =
        "<source id='uv'><float_array id='uv-array' count='2'>0 0</float_array><technique_common><accessor source='#uv-array' count='1' stride='2'>"
        + "<param name='S'/><param name='T'/></accessor></technique_common></source>"

    private static func triangles(_ symbol: String, sets: [Int]) -> String {
        let inputs = sets.map { "<input semantic='TEXCOORD' source='#uv' offset='1' set='\($0)'/>" }.joined()
        let indices = sets.isEmpty ? "0 1 2" : "0 0 1 0 2 0"
        return "<triangles count='1' material='\(symbol)'>\(Mesh.input)\(inputs)<p>\(indices)</p></triangles>"
    }

    private func outcome(
        _ primitives: String, bind: String, texcoord: String = "UVMap", vertices: String = Mesh.vertices,
        retention: ColladaOptions.Retention = .everything
    ) -> Outcome {
        let libraries =
            Mesh.geometry(primitives, source: Mesh.source() + Self.uv, vertices: vertices)
            + "<library_images><image id='i'><init_from>a.png</init_from></image></library_images>"
            + "<library_effects><effect id='e'>"
            + EffectDocument.profile(
                EffectDocument.texture("diffuse", "s", texcoord) + EffectDocument.texture("specular", "s", texcoord),
                parameters: EffectDocument.surface("f", "i") + EffectDocument.sampler("s", "f"))
            + "</effect></library_effects><library_materials><material id='m'><instance_effect url='#e'/></material><material id='plain'/></library_materials>"
        var document = Document()
        document.body = libraries
        document.node = "<instance_geometry url='#g'>\(bind)</instance_geometry>"
        var options = ColladaOptions()
        options.retention = retention
        return Outcome(document.text, options: options)
    }

    private func bind(_ materials: [(String, String)], _ inputs: String = "") -> String {
        let instances = materials.map {
            "<instance_material symbol='\($0.0)' target='#\($0.1)'>\(inputs)</instance_material>"
        }
        return "<bind_material><technique_common>\(instances.joined())</technique_common></bind_material>"
    }

    @Test func bindingsAreKeptWhole() {
        let outcome = outcome(
            Self.triangles("s", sets: [0, 1]),
            bind: bind(
                [("s", "m")],
                "<bind semantic='LIGHT' target='m/color'/><bind_vertex_input semantic='UVMap' input_semantic='TEXCOORD' input_set='1'/>"
            ))
        let binding = MaterialBinding(
            symbol: "s", material: SceneIndex(0),
            vertexInputs: [.init(semantic: "UVMap", inputSemantic: "TEXCOORD", inputSet: 1)],
            parameters: [.init(semantic: "LIGHT", target: "m/color")])
        #expect(outcome.scene.nodes.first?.instances == [.geometry(SceneIndex(0), materials: [binding])])
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let mesh = outcome.scene.geometries.first?.mesh
        let primitive = mesh?.primitives.first
        if let mesh, let primitive {
            let choice = binding.texcoords(for: "UVMap", in: primitive, of: mesh)
            #expect(choice?.set == 1 && choice?.rule == .bound)
        } else {
            Issue.record("no mesh")
        }
    }

    /// What one material binds as the one before does is not read anew; each of these differs a little from the one before.
    @Test func eachMaterialHasWhatIsWrittenForIt() {
        let written: [(String, MaterialBinding.VertexInput)] = [
            ("semantic='AB' input_semantic='C'", .init(semantic: "AB", inputSemantic: "C", inputSet: nil)),
            ("semantic='AB' input_semantic='C'", .init(semantic: "AB", inputSemantic: "C", inputSet: nil)),
            ("semantic='A' input_semantic='BC'", .init(semantic: "A", inputSemantic: "BC", inputSet: nil)),
            ("input_semantic='A' semantic='BC'", .init(semantic: "BC", inputSemantic: "A", inputSet: nil)),
            ("semantic='&#65;B' input_semantic='C'", .init(semantic: "AB", inputSemantic: "C", inputSet: nil)),
            ("semantic='&#65;' input_semantic='BC'", .init(semantic: "A", inputSemantic: "BC", inputSet: nil)),
            ("semantic='A' input_semantic='BC' input_set='1'", .init(semantic: "A", inputSemantic: "BC", inputSet: 1)),
            ("semantic='A' input_semantic='BC' input_set='2'", .init(semantic: "A", inputSemantic: "BC", inputSet: 2)),
            ("semantic='D' input_semantic='E' input_set='x'", .init(semantic: "D", inputSemantic: "E", inputSet: nil)),
            ("semantic='D' input_semantic='E' input_set='x'", .init(semantic: "D", inputSemantic: "E", inputSet: nil)),
            ("", .init(semantic: "", inputSemantic: "TEXCOORD", inputSet: nil)),
        ]
        let instances = written.indices.map {
            "<instance_material symbol='s\($0)' target='#m'><bind_vertex_input \(written[$0].0)/></instance_material>"
        }
        let outcome = outcome(
            Self.triangles("s0", sets: []),
            bind: "<bind_material><technique_common>\(instances.joined())</technique_common></bind_material>")
        guard case .geometry(_, let bindings)? = outcome.scene.nodes.first?.instances.first else {
            Issue.record("no geometry")
            return
        }
        #expect(bindings.map(\.vertexInputs) == written.map { [$0.1] })
        #expect(outcome.findings.count { $0.code == .schemaInvalidNumber } == 2)
    }

    private static let texcoords: [(String, [Int], String, FindingCode?, Severity?)] = [
        ("UVMap", [0], "<bind_vertex_input semantic='UVMap' input_semantic='TEXCOORD' input_set='0'/>", nil, nil),
        (
            "UVMap", [0], "<bind_vertex_input semantic='UVMap' input_semantic='TEXCOORD' input_set='3'/>",
            .materialBindVertexInput, .warning
        ),
        (
            "UVMap", [0], "<bind_vertex_input semantic='Other' input_semantic='TEXCOORD' input_set='0'/>",
            .textureTexcoordEmpty, .info
        ),
        ("UVMap", [0], "", .textureTexcoordEmpty, .info), ("CHANNEL1", [0, 1], "", .textureTexcoordEmpty, .info),
        ("UVMap", [0, 1], "", .textureTexcoordEmpty, .warning), ("", [0], "", .textureTexcoordEmpty, .info),
        ("UVMap", [], "", .texcoordMissing, .warning),
        (
            "UVMap", [], "<bind_vertex_input semantic='UVMap' input_semantic='TEXCOORD' input_set='0'/>",
            .texcoordMissing, .warning
        ),
    ]

    @Test(arguments: texcoords.indices)
    func aTextureIsHeldAgainstTheMesh(index: Int) {
        let (texcoord, sets, inputs, code, severity) = Self.texcoords[index]
        for retention in [ColladaOptions.Retention.everything, .figures] {
            let outcome = outcome(
                Self.triangles("s", sets: sets), bind: bind([("s", "m")], inputs), texcoord: texcoord,
                retention: retention)
            #expect(outcome.codes == (code.map { [$0] } ?? []), "\(texcoord) \(sets) \(inputs)")
            #expect(outcome.findings.first?.severity == severity)
            #expect(outcome.findings.allSatisfy { $0.place.line == 4 })
        }
    }

    /// Different lists of inputs under one symbol are told of in the order of their first primitives, each once.
    @Test func whatASymbolsPrimitivesHaveIsToldInTheirOrder() {
        let sets = [5, 2, 9, 2, 7, 1, 5, 3]
        let outcome = outcome(
            sets.map { Self.triangles("s", sets: [$0]) }.joined(), bind: bind([("s", "m")]))
        #expect(Set(outcome.codes) == [.textureTexcoordEmpty])
        let told = outcome.findings.map { $0.arguments.first { $0.name == "set" }?.value }
        #expect(told == ["5", "2", "9", "7", "1", "3"])
    }

    @Test func symbolsAreHeldAgainstTheMesh() {
        let two = Self.triangles("a", sets: []) + Self.triangles("b", sets: [])
        #expect(outcome(two, bind: bind([("a", "plain"), ("b", "plain")])).codes == [])
        let unbound = outcome(two, bind: bind([("a", "plain")]))
        #expect(unbound.codes == [.materialSymbolUnbound])
        #expect(unbound.first(.materialSymbolUnbound)?.arguments.map(\.value) == ["b", "1"])
        #expect(outcome(two, bind: "").codes == [.materialBindMissing])
        #expect(
            outcome(two, bind: bind([("a", "plain"), ("b", "plain"), ("c", "plain")])).codes == [.materialSymbolUnused])
        // Faces without a symbol ask for nothing.
        #expect(outcome(Self.triangles("", sets: []), bind: "").codes == [])
    }

    @Test func theAddressesOf13AreBindings() {
        var document = Document(version: "1.3.0", namespace: "")
        document.body =
            Mesh.geometry(Self.triangles("#m", sets: []), source: Mesh.source() + Self.uv)
            + "<library type='MATERIAL'><material id='m'/></library>"
        document.node = Mesh.instance
        let outcome = Outcome(document.text)
        let binding = MaterialBinding(symbol: "#m", material: SceneIndex(0))
        #expect(outcome.scene.nodes.first?.instances == [.geometry(SceneIndex(0), materials: [binding])])
    }

    /// Each instance held against each symbol would be 10⁸ looks.
    @Test func manyInstancesOfManySymbolsStayLinear() {
        let count = 10_000
        let primitives = (0..<count).map { "<triangles material='s\($0)' count='0'>\(Mesh.input)</triangles>" }.joined()
        var document = Document()
        document.body =
            Mesh.geometry(primitives) + "<library_materials><material id='plain'/></library_materials>"
        document.node = String(
            repeating: "<instance_geometry url='#g'>\(bind([("s0", "plain")]))</instance_geometry>", count: count)
        let outcome = Outcome(document.text)
        #expect(outcome.scene.nodes.first?.instances.count == count)
        #expect(outcome.first(.materialSymbolUnbound)?.arguments.map(\.value) == ["s1", "\(count - 1)"])
    }

    /// Many bindings of a symbol that many primitives have: each is held against their inputs, which are listed once.
    @Test func manyBindingsOfASymbolThatManyPrimitivesHaveAreAllTold() throws {
        let count = 3000
        let instances = (0..<count).map {
            "<instance_material symbol='s' target='#m'><bind_vertex_input semantic='N\($0)' input_semantic='TEXCOORD'/></instance_material>"
        }
        let outcome = outcome(
            String(repeating: Self.triangles("s", sets: []), count: 2000),
            bind: "<bind_material><technique_common>\(instances.joined())</technique_common></bind_material>")
        let log = try outcome.document.scene(options: ColladaOptions()).log
        #expect(log.counts[.texcoordMissing] == count)
    }

    @Test func anotherInputOfTheVerticesIsNotHeldAgainstTheTextureAgain() throws {
        let primitives = [1, 2].map {
            "<triangles count='0' material='s'>\(String(repeating: Mesh.input, count: $0))</triangles>"
        }
        let outcome = outcome(primitives.joined(), bind: bind([("s", "m")]))
        let log = try outcome.document.scene(options: ColladaOptions()).log
        #expect(log.counts[.texcoordMissing] == 1)
    }

    @Test func coordinatesOfVerticesAreInTheirPrimitives() {
        let vertices =
            "<vertices id='v'><input semantic='POSITION' source='#pos'/><input semantic='TEXCOORD' source='#pos' set='3'/></vertices>"
        let outcome = outcome(Self.triangles("s", sets: []), bind: bind([("s", "m")]), vertices: vertices)
        #expect(outcome.codes == [.textureTexcoordEmpty])
        #expect(outcome.first(.textureTexcoordEmpty)?.arguments.last?.value == "3")
    }
}

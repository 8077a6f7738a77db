import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// What is within accessors and bound materials comes over and over, and is copied then instead of being read.
@Suite struct RepeatedContentTests {
    private static func source(_ id: Int, _ params: String) -> String {
        """
        <source id="s\(id)">
          <float_array id="s\(id)-array" count="3">1 2 3</float_array>
          <technique_common>
            <accessor source="#s\(id)-array" count="1" stride="3">
              \(params)
            </accessor>
          </technique_common>
        </source>

        """
    }

    private static func document(_ params: [String]) -> String {
        let sources = params.enumerated().map { source($0.offset, $0.element) }.joined()
        let triangle =
            "<vertices id='v'><input semantic='POSITION' source='#s0'/></vertices>"
            + "<triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 0 0</p></triangles>"
        var document = Document()
        document.body =
            "<library_geometries><geometry id='g'><mesh>\n\(sources)\(triangle)</mesh></geometry></library_geometries>"
        return document.text
    }

    /// Lines from 1 in which a word stands.
    private static func lines(of word: String, in text: String) -> [Int] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(word) }.map { $0.offset + 1 }
    }

    private static let checks: [SchemaChecking] = SchemaChecking.allCases

    /// What the params say decides which numbers are a position's.
    @Test(arguments: checks) func theParamsOfEachAccessorAreItsOwn(schema: SchemaChecking) {
        let forms: [(params: [String], position: [Double])] = [
            (["X", "Y", "Z"], [1, 2, 3]), (["Z", "Y", "X"], [3, 2, 1]), (["Y", "X", "Z"], [2, 1, 3]),
        ]
        var options = ColladaOptions()
        options.schema = schema
        var document = Document()
        document.asset = Self.asset
        let geometries = (0..<12).map { number in
            let params = forms[number % 3].params.map { "<param name=\"\($0)\" type=\"float\"/>" }
            return "<geometry id='g\(number)'><mesh>\n\(Self.source(number, params.joined(separator: "\n      ")))"
                + "<vertices id='v\(number)'><input semantic='POSITION' source='#s\(number)'/></vertices>"
                + "<triangles count='1'><input semantic='VERTEX' source='#v\(number)' offset='0'/><p>0 0 0</p></triangles>"
                + "</mesh></geometry>\n"
        }
        document.body = "<library_geometries>\(geometries.joined())</library_geometries>"
        let outcome = Outcome(document.text, options: options)
        #expect(outcome.failure == nil && outcome.findings.filter { $0.severity == .error }.isEmpty)
        #expect(outcome.document.geometries.map(\.positions.array) == (0..<12).map { forms[$0 % 3].position })
    }

    private static let asset =
        "<asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified></asset>"

    /// It is found out only behind the accessor what its params should be.
    @Test(arguments: checks) func whatIsWrongWithParamsIsToldWhereEachStands(schema: SchemaChecking) {
        var options = ColladaOptions()
        options.schema = schema
        let text = Self.document(
            Array(repeating: "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"Name\"/>", count: 6))
        let found = Outcome(text, options: options).findings.filter { $0.code == .accessorParamType }
        #expect(found.map(\.place.line) == Self.lines(of: "Name", in: text))
        #expect(found.count == 6 && Set(found.map(\.place.column)).count == 1)
        for finding in found {
            let bytes = Array(text.utf8)
            let start = Int(finding.place.byte ?? 0)
            #expect(String(decoding: bytes[start..<min(bytes.count, start + 15)], as: UTF8.self) == "<param name=\"Y\"")
        }
    }

    @Test func whatTheSchemaForbidsIsToldEachTime() {
        var options = ColladaOptions()
        options.schema = .strict
        let text = Self.document(Array(repeating: "<param name=\"X\" typo=\"float\" type=\"float\"/>", count: 6))
        let found = Outcome(text, options: options).findings.filter { $0.code == .schemaUnknownAttribute }
        #expect(found.map(\.place.line) == Self.lines(of: "typo", in: text))
    }

    @Test func vertexInputsAreBoundByEachInstance() {
        var options = ColladaOptions()
        options.schema = .strict
        var document = Document()
        document.asset = Self.asset
        let bound =
            "<instance_material symbol='m' target='#m'>\n<bind_vertex_input semantic='UV' input_semantic='TEXCOORD'/>\n</instance_material>"
        document.body =
            "<library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>"
            + "<library_effects><effect id='e'><profile_COMMON><technique sid='t'><constant/></technique></profile_COMMON>"
            + "</effect></library_effects>"
            + Mesh.geometry("<triangles material='m' count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
        document.node = String(
            repeating:
                "<instance_geometry url='#g'><bind_material><technique_common>\(bound)</technique_common></bind_material></instance_geometry>\n",
            count: 4)
        let outcome = Outcome(document.text, options: options)
        #expect(outcome.failure == nil && !outcome.findings.contains { $0.message.contains("bind_vertex_input") })
        let inputs = outcome.scene.nodes.flatMap(\.instances).compactMap { instance -> [MaterialBinding.VertexInput]? in
            if case .geometry(_, let materials) = instance { materials.first?.vertexInputs } else { nil }
        }
        #expect(inputs == Array(repeating: [.init(semantic: "UV", inputSemantic: "TEXCOORD", inputSet: nil)], count: 4))
    }

    @Test func idsWithinAreEachNoted() {
        var document = Document()
        let extra =
            "<instance_material symbol='m' target='#m'>\n<extra id='twice'><technique profile='P'/></extra>\n</instance_material>"
        document.body = Mesh.geometry("<triangles material='m' count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
        document.node =
            "<instance_geometry url='#g'><bind_material><technique_common>\n\(extra)\n\(extra)\n\(extra)\n</technique_common></bind_material></instance_geometry>"
        let text = document.text
        let found = Outcome(text).findings.filter { $0.code == .idDuplicate }
        #expect(found.map(\.place.line) == Array(Self.lines(of: "twice", in: text).dropFirst()))
    }

    /// What has no place where it stands is not held against the schema, and so is none that others can be taken for.
    @Test func whatWasNotCheckedIsNotRepeatedWhereItWouldBe() {
        let input = "<bind_vertex_input semantic='UV'/>"
        func material(_ symbol: String, _ within: String) -> String {
            "<instance_material symbol='\(symbol)' target='#m'>\(within)</instance_material>"
        }
        func instance(_ materials: String) -> String {
            "<instance_geometry url='#g'><bind_material><technique_common>\(materials)</technique_common></bind_material>"
                + "</instance_geometry>"
        }
        var options = ColladaOptions()
        options.schema = .strict
        var document = Document()
        document.body = Mesh.geometry("<triangles material='a' count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
        // The innermost of the first node stands as deep as the second node's.
        document.node =
            instance("<instance_material symbol='a' target='#m'/>" + material("b", material("c", input)))
            + "<node id='deeper'>\n\(instance(material("d", input)))\n</node>"
        let text = document.text
        let found = Outcome(text, options: options).findings.filter {
            $0.code == .schemaMissingAttribute && $0.message.contains("input_semantic")
        }
        #expect(found.map(\.place.line) == Self.lines(of: "symbol='d'", in: text))
    }

    @Test(arguments: [1, 7, 64, 1000]) func chunksChangeNothing(chunk: Int) {
        let params = (0..<8).map { $0 % 3 == 0 ? "<param name=\"S\"/>" : "<param name=\"X\" type=\"float\"/>" }
        let bytes = Array(Self.document(params).utf8)
        let whole = Outcome(bytes)
        let cut = Outcome(bytes, chunk: chunk)
        #expect(
            cut.document.geometries.map(\.positions) == whole.document.geometries.map(\.positions)
                && cut.findings == whole.findings)
        #expect(whole.failure == nil && cut.failure == nil)
    }
}

import DaeScene
import Testing

@Suite struct TexcoordChoiceTests {
    private static func inputs(_ sets: [Int?]) -> [VertexInputName] {
        [VertexInputName(semantic: "POSITION", set: nil), VertexInputName(semantic: "NORMAL", set: nil)]
            + sets.map { VertexInputName(semantic: "TEXCOORD", set: $0) }
    }

    private struct Case {
        let name: String
        let sets: [Int?]
        var bound: MaterialBinding.VertexInput?
        let choice: TexcoordChoice?
    }

    private static func vertexInput(_ semantic: String, _ set: Int?, _ name: String = "TEXCOORD")
        -> MaterialBinding.VertexInput
    {
        .init(semantic: semantic, inputSemantic: name, inputSet: set)
    }

    private static let cases = [
        Case(
            name: "UVMap", sets: [0, 1], bound: vertexInput("UVMap", 1), choice: .init(input: 3, set: 1, rule: .bound)),
        Case(
            name: "UVMap", sets: [nil], bound: vertexInput("UVMap", 0), choice: .init(input: 2, set: nil, rule: .bound)),
        Case(
            name: "UVMap", sets: [4, 5], bound: vertexInput("UVMap", nil), choice: .init(input: 2, set: 4, rule: .bound)
        ),
        // What is bound to something that is not there, or under another name, does not count.
        Case(name: "UVMap", sets: [0], bound: vertexInput("UVMap", 7), choice: .init(input: 2, set: 0, rule: .only)),
        Case(
            name: "UVMap", sets: [0, 1], bound: vertexInput("Other", 1), choice: .init(input: 2, set: 0, rule: .first)),
        Case(name: "1", sets: [0, 1], choice: .init(input: 3, set: 1, rule: .number)),
        Case(name: "CHANNEL2", sets: [0, 1, 2], choice: .init(input: 4, set: 2, rule: .number)),
        Case(name: "CHANNEL2", sets: [0, 1], choice: .init(input: 3, set: 1, rule: .numberFromOne)),
        Case(name: "TEX0", sets: [nil], choice: .init(input: 2, set: nil, rule: .number)),
        Case(name: "TEX9", sets: [0, 1], choice: .init(input: 2, set: 0, rule: .first)),
        Case(name: "UVSET0", sets: [1], choice: .init(input: 2, set: 1, rule: .only)),
        Case(name: "", sets: [3], choice: .init(input: 2, set: 3, rule: .only)),
        Case(name: "99999999999999999999", sets: [0, 1], choice: .init(input: 2, set: 0, rule: .first)),
        Case(name: "UVMap", sets: [], choice: nil),
    ]

    @Test(arguments: cases.indices)
    func theSetIsTheBoundOneOrWhatTheNameMeans(index: Int) {
        let one = Self.cases[index]
        let binding = MaterialBinding(
            symbol: "s", material: nil, vertexInputs: one.bound.map { [$0] } ?? [])
        #expect(binding.texcoords(for: one.name, among: Self.inputs(one.sets)) == one.choice, "\(one.name) \(one.sets)")
    }

    @Test func aPrimitiveIsAskedByItsStreams() {
        func stream(_ semantic: Mesh.Semantic) -> Mesh.Stream {
            Mesh.Stream(semantic: semantic, values: [], offset: 0, stride: 2, lanes: [0, 1], count: 0)
        }
        let mesh = Mesh(streams: [stream(.position), stream(.texcoord), stream(.custom("UV"))], primitives: [])
        var primitive = Mesh.Primitive(
            kind: .triangles, material: "s",
            inputs: [
                .init(stream: 0, offset: 0, set: nil), .init(stream: 1, offset: 1, set: 0),
                .init(stream: 1, offset: 2, set: 1), .init(stream: 2, offset: 3, set: 0),
            ], stride: 4, indices: [], cornerCounts: [], holeCounts: [])
        let binding = MaterialBinding(
            symbol: "s", material: nil,
            vertexInputs: [
                .init(semantic: "A", inputSemantic: "TEXCOORD", inputSet: 1),
                .init(semantic: "B", inputSemantic: "UV", inputSet: 0),
            ])
        #expect(binding.texcoords(for: "A", in: primitive, of: mesh) == .init(input: 2, set: 1, rule: .bound))
        #expect(binding.texcoords(for: "B", in: primitive, of: mesh) == .init(input: 3, set: 0, rule: .bound))
        #expect(binding.texcoords(for: "C", in: primitive, of: mesh)?.rule.isGuess == true)
        primitive.inputs = [.init(stream: 99, offset: 0, set: 0)]
        #expect(binding.texcoords(for: "A", in: primitive, of: mesh) == nil)
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

@Suite struct PrimitiveTests {
    struct Figures: Equatable, Sendable {
        var submeshes = 1
        var triangles = 0
        var faceCorners = 0
        var lines = 0
    }

    private func figures(_ outcome: Outcome) -> Figures? {
        outcome.measure.map {
            Figures(submeshes: $0.submeshes, triangles: $0.triangles, faceCorners: $0.faceCorners, lines: $0.lines)
        }
    }

    private static let kinds: [(String, Figures)] = [
        ("<triangles count='2'>@<p>0 1 2 0 2 3</p></triangles>", Figures(triangles: 2, faceCorners: 6)),
        ("<triangles count='2'>@<p>0 1 2</p><p>0 2 3</p></triangles>", Figures(triangles: 2, faceCorners: 6)),
        (
            "<polylist count='2'>@<vcount>3 4</vcount><p>0 1 2 0 1 2 3</p></polylist>",
            Figures(triangles: 3, faceCorners: 7)
        ),
        ("<polygons count='2'>@<p>0 1 2 3</p><p>0 1 2</p></polygons>", Figures(triangles: 3, faceCorners: 7)),
        ("<tristrips count='2'>@<p>0 1 2 3</p><p>0 1 2</p></tristrips>", Figures(triangles: 3, faceCorners: 9)),
        ("<trifans count='1'>@<p>0 1 2 3</p></trifans>", Figures(triangles: 2, faceCorners: 6)),
        ("<lines count='2'>@<p>0 1 2 3</p></lines>", Figures(lines: 2)),
        ("<linestrips count='2'>@<p>0 1 2 3</p><p>0 1</p></linestrips>", Figures(lines: 4)),
        // A quadrangle with a triangular hole: 4 + 3 + 2 − 2.
        ("<polygons count='1'>@<ph><p>0 1 2 3</p><h>0 1 2</h></ph></polygons>", Figures(triangles: 7, faceCorners: 7)),
        (
            "<polygons count='3'>@<p>0 1 2</p><ph><p>0 1 2 3</p><h>0 1 2</h><h>1 2 3</h></ph><p>1 2 3</p></polygons>",
            Figures(triangles: 14, faceCorners: 16)
        ),
    ]

    @Test(arguments: kinds.indices)
    func eachKindIsCounted(index: Int) {
        let (text, expected) = Self.kinds[index]
        let outcome = Document().with(Mesh.geometry(text.replacing("@", with: Mesh.input)), node: Mesh.instance)
        #expect(figures(outcome) == expected, "\(text)")
        let hasFurther = text.hasPrefix("<triangles") && text.contains("</p><p>")
        #expect(outcome.codes == (hasFurther ? [.quirkSeveralIndexLists] : []), "\(outcome.findings)")
        #expect(outcome.measure?.bounds == Bounds(min: .zero, max: [1, 1, 0]))
        #expect(SceneCensus(of: outcome.scene).triangles == expected.triangles)
    }

    private static let degenerate: [(String, Int)] = [
        ("<triangles count='4'>@<p>0 1 2 0 0 2 1 3 3 2 1 2</p></triangles>", 3),
        ("<polylist count='3'>@<vcount>3 4 4</vcount><p>0 1 2 0 1 2 0 0 1 2 3</p></polylist>", 1),
        ("<polygons count='2'>@<p>0 1 1 3</p><p>0 1 0 2</p></polygons>", 1),
        // Strips are joined by such triangles.
        ("<tristrips count='1'>@<p>0 1 1 2 3</p></tristrips>", 0),
        ("<triangles count='1'>@<p>0 1 2 0 0</p></triangles>", 0),
    ]

    @Test(arguments: degenerate.indices)
    func facesWithACornerTwiceInARowAreCountedAndTold(index: Int) {
        let (text, expected) = Self.degenerate[index]
        let outcome = Document().with(Mesh.geometry(text.replacing("@", with: Mesh.input)), node: Mesh.instance)
        #expect(outcome.measure?.degenerateFaces == expected, "\(text)")
        let told = outcome.findings.filter { $0.code == .triangleDegenerate }
        #expect(told.map { $0.arguments.first?.value } == (expected == 0 ? [] : ["\(expected)"]))
    }

    @Test func theStrideIsTheLargestOffsetAndOne() {
        let uv = Mesh.source(
            "uv", "0 0 1 1", count: 4,
            accessor: "<accessor source='#uv-array' count='2' stride='2'><param name='S'/><param name='T'/></accessor>")
        let inputs = Mesh.input + "<input semantic='TEXCOORD' source='#uv' offset='3' set='1'/>"
        let outcome = Document().with(
            Mesh.geometry(
                "<triangles count='1'>\(inputs)<p>0 9 9 1  1 9 9 0  2 9 9 1</p></triangles>", source: Mesh.source() + uv
            ),
            node: Mesh.instance)
        #expect(figures(outcome) == Figures(triangles: 1, faceCorners: 3))
        #expect(outcome.findings.isEmpty)
        #expect(outcome.document.geometries.first?.positions.array.prefix(9) == [0, 0, 0, 1, 0, 0, 1, 1, 0])
        #expect(outcome.scene.geometries.first?.usedPositions == [0b111])
        guard case .mesh(let mesh)? = outcome.document.geometries.first?.kind else {
            Issue.record("no mesh")
            return
        }
        #expect(mesh.primitives.first?.stride == 4)
        #expect(mesh.primitives.first?.inputs.map(\.set) == [nil, 1])
    }

    private static let faults: [(String, FindingCode, Figures)] = [
        (
            "<triangles count='5'>@<p>0 1 2</p></triangles>", .primitiveCountMismatch,
            Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'>@<p>0 1 2 3</p></triangles>", .primitiveIndexCount,
            Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'>@<p>0 1 9</p></triangles>", .primitiveIndexOutOfBounds,
            Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'>@<p>0 1 -1</p></triangles>", .primitiveIndexNegative,
            Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'>@<p>0 1 2147483647</p></triangles>", .primitiveIndexOutOfBounds,
            Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'>@<p>0 1 99999999999</p></triangles>", .schemaInvalidNumber,
            Figures(triangles: 1, faceCorners: 3)
        ),
        ("<triangles count='1'>@<p>0 1 x</p></triangles>", .schemaInvalidNumber, Figures(triangles: 1, faceCorners: 3)),
        ("<triangles count='0'>@<p/></triangles>", .primitiveEmpty, Figures(submeshes: 0)),
        ("<triangles count='0'>@</triangles>", .primitiveEmpty, Figures(submeshes: 0)),
        (
            "<polylist count='2'>@<vcount>3 9</vcount><p>0 1 2 3</p></polylist>", .primitiveVcountMismatch,
            Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<polylist count='1'>@<vcount>2</vcount><p>0 1</p></polylist>", .primitiveTooFewVertices,
            Figures(triangles: 0, faceCorners: 2)
        ),
        (
            "<polylist count='1'>@<vcount>-3 3</vcount><p>0 1 2</p></polylist>", .primitiveTooFewVertices,
            Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<polylist count='1'>@<vcount>2147483647 3</vcount><p>0 1 2</p></polylist>", .primitiveVcountMismatch,
            Figures(submeshes: 0)
        ),
        ("<polylist count='1'>@<p>0 1 2</p></polylist>", .primitiveIndexCount, Figures(submeshes: 0)),
        (
            "<polygons count='1'>@<ph><p>0 1 2 3</p><h/></ph></polygons>", .primitiveCountMismatch,
            Figures(triangles: 2, faceCorners: 4)
        ),
        (
            "<triangles count='1'><input semantic='VERTEX' source='v' offset='0'/><p>0 1 2</p></triangles>",
            .refMissingHash, Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'><input semantic='VERTEX' source='#w' offset='0'/><p>0 1 2</p></triangles>",
            .accessorNoSource, Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'><input semantic='VERTEX' offset='0'/><p>0 1 2</p></triangles>",
            .schemaMissingAttribute, Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'><input semantic='VERTEX' source='#v' offset='-1'/><p>0 1 2</p></triangles>",
            .inputOffsetTooLarge, Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'><input semantic='VERTEX' source='#v' offset='2000000000'/><p>0 1 2</p></triangles>",
            .inputOffsetTooLarge, Figures(triangles: 1, faceCorners: 3)
        ),
        (
            "<triangles count='1'>@<input semantic='NORMAL' source='#no' offset='0'/><p>0 1 2</p></triangles>",
            .accessorNoSource, Figures(triangles: 1, faceCorners: 3)
        ),
        ("<triangles count='1'><p>0 1 2</p></triangles>", .inputNoVertex, Figures(triangles: 1, faceCorners: 3)),
        ("<tristrips count='1'>@<p>0 1</p></tristrips>", .primitiveTooFewVertices, Figures()),
    ]

    @Test(arguments: faults.indices)
    func eachFaultIsToldAndTheRestIsCounted(index: Int) {
        let (text, code, expected) = Self.faults[index]
        let outcome = Document().with(Mesh.geometry(text.replacing("@", with: Mesh.input)), node: Mesh.instance)
        #expect(outcome.failure == nil)
        if text.contains("<h/>") {
            #expect(outcome.findings.isEmpty, "a hole without a corner is none")
        } else {
            #expect(outcome.codes.contains(code), "\(text): \(outcome.findings)")
        }
        #expect(figures(outcome) == expected, "\(text)")
        #expect(outcome.scene.nodes.first?.instances.count == 1)
    }

    /// Figures come from the indices that are there, never from what is announced.
    @Test(arguments: ["tristrips", "trifans", "linestrips", "polygons", "triangles", "lines"])
    func aVcountWhereNoneBelongsMakesNothing(kind: String) {
        let plain = Document().with(Mesh.geometry("<\(kind)>\(Mesh.input)<p>0 1 2 3</p></\(kind)>"))
        let odd = Document().with(
            Mesh.geometry("<\(kind)>\(Mesh.input)<vcount>1000000000 2000000000 -5</vcount><p>0 1 2 3</p></\(kind)>"))
        #expect(figures(odd) == figures(plain))
        #expect(odd.measure == plain.measure)
    }

    @Test func aFindingStandsAtItsElement() {
        let outcome = Document().with(
            "\n\n  " + Mesh.geometry("\n <triangles count='1'>\(Mesh.input)<p>0 1 9</p></triangles>"))
        let place = outcome.first(.primitiveIndexOutOfBounds)?.place
        #expect(place?.line == 6)
        #expect(place?.column == 2)
        #expect(place?.elementID == "g")
    }
}

extension String {
    func replacing(_ other: Character, with new: String) -> String {
        split(separator: other, omittingEmptySubsequences: false).joined(separator: new)
    }
}

// Lists that go over many chunks, and have something odd wherever two meet: they are read as in one piece.

import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

@Suite struct LongListTests {
    private static let chunks = [40_000, 1 << 16, 100_003, 1 << 18, 1 << 24]

    private static func options(_ retention: ColladaOptions.Retention) -> ColladaOptions {
        var options = ColladaOptions()
        options.retention = retention
        return options
    }

    private static let row = "0.125 -17.5 3e2\n"

    /// Rows with others among them, each at so many bytes.
    private static func rows(_ count: Int, _ row: String, _ others: [Int: String] = [:]) -> String {
        let every = row.utf8.count
        return (0..<count).map { place in
            let here = others.first { $0.key / every == place }
            return (here?.value ?? "") + row
        }.joined()
    }

    private static func document(_ values: String, _ indices: String, triangles: String = "1") -> String {
        Document(
            body: Mesh.geometry(
                "<triangles count='\(triangles)'>\(Mesh.input)<p>\(indices)</p></triangles>"
                    + "<triangles count='1'>\(Mesh.input)<p>0 1 2 drei</p></triangles>",
                source: Mesh.source("pos", values, count: 30_000)), node: Mesh.instance
        ).text
    }

    private func expectSame(_ text: String, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
        let bytes = Array(text.utf8)
        for retention in [ColladaOptions.Retention.everything, .figures] {
            let whole = Outcome(bytes, chunk: bytes.count, options: Self.options(retention))
            for chunk in Self.chunks {
                let cut = Outcome(bytes, chunk: chunk, options: Self.options(retention))
                #expect(cut.findings == whole.findings, comment, sourceLocation: sourceLocation)
                #expect(cut.failure == whole.failure, comment, sourceLocation: sourceLocation)
                #expect(
                    cut.scene.geometries.map { $0.positions.map(\.bitPattern) }
                        == whole.scene.geometries.map { $0.positions.map(\.bitPattern) }, comment,
                    sourceLocation: sourceLocation)
                #expect(
                    cut.scene.geometries.map(\.mesh?.primitives) == whole.scene.geometries.map(\.mesh?.primitives),
                    comment, sourceLocation: sourceLocation)
                #expect(cut.measure == whole.measure, comment, sourceLocation: sourceLocation)
            }
        }
    }

    private static let plainIndices = rows(20_000, "0 17 300 ")

    @Test func plainListsMayBeCutAnywhere() {
        expectSame(Self.document(Self.rows(20_000, Self.row), Self.plainIndices), "plain")
    }

    @Test(arguments: ["20000", "19999", "60000", "2147483647", "-1", "99999999999999999999", "viele"])
    func aCountOfPolygonsMayLie(_ count: String) {
        expectSame(Self.document(Self.rows(20_000, Self.row), Self.plainIndices, triangles: count), "\(count)")
    }

    @Test func whatIsOddIsToldInItsPlaceAndOrder() {
        let places = [0, 65_536, 66_000, 131_072, 131_100, 200_000, 262_144, 319_000]
        let odd = Dictionary(uniqueKeysWithValues: places.map { ($0, "qu\($0)x ") })
        let values = Self.rows(20_000, Self.row, odd)
        let outcome = Outcome(Array(Self.document(values, Self.plainIndices).utf8))
        #expect(outcome.codes.count { $0 == .schemaInvalidNumber } == places.count + 1)
        expectSame(Self.document(values, Self.rows(20_000, "0 17 300 ", odd)), "odd")
    }

    @Test func anIDThatStandsTwiceIsToldBeforeItsNumbers() throws {
        let values = Self.rows(20_000, Self.row, [0: "quux ", 131_072: "quux "])
        let text = Self.document(values, Self.plainIndices).replacing("pos-array", with: "pos")
        expectSame(text, "id")
        let outcome = Outcome(Array(text.utf8))
        #expect(outcome.codes.prefix(3) == [.idDuplicate, .schemaInvalidNumber, .schemaInvalidNumber])
    }

    @Test func moreOddTokensThanAreToldAreCounted() {
        expectSame(Self.document(Self.rows(9000, "1 x 2 y\n"), Self.rows(9000, "1 x 2 y\n")), "many")
    }

    @Test func aCommaHoldsTheRestBack() {
        expectSame(Self.document(Self.rows(20_000, Self.row, [140_000: "0,5 "]), Self.plainIndices), "comma")
    }

    @Test func commentsSectionsReferencesAndElementsCutTheText() {
        for part in ["<!-- 9\n9 -->", "<![CDATA[ 7 ]]>", "&#32;", "&amp; ", "<b>8</b>", "<?p 6?>", "\u{E9} ", "]"] {
            let values = Self.rows(20_000, Self.row, [70_000: part, 250_000: part])
            expectSame(Self.document(values, Self.rows(20_000, "0 17 300 ", [90_000: part])), "\(part)")
        }
    }

    @Test func linesMayEndInTwoBytes() {
        let values = Self.rows(20_000, "0.125 -17.5 3e2\r\n", [150_000: "quux "])
        expectSame(Self.document(values, Self.rows(20_000, "0 17 300\r\n", [150_000: "quux "])), "returns")
    }

    @Test func whatWasToldBeforeAFaultIsThereWhenItIsThrown() {
        let values = Self.rows(20_000, Self.row, [80_000: "quux ", 200_000: "</fault>", 210_000: "never "])
        let text = Array(Self.document(values, "0 1 2").utf8)
        let parser = ColladaParser()
        var pieces = Pieces()
        #expect(throws: CodedFailure.self) {
            for start in stride(from: 0, to: text.count, by: 1 << 16) {
                try pieces.read(text[start..<min(text.count, start + 1 << 16)], by: parser)
            }
        }
        #expect(parser.log.findings.map(\.code) == [.schemaInvalidNumber])
    }

    @Test func aParserMayGoAtAnyTime() throws {
        let text = Array(Self.document(Self.rows(20_000, Self.row), Self.plainIndices).utf8)
        for count in stride(from: 0, to: text.count, by: 50_021) {
            let parser = ColladaParser()
            var pieces = Pieces()
            try pieces.read(text[..<count], by: parser)
            #expect(parser.bytesRead == Int64(count))
        }
    }

    @Test func aFullDiskEndsReadingAtOnce() throws {
        let rows = Self.rows(240_000, Self.row)
        let text = Array(Self.document(rows, Self.plainIndices).utf8)
        var options = Self.options(.figures)
        options.spool = NumberSpool(fileBytes: 1 << 20)
        options.spool?.memoryBytes = 1 << 20
        let parser = ColladaParser(options: options)
        var pieces = Pieces()
        #expect(throws: CodedFailure.self) {
            for start in stride(from: 0, to: text.count, by: 1 << 16) {
                try pieces.read(text[start..<min(text.count, start + 1 << 16)], by: parser)
            }
        }
        #expect(parser.bytesRead < Int64(rows.utf8.count))
    }
}

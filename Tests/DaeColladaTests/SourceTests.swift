import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

@Suite struct SourceTests {
    private static let triangle = "<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>"

    private func read(_ source: String) -> Outcome {
        Document().with(Mesh.geometry(Self.triangle, source: source), node: Mesh.instance)
    }

    private func accessor(_ attributes: String, _ params: String...) -> String {
        "<accessor source='#pos-array' \(attributes)>\(params.map { "<param\($0.isEmpty ? "" : " name='\($0)'") type='float'/>" }.joined())</accessor>"
    }

    private static let forms: [(values: String, attributes: String, params: [String], positions: [Double])] = [
        ("1 2 3 4 5 6 7 8 9", "count='3' stride='3'", ["X", "Y", "Z"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("9 9 1 2 3 4 5 6 7 8 9", "count='3' stride='3' offset='2'", ["X", "Y", "Z"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("1 2 3 0 4 5 6 0 7 8 9 0", "count='3' stride='4'", ["X", "Y", "Z"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("0 1 2 3 0 4 5 6 0 7 8 9", "count='3' stride='4'", ["", "X", "Y", "Z"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("1 0 2 3 4 0 5 6 7 0 8 9", "count='3' stride='4'", ["A", "", "B", "C"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("2 1 3 5 4 6 8 7 9", "count='3' stride='3'", ["Y", "X", "Z"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("3 2 1 6 5 4 9 8 7", "count='3' stride='3'", ["z", "y", "x"], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("1 2 3 4 5 6 7 8 9", "count='3' stride='3'", ["", "", ""], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("1 2 3 4 5 6 7 8 9", "count='3' stride='3'", [], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("1 2 4 5 7 8", "count='3' stride='2'", ["X", "Y"], [1, 2, 0, 4, 5, 0, 7, 8, 0]),
    ]

    @Test(arguments: forms.indices)
    func positionsAreTakenAsTheAccessorSays(index: Int) {
        let form = Self.forms[index]
        let count = form.values.split(separator: " ").count
        let params = form.params.map { "<param\($0.isEmpty ? "" : " name='\($0)'") type='float'/>" }.joined()
        let outcome = read(
            Mesh.source(
                "pos", form.values, count: count,
                accessor: "<accessor source='#pos-array' \(form.attributes)>\(params)</accessor>"))
        #expect(outcome.document.geometries.first?.positions.array == form.positions)
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        #expect(outcome.measure?.positions == 3)
    }

    /// Among many, sources are found by a table; it says the same as looking through few does.
    @Test(arguments: [3, 40])
    func ofSourcesWithTheSameIdTheFirstIsMeantHoweverManyThereAre(others: Int) throws {
        let between = (0..<others).map { Mesh.source("more-\($0)", "\($0) 0 0", count: 3) }.joined()
        let source =
            Mesh.source("pos", accessor: "<accessor source='#last-array' count='3' stride='3'/>")
            + between + Mesh.source("last", "1 2 3 4 5 6 7 8 9", count: 9)
            + Mesh.source("pos", "9 9 9 9 9 9 9 9 9", count: 9) + Mesh.source("last", "8 8 8 8 8 8 8 8 8", count: 9)
        let mesh = try #require(try read(source).document.scene().scene.geometries.first?.mesh)
        #expect(mesh.streams.map(\.values) == [[1, 2, 3, 4, 5, 6, 7, 8, 9]])
    }

    @Test func numbersAreShownAsTheyAreWritten() throws {
        let array = try #require(read(Mesh.source(count: 4_000_000_000)).first(.arrayCountMismatch))
        #expect(array.message == "count is 4000000000, but the array has 12 values")
        #expect(array.arguments.first?.value == "4000000000")
        let accessor = "<accessor source='#pos-array' count='4000000000' stride='3'/>"
        let overflow = try #require(read(Mesh.source(accessor: accessor)).first(.accessorOverflow))
        #expect(overflow.message.hasPrefix("a count of 2147483647 or more and a stride of 3 make"))
        let body = Mesh.geometry(
            "<triangles count='1'><input semantic='VERTEX' source='#v' offset='4000000000'/><p>0 1 4000000000</p></triangles>"
        )
        let outcome = Document().with(body)
        #expect(outcome.first(.inputOffsetTooLarge)?.message.contains("offset is 4000000000; expected") == true)
        #expect(outcome.first(.primitiveIndexOutOfBounds)?.message.contains("is 2147483647 or more; expected") != false)
    }

    @Test func aCountThatIsNoNumberIsToldOnce() {
        var options = ColladaOptions()
        options.schema = .lenient
        var document = Document()
        document.body = Mesh.geometry(
            "", source: Mesh.source().replacing("count='12'", with: "count='99999999999999999999999'"))
        let outcome = Outcome(document.text, options: options)
        #expect(outcome.codes.contains(.schemaInvalidNumber))
        #expect(!outcome.codes.contains(.arrayCountMismatch))
    }

    /// An id that two arrays have is told elsewhere; an accessor that names it means the array beside it.
    @Test func ofArraysWithOneIDTheOwnOneIsRead() throws {
        let colors = Mesh.source(
            "col", "7 8 9", count: 3, accessor: "<accessor source='#pos-array' count='1' stride='3'/>"
        )
        .replacing("col-array", with: "pos-array")
        let outcome = read(colors + Mesh.source())
        #expect(outcome.first(.accessorOutOfRange) == nil)
        #expect(outcome.measure?.positions == 4)
        let mesh = try #require(outcome.scene.geometries.first?.mesh)
        #expect(mesh.streams.first?.values == [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0])
    }

    private static let faults: [(source: String, code: FindingCode, positions: Int)] = [
        (Mesh.source(count: 99), .arrayCountMismatch, 4),
        (Mesh.source("pos", "0 0 0 1 0 0 1 1 0", count: 9), .accessorOutOfRange, 3),
        (Mesh.source("pos", "", count: 0), .accessorOutOfRange, 0),
        (
            Mesh.source(accessor: "<accessor source='#pos-array' count='2147483647' stride='2147483647'/>"),
            .accessorOverflow, 1
        ),
        (
            Mesh.source(accessor: "<accessor source='#pos-array' count='4' stride='3' offset='2147483647'/>"),
            .accessorOverflow, 0
        ),
        (Mesh.source(accessor: "<accessor source='#pos-array' count='-4' stride='3'/>"), .schemaInvalidNumber, 4),
        (Mesh.source(accessor: "<accessor source='#pos-array' count='x' stride='3'/>"), .schemaInvalidNumber, 4),
        (Mesh.source(accessor: "<accessor source='#pos-array' stride='3'/>"), .schemaMissingAttribute, 4),
        (
            Mesh.source(accessor: "<accessor source='#pos-array' stride='3' offset='13'/>"),
            .schemaMissingAttribute, 0
        ),
        (Mesh.source(accessor: "<accessor source='#other' count='4' stride='3'/>"), .accessorNoSource, 4),
        (
            Mesh.source(
                accessor:
                    "<accessor source='#pos-array' count='4' stride='1'><param name='X'/><param name='Y'/></accessor>"),
            .accessorStrideTooSmall, 4
        ),
        ("<source id='pos'><technique_common/></source>", .primitiveIndexOutOfBounds, 0),
        ("<source id='other'/>", .accessorNoSource, 0),
    ]

    @Test(arguments: faults.indices)
    func eachFaultOfASourceIsToldAndTheRestIsRead(index: Int) {
        let (source, code, positions) = Self.faults[index]
        let outcome = read(source)
        #expect(outcome.failure == nil)
        #expect(outcome.codes.contains(code), "\(source): \(outcome.findings)")
        #expect(outcome.measure?.positions == positions, "\(source)")
        #expect(outcome.measure?.triangles == 1)
    }

    @Test func aPositionSourceWithoutItsHashOrPercentEncodedIsFound() {
        for (written, codes) in [("pos", [FindingCode.refMissingHash]), ("#p%6Fs", []), (" #pos ", [])] {
            let outcome = Document().with(
                Mesh.geometry(
                    Self.triangle,
                    vertices: "<vertices id='v'><input semantic='POSITION' source='\(written)'/></vertices>"),
                node: Mesh.instance)
            #expect(outcome.measure?.positions == 4)
            #expect(outcome.codes == codes)
        }
    }

    @Test func aMeshWithoutPositionsKeepsItsCounts() {
        let outcome = Document().with(Mesh.geometry(Self.triangle, vertices: ""), node: Mesh.instance)
        #expect(outcome.codes.contains(.inputNoPosition))
        #expect(outcome.measure?.triangles == 1)
        #expect(outcome.measure?.bounds == nil)
    }

    @Test func everyInputOfVerticesIsLookedUp() {
        let vertices =
            "<vertices id='v'><input semantic='POSITION' source='#pos'/><input semantic='NORMAL' source='#none'/></vertices>"
        let outcome = Document().with(Mesh.geometry(Self.triangle, vertices: vertices), node: Mesh.instance)
        #expect(outcome.codes == [.accessorNoSource])
    }

    @Test func anInputOfNamesHasAsManyElementsAsItsAccessorSays() {
        let names =
            "<source id='c'><Name_array id='c-array' count='8'>a b c d e f g h</Name_array><technique_common>"
            + "<accessor source='#c-array' count='4' stride='2'><param name='A'/><param name='B'/></accessor>"
            + "</technique_common></source>"
        func outcome(_ last: Int) -> Outcome {
            let input = "<input semantic='CUSTOM' source='#c' offset='1'/>"
            return Document().with(
                Mesh.geometry(
                    "<triangles count='1'>\(Mesh.input)\(input)<p>0 0 1 1 2 \(last)</p></triangles>",
                    source: Mesh.source() + names),
                node: Mesh.instance)
        }
        #expect(outcome(3).codes == [])
        #expect(outcome(4).codes == [.primitiveIndexOutOfBounds])
    }

    @Test func positionsThatNoPrimitiveUsesAreInTheSceneAllTheSame() throws {
        let outcome = Document().with(Mesh.geometry(""), node: Mesh.instance)
        let streams = try #require(outcome.scene.geometries.first?.mesh?.streams)
        #expect(streams.map(\.semantic) == [.position] && streams.first?.count == 4)
        #expect(outcome.measure?.bounds == nil)
    }

    @Test func anAccessorWithoutACountReadsAnotherSourcesArrayWhole() {
        let own = "<accessor source='#other-array' stride='3'/>"
        let outcome = read(
            Mesh.source("pos", "7 7 7", count: 3, accessor: own)
                + "<source id='other'><float_array id='other-array' count='6'>1 2 3 4 5 6</float_array></source>")
        #expect(outcome.codes == [.schemaMissingAttribute, .primitiveIndexOutOfBounds])
        #expect(outcome.measure?.positions == 2)
    }

    private func faulty(inputs: Int, accessor: String, indices: Int) -> Outcome {
        let normals = (0..<inputs).map { "<input semantic='NORMAL' source='#nor' offset='1' set='\($0)'/>" }.joined()
        let corners = String(repeating: "0 9 1 9 2 9 ", count: indices / 3)
        return Document().with(
            Mesh.geometry(
                "<triangles count='\(indices / 3)'>\(Mesh.input)\(normals)<p>\(corners)</p></triangles>",
                source: Mesh.source() + Mesh.source("nor", accessor: accessor)))
    }

    @Test func inputsOfOneSourceAndOffsetTellOnce() {
        let outcome = faulty(inputs: 5, accessor: "<accessor source='#nor-array' count='5' stride='3'/>", indices: 3)
        #expect(outcome.codes == [.accessorOutOfRange, .primitiveIndexOutOfBounds])
    }

    /// Each index looked at for each input would be 10⁹ steps.
    @Test func inputsOfOneSourceAndOffsetAreCheckedOnce() {
        let outcome = faulty(
            inputs: 20_000, accessor: "<accessor source='#nor-array' count='4' stride='3'/>", indices: 60_000)
        #expect(outcome.codes == [.primitiveIndexOutOfBounds])
        #expect(outcome.measure?.triangles == 20_000)
    }

    // MARK: - Numbers

    @Test(arguments: ["NaN", "INF", "-INF", "1.#QNAN", "-1.#IND", "1.#INF"])
    func aNumberThatIsNotFiniteIsToldAtItsPlace(token: String) {
        let values = "\n0 0 0\n1 0 0\n  1 \(token) 0\n0 1 0\n"
        for chunk in [1, 3, 7, 1 << 16] {
            let text = documentWith(values)
            let outcome = Outcome(Array(text.utf8), chunk: chunk)
            let finding = outcome.first(.numberNonFinite)
            #expect(finding?.place.line == 6)
            #expect(finding?.place.column == 5)
            #expect(finding?.place.byte == Int64(text.byteOffset(of: token)))
            #expect(finding?.place.elementID == "pos-array")
            // The three others are the box.
            #expect(outcome.measure?.bounds == Bounds(min: .zero, max: [1, 0, 0]))
        }
    }

    private func documentWith(_ values: String) -> String {
        var document = Document()
        document.body = Mesh.geometry(Self.triangle, source: Mesh.source("pos", values))
        document.node = Mesh.instance
        return document.text
    }

    @Test func linesStayRightBehindOtherMarkupAndLineEnds() {
        for line in ["<!-- 1,5 -->", "<![CDATA[0]]>", "\r", "<extra><p>1</p></extra>", "<?p?>", "&#32;"] {
            let values = "0 0 0\(line)\n1 0 0\r\n1 \(line == "<![CDATA[0]]>" ? "x" : "0 x") 0\n0 1"
            let text = documentWith(values)
            for chunk in [1, 5, 1 << 16] {
                let finding = Outcome(Array(text.utf8), chunk: chunk).first(.schemaInvalidNumber)
                #expect(finding?.place.byte == Int64(text.byteOffset(of: "x 0\n")), "\(line) by \(chunk)")
                #expect(finding?.place.line == 5)
            }
        }
    }

    @Test func decimalCommasAreReadAndEachIsToldAtItsPlace() {
        let text = documentWith("0 0 0\n1,5 0 0\n1 2,5 0\n0 1 0")
        for chunk in [1, 4, 1 << 16] {
            let outcome = Outcome(Array(text.utf8), chunk: chunk)
            let found = outcome.findings.filter { $0.code == .numberDecimalComma }
            #expect(found.map(\.place.line) == [4, 5])
            #expect(found.map(\.place.byte) == [Int64(text.byteOffset(of: "1,5")), Int64(text.byteOffset(of: "2,5"))])
            #expect(outcome.measure?.bounds?.max == [1.5, 2.5, 0])
        }
    }

    @Test func markupAmongNumbersLosesNone() {
        let outcome = Document().with(
            Mesh.geometry(
                "<triangles count='1'>\(Mesh.input)<p>0 <extra/>1<!-- 9 --> <p>7</p>2</p></triangles>",
                source: Mesh.source("pos", "0 0 0 <float_array>8</float_array> 1 0 0<foo>8</foo> 1 1 0 0 <?p 8?>1 0")))
        #expect(outcome.measure?.positions == 4)
        #expect(outcome.measure?.triangles == 1)
        #expect(!outcome.codes.contains(.arrayCountMismatch))
        #expect(outcome.document.geometries.first?.positions == [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0])
        #expect(outcome.scene.geometries.first?.usedPositions == [0b111])
    }
}

extension String {
    /// The place of the last occurrence, in bytes.
    func byteOffset(of other: String) -> Int {
        let bytes = Array(utf8)
        let wanted = Array(other.utf8)
        return bytes.indices.last { bytes[$0...].starts(with: wanted) } ?? -1
    }
}

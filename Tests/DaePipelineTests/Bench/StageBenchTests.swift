import DaeArchive
import DaeCollada
import DaeDiagnostics
import DaePipeline
import DaeXML
import TestSupport
import Testing

/// Which stages run, how often, and what is made of their costs; never how long they take.
@Suite struct StageBenchTests {
    private static let document = """
        <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><library_geometries>
        <geometry id='g'><mesh><source id='s'><float_array id='a' count='3'>1 2.5 -3e2</float_array></source>
        <triangles count='1'><p>0 1 2 2</p></triangles><polylist count='1'><vcount>3</vcount><p>0<!-- 9 --> 1 2</p>
        </polylist></mesh></geometry></library_geometries><extra><technique profile='x'><q>7 8</q></technique></extra>
        </COLLADA>
        """

    private func report(
        _ path: String, runs: Int = 1, entry: Int = 0, build: @escaping StageBench.Work = { _ in },
        inspect: @escaping StageBench.Work = { _ in }
    ) throws -> StageReport {
        let bundle = try Bundle.open(path: path)
        return try StageBench(bundle, bundle.entries[entry], options: ColladaOptions(), build: build, inspect: inspect)
            .run(runs)
    }

    @Test func aLoneDocumentIsReadButNotInflated() throws {
        let folder = try TemporaryFolder()
        let report = try report(try folder.write(Self.document, to: "a.dae"))
        #expect(report.rows.map(\.stage) == [.read, .markup, .numbers, .build, .resolve])
        #expect(report.bytes == Int64(Self.document.utf8.count))
        #expect(report.packedBytes == report.bytes)
        #expect(report.path == "a.dae")
    }

    @Test func aPackedDocumentGoesThroughEveryStage() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.addDeflated("a.dae", Array(Self.document.utf8))
        let report = try report(try folder.write(zip.bytes(), to: "a.zip"))
        #expect(report.rows.map(\.stage) == BenchStage.allCases)
        #expect(report.bytes == Int64(Self.document.utf8.count))
        #expect(report.packedBytes > report.bytes)  // the builder packs into blocks that are stored
    }

    @Test func elementsAreCountedAndTheNumbersOfArraysAlone() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.document, to: "a.dae")
        let report = try report(folder.path)
        #expect(report.elements == 14)
        #expect(report.numbers == 3 + 4 + 1 + 3)
    }

    @Test(arguments: [1, 3])
    func everyRunIsMadeAfterOneThatIsNotCounted(runs: Int) throws {
        let folder = try TemporaryFolder()
        var (built, inspected) = (0, 0)
        let report = try report(
            try folder.write(Self.document, to: "a.dae"), runs: runs, build: { _ in built += 1 },
            inspect: { _ in inspected += 1 })
        #expect(built == runs + 1)
        #expect(inspected == runs + 1)
        #expect(report.runs == runs)
    }

    @Test func whatCannotBeReadIsThrown() throws {
        let folder = try TemporaryFolder()
        let broken = try folder.write("<COLLADA><asset></COLLADA>", to: "a.dae")
        #expect(throws: CodedFailure.self) { try report(broken) }
        // All of it comes first, so that it fails as it does elsewhere.
        struct SaidByLoad: Error {}
        #expect(throws: SaidByLoad.self) { try report(broken, inspect: { _ in throw SaidByLoad() }) }
        var zip = ZipBuilder()
        zip.addDeflated("a.dae", Array(Self.document.utf8)) { $0.crc = 1 }
        let wrong = try folder.write(zip.bytes(), to: "a.zip")
        #expect(throws: CodedFailure.self) { try report(wrong) }
    }

    @Test func itEndsSoonWhenItIsToldTo() throws {
        let folder = try TemporaryFolder()
        let bundle = try Bundle.open(path: try folder.write(Self.document, to: "a.dae"))
        var asked = 0
        let bench = StageBench(
            bundle, bundle.entries[0], options: ColladaOptions(), build: { _ in }, inspect: { _ in })
        #expect(throws: CancellationError.self) {
            try bench.run(1000) {
                asked += 1
                return asked > 2
            }
        }
        #expect(asked == 3)
    }

    // MARK: - Costs

    private static func cost(_ cpu: Double, _ wall: Double, _ faults: Int, _ peak: Int64?) -> StageCost {
        StageCost(cpuSeconds: cpu, wallSeconds: wall, pageFaults: faults, peakBytes: peak)
    }

    @Test func aMedianIsTakenFieldByField() {
        let three = [Self.cost(3, 1, 5, 10), Self.cost(1, 9, 7, nil), Self.cost(2, 2, 6, 30)]
        #expect(StageCost.median(of: three) == Self.cost(2, 2, 6, 20))
        #expect(StageCost.median(of: [Self.cost(1, 2, 3, nil), Self.cost(2, 4, 5, nil)]) == Self.cost(1.5, 3, 4, nil))
        #expect(StageCost.median(of: []) == nil)
    }

    @Test func aStagesOwnCostIsTheDifferenceAndNeverNegative() throws {
        let report = StageReport(
            path: "a.dae", bytes: 8_000_000, packedBytes: 8_000_000, elements: 1, numbers: 0, runs: 1,
            retention: .everything,
            cumulative: [
                .read: Self.cost(1, 2, 10, 100), .markup: Self.cost(3, 5, 9, 90), .numbers: Self.cost(2.5, 6, 12, 120),
                .build: Self.cost(3.5, 5.5, 14, 130),
            ])
        let rows = report.rows
        #expect(rows.map(\.stage) == [.read, .markup, .numbers, .build])
        #expect(rows.map(\.own.cpuSeconds) == [1, 2, 0, 0.5])
        #expect(rows.map(\.own.wallSeconds) == [2, 3, 1, 0])
        #expect(rows.map(\.own.pageFaults) == [10, 0, 2, 2])
        #expect(rows.map(\.own.peakBytes) == [100, 90, 120, 130])
        #expect(report.total == Self.cost(3.5, 5.5, 14, 130))
        #expect(report.rate(rows[1].own) == 4)
        #expect(report.rate(rows[2].own) == nil)
    }
}

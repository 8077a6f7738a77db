import TestSupport
import Testing

/// What `dae bench` writes, of each kind of source; never how long anything takes.
@Suite struct BenchCommandTests {
    private static let chair = "Fixtures/bundles/chair.zip"
    private static let lone = "Fixtures/documents/polylist.dae"

    private func bench(_ arguments: [String], input: String = "/dev/null") throws -> JSONNode {
        let outcome = try Program.run(["bench", "--runs", "1", "--format", "json"] + arguments, input: input)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSONNode(parsing: outcome.output)
    }

    @Test func everyReportFitsTheSchema() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/bench.schema.json")))
        for source in [
            Self.chair, Self.lone, "Fixtures/bundles/house.kmz", "Fixtures/bundles/lamp.zae",
            "Fixtures/bundles/walker.zip",
        ] {
            for kept in ["everything", "figures"] {
                let report = try bench([source, "--keep", kept])
                #expect(schema.violations(in: report) == [], "\(source)")
                #expect(report["keeps"]?.string == kept)
            }
        }
        #expect(try schema.violations(in: bench(["-"], input: Self.chair)) == [])
        let failed = try Program.run(["bench", "--format", "json", "none.zip"])
        #expect(failed.code == 3)
        #expect(schema.violations(in: try JSONNode(parsing: failed.output)) == [])
        guard case .object(let members) = try bench([Self.chair]) else {
            Issue.record("no object")
            return
        }
        for key in members.keys {
            #expect(!schema.violations(in: .object(members.filter { $0.key != key })).isEmpty, "\(key)")
        }
    }

    @Test func onlyWhatIsPackedIsInflated() throws {
        for (source, isPacked) in [(Self.chair, true), (Self.lone, false)] {
            guard case .array(let stages) = try bench([source])["stages"] else {
                Issue.record("no stages of \(source)")
                continue
            }
            #expect(
                stages.map { $0["stage"]?.string } == ["read", "inflate", "markup", "numbers", "build", "resolve"])
            #expect((stages[1]["cpuSeconds"] == .null) == !isPacked)
            #expect(stages[0]["cpuSeconds"] != .null)
            #expect(stages[5]["upToHere"] != .null)
        }
    }

    @Test func aPersonSeesATable() throws {
        let outcome = try Program.run(["bench", "--runs", "2", Self.chair])
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.first?.contains("medians of 2 runs, keeping everything") == true)
        #expect(
            lines.dropFirst().map { $0.split(separator: " ").first } == [
                "stage", "read", "inflate", "markup", "numbers", "build", "resolve", "all",
            ])
        let lone = try Program.run(["bench", "--runs", "1", Self.lone])
        #expect(!lone.text.contains("inflate"))
    }

    @Test func whatCannotBeMeasuredFailsAsElsewhere() throws {
        let folder = try TemporaryFolder()
        let broken = try folder.write("<COLLADA><asset></COLLADA>", to: "a.dae")
        let (inspected, measured) = (try Program.run(["inspect", broken]), try Program.run(["bench", broken]))
        #expect(measured.code == 5)
        #expect(measured.errors == inspected.errors)
        #expect(measured.output.isEmpty)
        let cut = try folder.write("PK", to: "a.zip")
        for (source, stage) in [(broken, "parse"), (cut, "unzip"), ("none.zip", "download")] {
            let failed = try Program.run(["bench", "--format", "json", source])
            #expect(try JSONNode(parsing: failed.output)["failure"]?["stage"]?.string == stage, "\(source)")
        }
        for wrong in [["--runs", "0", Self.chair], ["https://h.example/a.zip"], ["--keep", "some", Self.chair]] {
            #expect(try Program.run(["bench"] + wrong).code == 64, "\(wrong)")
        }
    }
}

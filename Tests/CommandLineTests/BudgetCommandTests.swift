import FoundationEssentials
import TestSupport
import Testing

/// Small files that ask for much: each verb answers, or says with exit code 6 which budget was hit.
@Suite struct BudgetCommandTests {
    private static let folder = "Fixtures/field/S01-budgets/"
    private static let forms = [
        ["inspect"], ["inspect", "--format", "json"], ["tree"], ["tree", "--format", "json"], ["validate"],
    ]
    /// Only a program that was optimized is as quick as it is to be.
    private static let isOptimized = !Program.path.contains("/debug/")

    private static func run(_ arguments: [String]) throws -> Program.Outcome {
        let (outcome, kilobytes) = try Program.measured(arguments)
        let shown = Comment(
            rawValue: "\(arguments): \(outcome.code), \(outcome.seconds) s, \(kilobytes) kB, \(outcome.errors)")
        #expect([0, 1, 6].contains(outcome.code), shown)
        if outcome.code == 6 { #expect(outcome.errors.contains("["), shown) }
        #expect(outcome.output.count < 1 << 30, shown)
        if isOptimized { #expect(outcome.seconds < 5, shown) }
        #expect(kilobytes < 512 << 10, shown)
        return outcome
    }

    @Test(
        arguments: [
            ("min63.dae", 0), ("expname.zip", 6), ("img_600000.zip", 0), ("anim_long_1e6_1e9.dae", 6),
            ("anim_bez.dae", 6), ("webp10.zip", 6), ("chain_40000.zip", 0),
        ] as [(String, Int32)])
    func everyVerbAnswersOrTellsItsBudget(name: String, converted: Int32) throws {
        let folder = try TemporaryFolder()
        for form in Self.forms {
            let outcome = try Self.run([form[0], Self.folder + name] + form.dropFirst())
            #expect(outcome.code < 2, "\(form) \(name): \(outcome.errors)")
        }
        let outcome = try Self.run(
            ["convert", Self.folder + name, "-o", folder.path + "/out.glb", "--quiet"])
        #expect(outcome.code == converted, "\(outcome.errors)")
        #expect(try Repository.files(below: folder.path) == (converted == 0 ? ["out.glb"] : []))
    }

    @Test func whatMayBeWrittenIsAnOption() throws {
        let folder = try TemporaryFolder()
        let target = folder.path + "/out.json"
        for form in Self.forms + [["resolve"], ["ls"]] {
            let outcome = try Program.run(
                [form[0], "Fixtures/bundles/chair.zip", "--max-output", "30"] + form.dropFirst())
            #expect(outcome.code == 6, "\(form): \(outcome.code) \(outcome.errors)")
            #expect(outcome.errors.contains("Fixtures/bundles/chair.zip: the result would have more than 30 bytes"))
            #expect(outcome.errors.contains("[OUTPUT_TOO_LARGE]"))
        }
        let written = try Program.run([
            "inspect", "Fixtures/bundles/chair.zip", "--format", "json", "--max-output", "100", "-o", target,
        ])
        #expect(written.code == 6)
        #expect(try Repository.files(below: folder.path).isEmpty)
        let converted = try Program.run([
            "convert", "Fixtures/bundles/chair.zip", "--max-output", "100", "-o", folder.path + "/out.glb",
        ])
        #expect(converted.code == 6 && converted.errors.contains("[OUTPUT_TOO_LARGE]"), "\(converted.errors)")
        #expect(try Repository.files(below: folder.path).isEmpty)
        #expect(try Program.run(["inspect", "Fixtures/bundles/chair.zip", "--max-output", "0"]).code == 64)
    }

    private static func document(_ library: String) -> String {
        """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
        <asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>\(library)
        <library_visual_scenes><visual_scene id="s"><node id="n"/></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>
        """
    }

    @Test(arguments: ["images", "materials"])
    func aReportHasAMillionRowsAtMost(kind: String) throws {
        let folder = try TemporaryFolder()
        let row = "<\(kind.dropLast())/>"
        let rows = String(repeating: row, count: 1_000_001)
        let path = try folder.write(Self.document("<library_\(kind)>\(rows)</library_\(kind)>"), to: "many.dae")
        let outcome = try Program.run(["inspect", path, "--format", "json"])
        #expect(outcome.code == 6 && outcome.errors.contains("[OUTPUT_TOO_LARGE]"), "\(outcome.errors)")
        #expect(outcome.text.contains("\"code\": \"OUTPUT_TOO_LARGE\""))
    }

    @Test func linesOfDeepGraphsStayShort() throws {
        let folder = try TemporaryFolder()
        let nodes = (0..<2000).map { "<node id=\"n\($0)\"><instance_node url=\"#n\($0 + 1)\"/></node>" }.joined()
        let path = try folder.write(
            """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
            <library_nodes>\(nodes)<node id="n2000"/></library_nodes>
            <library_visual_scenes><visual_scene id="s"><node id="n"><instance_node url="#n0"/></node></visual_scene>
            </library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
            """, to: "chain.dae")
        let outcome = try Program.run(["tree", path])
        let lines = outcome.text.split(separator: "\n")
        #expect(outcome.code == 0 && lines.count == 2003)
        #expect(lines.allSatisfy { $0.utf8.count < 400 })
        #expect(lines.last == "⋯ level 2002 └─ n2000")
    }
}

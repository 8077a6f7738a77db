// `DAE_UPDATE_GOLDEN=1` writes the golden files anew; look at the difference before committing it.

import TestSupport
import Testing

/// The forms of `dae validate`, each over the same few sources.
@Suite struct ValidateReportTests {
    private static let isUpdating = Repository.environment("DAE_UPDATE_GOLDEN") == "1"
    private static let sources = [
        "documents/index-out-of-bounds.dae", "documents/broken-references.dae", "documents/fails-cut-off.dae",
        "bundles/walker.zip", "bundles/chair.zip",
    ]

    private func run(_ arguments: [String], in folder: String = Repository.fixtures) throws -> Program.Outcome {
        try Program.run(["validate", "--quiet", "--no-config"] + arguments, folder: folder)
    }

    @Test(arguments: [
        ("text", "several.txt"), ("json", "several.jsonl"), ("sarif", "several.sarif"), ("md", "several.md"),
        ("junit", "several.xml"), ("github", "several.github.txt"), ("gltf-report", "several.gltf-report.jsonl"),
    ])
    func aFormIsAsItsGoldenFileSays(_ format: String, _ golden: String) throws {
        let outcome = try run(["--format", format] + Self.sources)
        #expect(outcome.code == 5)
        if Self.isUpdating { try Repository.write(outcome.output, fixture: "reports/\(golden)") }
        let isSame = try Repository.fixture("reports/\(golden)") == outcome.output
        #expect(isSame, "reports/\(golden) is not what is written:\n\(outcome.text.prefix(4000))")
    }

    @Test func whatIsWrittenAsJSONFitsItsSchema() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/validate.schema.json")))
        for options in [[], ["--max-findings", "1", "--profile", "strict"]] {
            let lines = try run(["--format", "json"] + options + Self.sources).output.split(
                separator: UInt8(ascii: "\n"))
            #expect(lines.count == Self.sources.count)
            for line in lines { #expect(schema.violations(in: try JSONNode(parsing: Array(line))) == []) }
        }
    }

    /// What is far from the last place is not read again, and nothing is shown of what is behind the first 256 MiB.
    @Test(arguments: [(lines: 20_000, isShown: true), (4_200_000, false)])
    func thePlaceOfAFaultFarBehindIsShown(lines: Int, isShown: Bool) throws {
        let place = try TemporaryFolder()
        var text = Array("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>\n".utf8)
        let line = [UInt8](repeating: 0x20, count: 63) + [0x0A]
        text.reserveCapacity(text.count + lines * line.count + 64)
        for _ in 0..<lines { text += line }
        text += Array("  <wrong/>\n</COLLADA>\n".utf8)
        let outcome = try run([place.write(text, to: "long.dae")])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("long.dae:\(lines + 2):3: "), "\(outcome.text.prefix(2000))")
        #expect(outcome.text.contains("|   <wrong/>\n") == isShown, "\(outcome.text.prefix(2000))")
    }

    @Test func severalJobsGiveTheSameReport() throws {
        for format in ["text", "sarif", "junit", "github"] {
            let one = try run(["--format", format, "--jobs", "1"] + Self.sources)
            let four = try run(["--format", format, "--jobs", "4"] + Self.sources)
            #expect(one.output == four.output)
        }
    }

    @Test(.enabled(if: Program.isInstalled("python3"), "python3 is not installed"))
    func junitIsXMLThatAnotherReaderTakes() throws {
        let place = try TemporaryFolder()
        let report = place.path + "/report.xml"
        #expect(try run(["--format", "junit", "-o", report] + Self.sources).code == 5)
        let script = """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            suites = root.findall('testsuite')
            assert len(suites) == 5, len(suites)
            for kind, tag in (('failures', 'failure'), ('errors', 'error')):
                assert int(root.get(kind)) == len(root.findall(f'.//{tag}')) > 0
            assert int(root.get('tests')) == len(root.findall('.//testcase'))
            """
        let outcome = try Program.run(["-c", script, report], program: "python3")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test func fingerprintsStayWhenLinesArePutAbove() throws {
        let place = try TemporaryFolder()
        let text = String(decoding: try Repository.fixture("documents/broken-references.dae"), as: UTF8.self)
        let moved = text.replacing("<asset>", with: "\n<!-- one\n two -->\n\n<asset>")
        #expect(moved != text)
        func prints(_ text: String) throws -> [[JSONNode?]] {
            try place.write(text, to: "a.dae")
            let report = try JSONNode(parsing: try run(["--format", "sarif", "a.dae"], in: place.path).output)
            let results = report["runs"]?.elements.first?["results"]?.elements ?? []
            let lines = results.map {
                $0["locations"]?.elements.first?["physicalLocation"]?["region"]?["startLine"]
            }
            return [results.map { $0["partialFingerprints"] }, lines]
        }
        let (before, after) = (try prints(text), try prints(moved))
        #expect(before[0].count >= 8 && before[0] == after[0])
        #expect(before[1] != after[1])
    }

    @Test func theLineIsShownWithACaretUnderThePlace() throws {
        let place = try TemporaryFolder()
        let text = String(decoding: try Repository.fixture("documents/index-out-of-bounds.dae"), as: UTF8.self)
        func excerpt(before: String, after: String = "") throws -> [String] {
            let line = "<!--\(before)--><triangles count=\"4\"><!--\(after)-->"
            let document = text.replacing("<triangles count=\"4\">", with: line)
            try place.write(document, to: "a.dae")
            let outcome = try Program.run(
                ["validate", "--no-config", "a.dae"], environment: ["COLUMNS": "60"], folder: place.path)
            let lines = outcome.text.split(separator: "\n").map(String.init)
            let at = try #require(lines.firstIndex { $0.contains("48 |") })
            return [lines[at], lines[at + 1]]
        }
        // Four columns a tab, two a wide character.
        #expect(try excerpt(before: "\t漢字")[0] == "   48 |         <!--    漢字--><triangles count=\"4\"><!---->")
        #expect(try excerpt(before: "\t漢字")[1] == "      |" + String(repeating: " ", count: 24) + "^")
        for (before, after) in [(400, 400), (5, 100_000), (100_000, 5), (100_000, 100_000)] {
            let lines = try excerpt(
                before: String(repeating: "x", count: before), after: String(repeating: "y", count: after))
            #expect(lines[0].count <= 60, "\(lines[0])")
            let caret = try #require(lines[1].firstIndex(of: "^"))
            let under = lines[0].dropFirst(lines[1].distance(from: lines[1].startIndex, to: caret))
            #expect(under.hasPrefix("<tri"), "\(lines)")
        }
    }

    @Test(arguments: [1, 65_000, 65_536, 70_000, 300_000])
    func theLineIsShownHoweverManyAreBeforeIt(_ count: Int) throws {
        let place = try TemporaryFolder()
        let text = String(decoding: try Repository.fixture("documents/index-out-of-bounds.dae"), as: UTF8.self)
        let lines = String(repeating: "\n", count: count)
        try place.write(text.replacing("<triangles", with: lines + "<triangles"), to: "a.dae")
        let shown = try run(["a.dae"], in: place.path).text
        #expect(shown.contains("\(48 + count) | <triangles count=\"4\">\n"), "\(shown.prefix(2000))")
    }

    @Test func noControlCharacterOfAFileReachesTheTerminal() throws {
        let place = try TemporaryFolder()
        let text = String(decoding: try Repository.fixture("documents/index-out-of-bounds.dae"), as: UTF8.self)
        try place.write(text.replacing("<triangles", with: "<!--\u{9B}31m\u{202E}--><triangles"), to: "a.dae")
        let shown = try run(["a.dae"], in: place.path).text
        #expect(shown.contains("48 |"))
        #expect(!shown.unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{202E}" || $0 == "\u{1B}" })
    }

    @Test(arguments: ["encoding-utf-16le.dae", "encoding-utf-16be.dae", "encoding-utf-16-unmarked.dae"])
    func ofDocumentsInUTF16NoLineIsShown(_ name: String) throws {
        let outcome = try run(["documents/\(name)"])
        #expect([0, 1].contains(outcome.code))
        #expect(!outcome.text.contains(" | "))
    }

    @Test func standardInputHasFindingsWithoutLines() throws {
        let outcome = try Program.run(
            ["validate", "--no-config", "-"], input: Repository.fixtures + "/documents/index-out-of-bounds.dae")
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("[PRIMITIVE_INDEX_OOB]") && !outcome.text.contains("48 |"))
    }
}

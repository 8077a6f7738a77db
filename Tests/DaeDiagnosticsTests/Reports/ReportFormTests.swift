import TestSupport
import Testing

@testable import DaeDiagnostics

@Suite struct ReportFormTests {
    private func parsed(_ value: JSONValue) throws -> JSONNode { try JSONNode(parsing: value.text(.indented)) }

    private func sarif(_ findings: [Finding]) throws -> JSONNode? {
        try parsed(SarifReport([Sample.source(findings)], tool: Sample.tool).json)["runs"]?.elements.first
    }

    @Test func sarifNamesEntriesOfArchivesPercentEncoded() throws {
        let run = try sarif([Sample.finding(.primitiveIndexOutOfBounds)])
        let place = run?["results"]?.elements.first?["locations"]?.elements.first?["physicalLocation"]
        #expect(place?["artifactLocation"]?["uri"] == "x/model.zip!/m/a%20b.dae")
        #expect(place?["region"] == ["startLine": 7, "startColumn": 3])
    }

    @Test func sarifResultsPointToTheirRules() throws {
        let run = try sarif([
            Sample.finding(.primitiveIndexOutOfBounds), Sample.finding(.idDuplicate), Sample.finding(.primitiveEmpty),
        ])
        let rules = run?["tool"]?["driver"]?["rules"]?.elements ?? []
        let results = run?["results"]?.elements ?? []
        #expect(rules.count == 3 && results.count == 3)
        for result in results {
            let index = Int(result["ruleIndex"]?.number ?? -1)
            #expect(rules[index]["id"] == result["ruleId"])
        }
        #expect(results.map { $0["level"]?.string } == ["error", "error", "note"])
        for rule in rules {
            for key in ["shortDescription", "fullDescription", "help"] {
                #expect(rule[key]?["text"]?.string?.isEmpty == false)
            }
        }
    }

    @Test func fingerprintsStayWhenLinesMoveAndTellEqualOnesApart() throws {
        func prints(_ findings: [Finding]) throws -> [String?] {
            try sarif(findings)?["results"]?.elements.map {
                $0["partialFingerprints"]?["primaryLocationLineHash"]?.string
            } ?? []
        }
        let before = try prints([Sample.finding(.primitiveEmpty, line: 7), Sample.finding(.idDuplicate, line: 8)])
        let after = try prints([Sample.finding(.primitiveEmpty, line: 107), Sample.finding(.idDuplicate, line: 108)])
        #expect(before == after)
        let twice = try prints([Sample.finding(.primitiveEmpty), Sample.finding(.primitiveEmpty)])
        #expect(Set(twice).count == 2)
        #expect(try prints([Sample.finding(.primitiveEmpty, id: "h")]) != [before.first ?? nil])
    }

    @Test func sarifGivesWhatHasNoPlaceTheFirstLineOfTheSource() throws {
        let run = try sarif([Sample.finding(.archiveJunkEntry, line: nil, id: nil, entry: nil)])
        let place = run?["results"]?.elements.first?["locations"]?.elements.first?["physicalLocation"]
        #expect(place?["artifactLocation"]?["uri"] == "x/model.zip")
        #expect(place?["region"] == ["startLine": 1])
    }

    @Test(arguments: [
        ("a.dae", ReportedSource.Container.document, "a.dae", "a.dae"),
        ("x/a.dae", .document, "a.dae", "x/a.dae"), ("x/a.dae", .document, "t/w.png", "x/t/w.png"),
        ("./a b.dae", .document, "a b.dae", "a%20b.dae"),
        ("/r/a.zip", .archive, "m/ä.dae", "file:///r/a.zip!/m/%C3%A4.dae"),
        ("a.zip!/m/a.dae", .archive, "m/a.dae", "a.zip!/m/a.dae"),
        ("a.zip!/m/a.dae", .archive, "m/w.png", "a.zip!/m/w.png"),
        ("f/", .folder, "m/a.dae", "f/m/a.dae"), ("c:d/a%.zip", .archive, "#1", "c%3Ad/a%25.zip!/%231"),
        ("https://h.example/a.zip?k=1", .archive, "a.dae", "https://h.example/a.zip?k=1!/a.dae"),
    ])
    func aPlaceIsNamedFromOutside(_ name: String, container: ReportedSource.Container, entry: String, expected: String)
    {
        let source = ReportedSource(name: name, container: container, scene: "m/a.dae", log: FindingLog())
        #expect(source.uri(of: entry) == expected)
    }

    @Test func entriesOfAnArchiveThatWasFoundWithinAreNamedThroughIt() {
        let nested = Finding(.bundleNestedArchive, at: Place(entry: "in/b.zip"), "read")
        let source = ReportedSource(name: "a.zip", container: .archive, scene: "m/a.dae", log: Sample.log([nested]))
        #expect(source.address(of: "m/a.dae") == "a.zip!/in/b.zip!/m/a.dae")
        #expect(source.address(of: "in/b.zip") == "a.zip!/in/b.zip")
    }

    @Test func gltfReportCountsAndPoints() throws {
        let failure = Finding(.xmlNotWellFormed, at: Place(entry: "a.dae", line: 3), "cut off")
        let source = Sample.source([Sample.finding(.primitiveEmpty)], failure: failure)
        let report = try parsed(GltfReport(source, tool: Sample.tool).json)
        #expect(report["issues"]?["numErrors"] == 1 && report["issues"]?["numInfos"] == 1)
        #expect(report["issues"]?["messages"]?.elements.map { $0["severity"]?.number } == [0, 2])
        #expect(report["issues"]?["messages"]?.elements.last?["pointer"]?.string?.hasPrefix("/COLLADA/") == true)
        #expect(report["issues"]?["truncated"] == false && report["info"] == .null && report["validatedAt"] == .null)
        #expect(report["validatorVersion"] == "1.2.3" && report["mimeType"] == "application/zip")
    }

    @Test func markdownMarksNothingUpThatAFileSays() {
        let evil = "a|b <img src=x> @someone #1 [x](http://evil) `c` *d*\nrow & \u{202E}"
        let text = MarkdownReport([
            Sample.source([Sample.finding(.primitiveEmpty, message: evil, fix: "x|y")], name: evil)
        ]).text
        let row = text.split(separator: "\n").first { $0.hasPrefix("| info |") }
        #expect(
            row?.contains(
                "a\\|b &lt;img src=x&gt; &#64;someone &#35;1 \\[x\\](http:&#47;/evil) \\`c\\` \\*d\\* row &amp;  <br>Fix: x\\|y |"
            )
                == true, "\(text)")
        #expect(!text.contains("\u{202E}"))
        #expect(text.contains("### a\\|b &lt;img"))
    }

    @Test func junitFailsWhereTheRunFailsAndEscapes() {
        let sources = [
            Sample.source(
                [
                    Sample.finding(.idDuplicate, message: "a<b & \"c\" \u{1}\u{FFFF}'d'"),
                    Sample.finding(.primitiveEmpty),
                ]),
            Sample.source([], name: "good.zip"),
            Sample.source([], name: "bad.zip", failure: Finding(.archiveInvalid, "no directory")),
        ]
        let text = JUnitReport(sources, tool: Sample.tool).text
        #expect(text.contains("tests=\"3\" failures=\"1\" errors=\"1\""))
        #expect(text.contains("message=\"a&lt;b &amp; &quot;c&quot; \u{FFFD}\u{FFFD}&apos;d&apos;\""))
        #expect(text.contains("<testcase classname=\"good.zip\" name=\"validate\"/>"))
        #expect(text.contains("<error type=\"ARCHIVE_INVALID\" message=\"no directory\">"))
        #expect(text.contains("<system-out>x/model.zip!/m/a b.dae:7:3: info:"))
        // What would turn around the rest of a line is a reference, which XML may hold.
        #expect(JUnitReport.escaped("a\u{202E}gnp.exe\u{2028}\u{85}é") == "a&#x202E;gnp.exe&#x2028;\u{FFFD}é")
        let strict = ReportedSource(
            name: "x", container: .archive, log: Sample.log([Sample.finding(.primitiveEmpty)]), failOn: .hint)
        #expect(JUnitReport([strict], tool: Sample.tool).text.contains("failures=\"1\""))
    }

    @Test func githubAnnotatesFilesOfTheRepositoryAndEscapes() {
        let document = ReportedSource(
            name: "models/a,b.dae", container: .document, scene: "a,b.dae",
            log: Sample.log([
                Sample.finding(
                    .idDuplicate, entry: "a,b.dae", message: "100% wrong:\n::error::x\u{1B}", fix: "rename it"),
                Sample.finding(.primitiveEmpty, line: nil, entry: "a,b.dae"),
            ]))
        #expect(
            GitHubReport([document]).text == """
                ::error file=models/a%2Cb.dae,line=7,col=3,title=ID_DUPLICATE::100%25 wrong:%0A::error::x\u{FFFD}%0Afix: rename it
                ::notice file=models/a%2Cb.dae,title=PRIMITIVE_EMPTY::1 index is too large

                """)
        // A line within an archive is none of the archive.
        let archive = Sample.source(
            [Sample.finding(.idDuplicate)], name: "x/m.zip", failure: Finding(.archiveInvalid, "no directory"))
        #expect(
            GitHubReport([archive]).text == """
                ::error file=x/m.zip,title=ID_DUPLICATE::x/m.zip!/m/a b.dae:7:3: 1 index is too large
                ::error file=x/m.zip,title=ARCHIVE_INVALID::x/m.zip: no directory

                """)
        let many = ReportedSource(
            name: "c.zip", container: .archive,
            log: Sample.log([Sample.finding(.idDuplicate), Sample.finding(.idDuplicate, line: 9)], cap: 1))
        #expect(GitHubReport([many]).text.hasSuffix("::notice file=c.zip::and 1 more ID_DUPLICATE\n"))
    }
}

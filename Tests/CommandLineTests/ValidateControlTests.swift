import TestSupport
import Testing

/// What decides which findings of `dae validate` count.
@Suite struct ValidateControlTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
        try place.write(Repository.fixture("documents/index-out-of-bounds.dae"), to: "models/a.dae")
        try place.write(Repository.fixture("documents/triangles.dae"), to: "models/deep/b.dae")
        try place.write(Repository.fixture("bundles/lamp.zae"), to: "models/c.zae")
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(["validate", "--quiet"] + arguments, folder: place.path)
    }

    private func codes(_ arguments: [String]) throws -> [String] {
        let report = try JSONNode(parsing: run(["--format", "json"] + arguments).output)
        return report["findings"]?["messages"]?.elements.compactMap { $0["code"]?.string } ?? []
    }

    // MARK: - Options

    @Test func codesAreIgnoredOrTakenAlone() throws {
        let all = ["PRIMITIVE_INDEX_OOB", "PRIMITIVE_INDEX_NEGATIVE", "PRIMITIVE_INDEX_OOB"]
        #expect(try codes(["models/a.dae"]) == all)
        #expect(try codes(["--ignore", "PRIMITIVE_INDEX_OOB", "models/a.dae"]) == ["PRIMITIVE_INDEX_NEGATIVE"])
        #expect(
            try codes(["--only", "IO_ERROR,PRIMITIVE_INDEX_NEGATIVE", "models/a.dae"]) == ["PRIMITIVE_INDEX_NEGATIVE"])
        #expect(try codes(["--ignore", "IO_ERROR", "--ignore", "PRIMITIVE_*", "models/a.dae"]) == [])
        #expect(try run(["--ignore", "PRIMITIVE_INDEX_OOB", "models/a.dae"]).code == 0)
        #expect(try run(["--ignore", "PRIMITIVE_INDEX_OOB", "--fail-on", "warning", "models/a.dae"]).code == 1)
    }

    @Test func aSeverityIsOverridden() throws {
        let outcome = try run(["--override", "PRIMITIVE_INDEX_OOB=hint,PRIMITIVE_INDEX_NEGATIVE=info", "models/a.dae"])
        #expect(outcome.code == 0)
        #expect(outcome.text.hasSuffix("models/a.dae: 1 info, 2 hints\n"))
        #expect(try run(["--profile", "strict", "--only", "PRIMITIVE_INDEX_NEGATIVE", "models/a.dae"]).code == 1)
    }

    @Test func whatIsBeyondTheMostIsCounted() throws {
        let outcome = try run(["--max-findings", "1", "models/a.dae"])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("and 1 more PRIMITIVE_INDEX_OOB\nand 1 more PRIMITIVE_INDEX_NEGATIVE\n"))
        #expect(outcome.text.hasSuffix("models/a.dae: 2 errors, 1 warning\n"))
        #expect(try codes(["--max-findings", "0", "models/a.dae"]) == [])
    }

    @Test func theWorstComeFirstWhereThereIsAMost() throws {
        let worse = ["--override", "PRIMITIVE_INDEX_NEGATIVE=error,PRIMITIVE_INDEX_OOB=hint", "models/a.dae"]
        #expect(try codes(["--max-findings", "1"] + worse) == ["PRIMITIVE_INDEX_NEGATIVE"])
        #expect(
            try codes(["--max-findings", "2"] + worse) == ["PRIMITIVE_INDEX_NEGATIVE", "PRIMITIVE_INDEX_OOB"])
        let all = ["PRIMITIVE_INDEX_OOB", "PRIMITIVE_INDEX_NEGATIVE", "PRIMITIVE_INDEX_OOB"]
        #expect(try codes(["--max-findings", "3"] + worse) == all)
    }

    @Test func whatIsMilderIsCountedAndNotShown() throws {
        let milder = ["--override", "PRIMITIVE_INDEX_OOB=info", "models/a.dae"]
        let outcome = try run(["--min-severity", "warning"] + milder)
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("[PRIMITIVE_INDEX_NEGATIVE]") && !outcome.text.contains("PRIMITIVE_INDEX_OOB"))
        #expect(outcome.text.hasSuffix("models/a.dae: 1 warning, 2 infos\n"))
        #expect(try run(["--min-severity", "error", "--fail-on", "info"] + milder).code == 1)
        let report = try JSONNode(parsing: run(["--format", "json", "--min-severity", "warning"] + milder).output)
        #expect(report["findings"]?["infos"] == 2 && report["findings"]?["messages"]?.elements.count == 1)
        #expect(report["findings"]?["suppressed"]?["PRIMITIVE_INDEX_OOB"] == 2)
        let both = try run(["--min-severity", "warning", "--max-findings", "0"] + milder)
        #expect(both.text == "and 1 more PRIMITIVE_INDEX_NEGATIVE\nmodels/a.dae: 1 warning, 2 infos\n")
        // The file says it, and the command line over it.
        try place.write(#"{ "minSeverity": "error" }"#, to: "models/.daelint.json")
        #expect(try codes(["models/a.dae"]) == ["PRIMITIVE_INDEX_OOB", "PRIMITIVE_INDEX_OOB"])
        #expect(try codes(["--min-severity", "hint", "models/a.dae"]).count == 3)
    }

    @Test(arguments: [
        (["--ignore", "PRIMITIVE_INDEX_OBO"], "did you mean PRIMITIVE_INDEX_OOB?"),
        (["--only", ""], "unknown code"), (["--only", "NOTHING_*"], "unknown code NOTHING_*"),
        (["--override", "IO_ERROR"], "expected CODE=error"), (["--override", "IO_ERROR=bad"], "expected CODE=error"),
        (["--override", "NOPE=error"], "unknown code NOPE"), (["--max-findings", "-1"], "--max-findings"),
        (["--profile", "gltff"], "unknown profile gltff"), (["--fail-on", "fatal"], "fail-on"),
        (["--min-severity", "fatal"], "min-severity"),
        (["--format", "html"], "format"), (["--baseline", "none.json"], "none.json: No such file"),
        (["--config", "none.json"], "none.json: No such file"), (["--config", "a", "--no-config"], "exclude"),
        (["--folders", "all"], "folders"),
    ])
    func wrongUseIsSaidAndEndsWith64(_ arguments: [String], _ said: String) throws {
        let outcome = try run(arguments + ["models/a.dae"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(said), "\(outcome.errors)")
        #expect(outcome.text == "")
    }

    // MARK: - .daelint.json

    @Test func theNearestFileUpwardsHoldsAndTheCommandLineWins() throws {
        try place.write("{\"ignore\": [\"PRIMITIVE_INDEX_OOB\"]}", to: ".daelint.json")
        #expect(try codes(["models/a.dae"]) == ["PRIMITIVE_INDEX_NEGATIVE"])
        #expect(try codes(["--no-config", "models/a.dae"]).count == 3)
        try place.write(
            "{\"failOn\": \"warning\", \"only\": [\"PRIMITIVE_INDEX_NEGATIVE\"]}", to: "models/.daelint.json")
        #expect(try run(["models/a.dae"]).code == 1)
        #expect(try run(["--fail-on", "error", "models/a.dae"]).code == 0)
        #expect(try codes(["--config", ".daelint.json", "models/a.dae"]) == ["PRIMITIVE_INDEX_NEGATIVE"])
        #expect(try run(["--config", ".daelint.json", "models/a.dae"]).code == 0)
        try place.write("{\"profile\": \"strict\"}", to: "models/.daelint.json")
        #expect(try run(["models/a.dae"]).text.hasSuffix("models/a.dae: 3 errors\n"))
        #expect(try run(["--profile", "default", "models/a.dae"]).text.hasSuffix("2 errors, 1 warning\n"))
    }

    @Test(arguments: [
        ("{\n  \"ignore\": [\"PRIMITIVE_INDEX_OBO\"]\n}", "2: unknown code PRIMITIVE_INDEX_OBO; did you mean"),
        ("{\n\n  \"ignored\": []}", "3: unknown key ignored"), ("{\n", "2: no valid JSON"),
        ("", "1: expected one object"),
    ])
    func aBrokenFileIsSaidWithItsLine(_ text: String, _ said: String) throws {
        try place.write(text, to: "models/.daelint.json")
        let outcome = try run(["models/a.dae"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("models/.daelint.json:\(said)"), "\(outcome.errors)")
        #expect(outcome.text == "")
    }

    @Test func aFolderInThePlaceOfTheFileIsSaid() throws {
        try place.write("x", to: "models/.daelint.json/x")
        let outcome = try run(["models/a.dae"])
        #expect(outcome.code == 64 && outcome.errors.contains("Is a directory"))
    }

    // MARK: - Baseline

    @Test func onlyWhatIsNewFails() throws {
        try place.write(run(["--format", "json", "models/a.dae"]).output, to: "old.json")
        let same = try run(["--baseline", "old.json", "models/a.dae"])
        #expect(same.code == 0)
        #expect(same.text == "models/a.dae: no new findings (3 known from the baseline)\n")
        let text = String(decoding: try Repository.fixture("documents/index-out-of-bounds.dae"), as: UTF8.self)
        let more = text.replacing("<asset>", with: "\n\n<asset>").replacing("<scene>", with: "<scene><!-- -->")
            .replacing("url=\"#Loose\"", with: "url=\"#Nothing\"")
        #expect(more.contains("#Nothing"))
        try place.write(more, to: "models/a.dae")
        let outcome = try run(["--baseline", "old.json", "models/a.dae"])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("[REF_UNRESOLVED]") && !outcome.text.contains("[PRIMITIVE_INDEX_OOB]"))
    }

    @Test func theConfigurationNamesItsBaselineFromItsOwnFolder() throws {
        try place.write(run(["--format", "json", "models/a.dae"]).output, to: "models/old.json")
        try place.write("{\"baseline\": \"old.json\"}", to: "models/.daelint.json")
        #expect(try run(["models/a.dae"]).code == 0)
    }

    @Test func aBaselineThatIsNoneIsSaidWithItsLine() throws {
        try place.write("{\n\"findings\": 7}\n", to: "old.json")
        let outcome = try run(["--baseline", "old.json", "models/a.dae"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("old.json:2: no report of --format json"), "\(outcome.errors)")
    }

    // MARK: - Folders

    @Test func aFolderOfManyModelsIsEachOfThem() throws {
        let outcome = try run(["--jobs", "3", "models"])
        #expect(outcome.code == 1)
        let table = outcome.text.split(separator: "\n").suffix(5)
        // The longest path makes no other line longer.
        #expect(table.first == "errors  warnings  infos  hints  result  source", "\(table)")
        #expect(
            table.dropFirst().map { $0.split(separator: " ").last } == [
                "models/a.dae", "models/c.zae", "models/deep/b.dae", "sources",
            ])
        #expect(table.last?.contains("  2 ok    3 sources") == true, "\(table)")
        try place.write("x", to: "models/.hidden/x.dae")
        #expect(try run(["--format", "json", "models/"]).text.split(separator: "\n").count == 3)
    }

    @Test func aFolderThatIsABundleStaysOne() throws {
        #expect(try run(["--folders", "bundle", "models"]).text.contains("[BUNDLE_MULTIPLE_SCENES]"))
        #expect(try run(["models/deep"]).text.hasSuffix("models/deep: no findings\n"))
        try place.write("<?xml version=\"1.0\"?><dae_root>a.dae</dae_root>", to: "models/manifest.xml")
        #expect(try run(["models"]).text.hasSuffix("models: 2 errors, 1 warning, 2 infos\n"))
        #expect(try run(["--folders", "each", "models"]).text.contains("3 sources"))
        try place.write("x", to: "empty/x.txt")
        let outcome = try run(["--folders", "each", "empty"])
        #expect(outcome.code == 64 && outcome.errors.contains("no model is in this folder"))
    }
}

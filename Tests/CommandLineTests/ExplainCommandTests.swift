import TestSupport
import Testing

@Suite struct ExplainCommandTests {
    @Test func aCodeIsExplained() throws {
        let outcome = try Program.run(["explain", "PRIMITIVE_INDEX_OOB"])
        #expect(outcome.code == 0)
        for part in [
            "PRIMITIVE_INDEX_OOB   error, data\n", "An index is larger than its source.\n", "\nexample: ",
            "\nfix:     ",
        ] {
            #expect(outcome.text.contains(part), "\(outcome.text)")
        }
    }

    @Test func capitalsDoNotMatter() throws {
        for code in ["image_not_found", "Image_Not_Found"] {
            let outcome = try Program.run(["explain", code])
            #expect(outcome.code == 0 && outcome.text.hasPrefix("IMAGE_NOT_FOUND "))
        }
        #expect(try Program.run(["explain", "--list", "light_*"]).text.split(separator: "\n").count == 2)
    }

    @Test func programsGetJSON() throws {
        let one = try JSONNode(parsing: Program.run(["explain", "ID_DUPLICATE", "--format", "json"]).output)
        #expect(one["code"] == "ID_DUPLICATE" && one["severity"] == "error" && one["stage"] == "link")
        let all = try JSONNode(parsing: Program.run(["explain", "--list", "--format", "json"]).output)
        #expect(all.elements.count > 170)
        for entry in all.elements {
            for key in ["title", "explanation", "example", "fix"] { #expect(entry[key]?.string?.isEmpty == false) }
        }
    }

    @Test func theListHasALineForEveryCode() throws {
        let all = try JSONNode(parsing: Program.run(["explain", "--list", "--format", "json"]).output).elements.count
        #expect(try Program.run(["explain", "--list"]).text.split(separator: "\n").count == all + 1)
        #expect(try Program.run(["explain", "--list", "--format", "md"]).text.split(separator: "\n").count == all + 2)
        #expect(try Program.run(["explain", "--list", "LIGHT_*"]).text.split(separator: "\n").count == 2)
    }

    @Test func markdownHasAHeadingACode() throws {
        let text = try Program.run(["explain", "KMZ_*", "--format", "md"]).text
        #expect(text.hasPrefix("## KMZ_DOC_MISSING\n"))
        #expect(text.contains("\n## KMZ_MODEL_LINK_BROKEN\n"))
    }

    @Test func wrongUseEndsWith64() throws {
        #expect(try Program.run(["explain"]).code == 64)
        let outcome = try Program.run(["explain", "ID_DUPLICAT"])
        #expect(outcome.code == 64 && outcome.errors.contains("did you mean ID_DUPLICATE?"))
        #expect(try Program.run(["explain", "ID_DUPLICATE", "--format", "sarif"]).code == 64)
    }
}

import TestSupport
import Testing

@testable import DaeDiagnostics

@Suite struct LintConfigurationTests {
    private func parse(_ text: String) throws -> LintConfiguration {
        try LintConfiguration(parsing: Array(text.utf8), file: ".daelint.json")
    }

    @Test func everyKeyIsRead() throws {
        let text = """
            {
              "$schema": "daelint.schema.json",
              "ignore": ["PRIMITIVE_EMPTY", "LIGHT_*"], "only": ["IMAGE_NOT_FOUND"],
              "override": {"IMAGE_NOT_FOUND": "warning"},
              "failOn": "hint", "maxFindings": 20, "profile": "gltf", "baseline": "old.json"
            }
            """
        let read = try parse(text)
        #expect(read.rules.ignored.isSuperset(of: [.primitiveEmpty, .lightInvalid]))
        #expect(read.rules.ignored.allSatisfy { $0 == .primitiveEmpty || $0.rawValue.hasPrefix("LIGHT_") })
        #expect(read.rules.only == [.imageNotFound])
        #expect(read.rules.overrides == [.imageNotFound: .warning])
        #expect(read.failOn == .hint && read.rules.maxFindings == 20)
        #expect(read.profile == .gltf && read.baseline == "old.json")
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/daelint.schema.json")))
        #expect(schema.violations(in: try JSONNode(parsing: Array(text.utf8))) == [])
    }

    @Test func anEmptyObjectSaysNothing() throws { #expect(try parse("{}") == LintConfiguration()) }

    @Test(arguments: [
        ("", 1, "expected one object"), ("[]", 1, "expected one object"), ("{}\n{}", 2, "expected one object"),
        ("{\n\"ignore\": [\n\"PRIMITIVE_EMTPY\"]}", 3, "unknown code PRIMITIVE_EMTPY; did you mean PRIMITIVE_EMPTY?"),
        ("{\n\n\"ignroe\": []}", 3, "unknown key ignroe"), ("{\n\"ignore\": \"X\"}", 2, "must be a list of codes"),
        ("{\"ignore\": [],\n\"ignore\": []}", 2, "stands here twice"),
        ("{\"override\": {\n\"IO_ERROR\": \"fatal\"}}", 2, "must be error, warning, info or hint"),
        ("{\"override\": []}", 1, "must be an object"), ("{\"failOn\": true}", 1, "must be error"),
        ("{\"maxFindings\": -1}", 1, "from 0 on"), ("{\"maxFindings\": 1.5}", 1, "from 0 on"),
        ("{\"maxFindings\": 1e300}", 1, "from 0 on"), ("{\"profile\": \"gtlf\"}", 1, "unknown profile gtlf"),
        ("{\"baseline\": \"\"}", 1, "must be a text"), ("{\n\"only\": [\n", 3, "no valid JSON"),
        ("{\"only\": [\"a\nb\"]}", 1, "no valid JSON"), ("{\"only\" []}", 1, "expected : after the key"),
        ("{\"only\": \"\\ud800\"}", 1, "half a character"), ("{\"only\": \"\\u+123\"}", 1, "hexadecimal"),
        ("{\"only\": -}", 1, "number"), ("{\"only\": tru}", 1, "expected a value"),
    ])
    func whatIsWrongIsSaidWithItsLine(_ text: String, line: Int, message: String) {
        let error = #expect(throws: ControlError.self) { try parse(text) }
        #expect(error?.line == line)
        #expect(error?.file == ".daelint.json")
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func deepNestingIsRefused() {
        let error = #expect(throws: ControlError.self) { try parse(String(repeating: "[", count: 1_000_000)) }
        #expect(error?.message.contains("nested deeper") == true)
    }

    @Test func aTextCutAnywhereIsAnErrorAndNoTrap() {
        let text = Array("{\"ignore\": [\"PRIMITIVE_\\u0045MPTY\"], \"maxFindings\": 12, \"override\": {}}".utf8)
        for end in 0..<text.count {
            #expect(throws: ControlError.self) { try LintConfiguration(parsing: Array(text[..<end]), file: "f") }
        }
    }
}

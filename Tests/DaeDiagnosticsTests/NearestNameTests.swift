import DaeDiagnostics
import Testing

@Suite struct NearestNameTests {
    private static let commands = ["inspect", "validate", "ls", "cat", "cache"]

    @Test(arguments: [
        ("inspcet", "inspect"), ("inspct", "inspect"), ("validat", "validate"), ("vlidte", "validate"),
        ("cahce", "cache"), ("lss", "ls"),
    ])
    func aMistypedNameIsKnown(text: String, name: String) {
        #expect(NearestName.of(text, among: Self.commands) == name)
    }

    @Test(arguments: ["", "x", "xy", "model.zip", "frobnicate", String(repeating: "inspect", count: 1000)])
    func whatIsNearNothingIsNot(text: String) {
        #expect(NearestName.of(text, among: Self.commands) == nil)
        #expect(NearestName.of(text, among: []) == nil)
    }

    @Test(arguments: [("XML_INVALID", nil), ("ANIM_UNKNOWN", nil), ("ID_DUPLICAT", "ID_DUPLICATE")])
    func longNamesThatShareAnEndingAreNotNear(text: String, name: String?) {
        #expect(NearestName.of(text, among: FindingCode.allCases.map(\.rawValue)) == name)
    }
}

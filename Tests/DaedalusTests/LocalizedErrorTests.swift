import DaeFoundation
import Daedalus
import FoundationEssentials
import TestSupport
import Testing

/// What programs on Foundation show of an error.
@Suite struct LocalizedErrorTests {
    private func text(_ error: any Error) -> String? { (error as? any LocalizedError)?.errorDescription }

    @Test func aFailureSaysWhatWhereAndWhatWasExpected() async throws {
        let error = await #expect(throws: CodedFailure.self) {
            _ = try await Dae.load(.bytes(Array("<COLLADA>\n<a></b>".utf8), name: "a.dae"))
        }
        let failure = try #require(error)
        #expect(failure.place.line == 2)
        #expect(text(failure) == "a.dae:2:\(failure.place.column ?? 0): \(failure.message)")
    }

    @Test func eachErrorOfTheLibrarySpeaks() async throws {
        let server = #expect(throws: AssetServiceError.self) { try AssetServiceClient("ftp://localhost") }
        #expect(server.flatMap { text($0) }?.isEmpty == false)
        let rules = #expect(throws: NetworkRuleError.self) { try NetworkRules(hosts: ["*.*"]) }
        #expect(rules.flatMap { text($0) }?.contains("*.*") == true)
        let control = #expect(throws: ControlError.self) {
            try LintConfiguration(parsing: Array("{".utf8), file: ".daelint.json")
        }
        #expect(control.flatMap { text($0) }?.hasPrefix(".daelint.json:1") == true)
        let export = await #expect(throws: SceneExportError.self) {
            try await Dae.convert(.path("a.dae"), to: "/tmp/a.fbx")
        }
        #expect(export.flatMap { text($0) }?.contains("expected .glb") == true)
    }
}

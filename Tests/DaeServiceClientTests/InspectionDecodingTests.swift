import DaeCore
import DaeDiagnostics
import DaePipeline
import DaeScene
import TestSupport
import Testing

@testable import DaeServiceClient

/// An inspection from its own JSON.
@Suite struct InspectionDecodingTests {
    /// Of documents that were read.
    private static let goldens = Repository.fixtureNames(in: "documents").filter {
        $0.hasSuffix(".inspect.json") && !$0.hasPrefix("fails-")
    }

    /// The keys of all that is public.
    private static let kept = ["source", "bundle", "document", "counts", "scene", "images", "findings"]

    @Test(arguments: goldens) func whatIsPublicComesBackWhole(_ name: String) throws {
        let written = try JSONValue(text: Repository.fixture("documents/" + name))
        let inspection = try written.decoded(Inspection.self)
        for key in Self.kept {
            let expected = try #require(written[key])
            #expect(inspection.json[key]?.text(.compact) == expected.text(.compact), "\(key)")
        }
    }

    @Test func bundlesComeBackToo() async throws {
        for name in ["walker.zip", "lamp.zae", "house.kmz"] {
            let inspection = try await Dae.inspect(.path(Repository.fixtures + "/bundles/" + name))
            let decoded = try inspection.json.decoded(Inspection.self)
            #expect(decoded.scene == inspection.scene)
            #expect(decoded.images == inspection.images)
            #expect(decoded.counts == inspection.counts)
            #expect(decoded.findings.findings.count == inspection.findings.findings.count)
        }
    }

    private func damaged(_ change: (inout [String: JSONValue]) -> Void) async throws -> Inspection {
        let inspection = try await Dae.inspect(.path(Repository.fixtures + "/documents/polylist.dae"))
        guard case .object(var members) = inspection.json else { throw Surprise(text: "no object") }
        change(&members)
        return try JSONValue.object(members).decoded(Inspection.self)
    }

    @Test func aFindingOfALaterVersionIsCounted() async throws {
        let finding: JSONValue = [
            "code": "NOT_YET_KNOWN", "severity": "error", "stage": "data", "message": "a", "args": .array([]),
            "related": .array([]),
        ]
        let decoded = try await damaged {
            $0["findings"] = ["errors": 1, "warnings": 0, "infos": 0, "hints": 0, "messages": .array([finding])]
            $0["notYetKnown"] = "text"
        }
        #expect(decoded.findings.total(.error) == 1)
        #expect(decoded.findings.findings.isEmpty)
    }

    @Test func whatIsNoInspectionIsAnError() async throws {
        await #expect(throws: DecodingError.self) { try await damaged { $0["schemaVersion"] = 2 } }
        await #expect(throws: DecodingError.self) { try await damaged { $0["counts"] = .array([]) } }
        await #expect(throws: DecodingError.self) { try await damaged { $0["scene"] = nil } }
        await #expect(throws: DecodingError.self) {
            try await damaged { $0["document"] = ["upAxis": "W_UP", "unit": ["meter": 1], "bytes": 1] }
        }
    }
}

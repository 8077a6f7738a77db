import DaeArchive
import DaeDiagnostics
import DaeImages
import DaePipeline
import DaeResources
import DaeScene
import TestSupport
import Testing

/// The schema lists words by hand; each list must be the whole of the enum it stands for.
@Suite struct SchemaTests {
    @Test(arguments: [
        (["finding", "severity"], Severity.allCases.map(\.rawValue)),
        (["finding", "stage"], FindingStage.allCases.map(\.rawValue)),
        (["source", "kind"], Bundle.Kind.allCases.map(\.rawValue)),
        (["bundle", "scene", "rule"], SceneRule.allCases.map(\.rawValue)),
        (["document", "upAxis"], Scene.UpAxis.allCases.map(\.rawValue)),
        (["material", "shading"], Shading.allCases.map(\.rawValue)),
        (["image", "status"], Inspection.ImageRow.Status.allCases.map(\.rawValue)),
        (["image", "rule"], ResolutionRule.allCases.map(\.rawValue)),
        (["image", "format"], ImageFormat.allCases.map(\.rawValue)),
        (["light", "kind"], Light.Kind.allCases.map(\.rawValue)),
        (["failed", "failure", "stage"], InspectionFailure.Stage.allCases.map(\.rawValue)),
    ])
    func aListOfWordsIsWhole(path: [String], words: [String]) throws {
        let schema = try JSONNode(parsing: Repository.fixture("schema/inspect.schema.json"))
        var node = try #require(schema["$defs"]?[path[0]])
        for name in path.dropFirst() { node = try #require(node["properties"]?[name]) }
        #expect(node["enum"]?.elements.compactMap(\.string) == words)
    }

    @Test func theFaultsOfAnImageAreListedWhole() throws {
        let schema = try JSONNode(parsing: Repository.fixture("schema/inspect.schema.json"))
        let faults = schema["$defs"]?["image"]?["properties"]?["faults"]?["items"]?["enum"]
        #expect(faults?.elements.compactMap(\.string) == Inspection.ImageRow.Fault.allCases.map(\.rawValue))
    }

    @Test func everyFindingCodeFitsThePatternOfCodes() throws {
        let schema = try JSONNode(parsing: Repository.fixture("schema/inspect.schema.json"))
        let code = try JSONSchema(try #require(schema["$defs"]?["code"]))
        for known in FindingCode.allCases { #expect(code.violations(in: .string(known.rawValue)) == []) }
    }
}

import DaeArchive
import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

/// What was chosen in a bundle of named texts.
struct Chosen {
    var path: String?
    var rule: SceneRule?
    var fragment: String?
    var candidates: [String] = []
    var manifests: [String] = []
    var log = FindingLog()
    var failure: CodedFailure?

    init(_ files: [(String, String)], name: String, given: String? = nil) throws {
        var builder = ZipBuilder()
        for (path, text) in files { builder.add(path, text) }
        self.init(try Bundle.open(MemoryByteSource(builder.bytes()), name: name), given: given)
    }

    init(_ bundle: Bundle, given: String? = nil) {
        do throws(CodedFailure) {
            let (choice, findings) = try BundleManifest.scene(of: bundle, given: given)
            path = choice.entry.path
            rule = choice.rule
            fragment = choice.fragment
            candidates = choice.candidates
            manifests = choice.manifests
            log = findings
        } catch { failure = error }
    }

    var findings: [Finding] { log.findings }
    var codes: [FindingCode] { findings.map(\.code) }
}

@Suite struct SceneChoiceTests {
    @Test func theOnlyDocumentIsTheScene() throws {
        let chosen = try Chosen([("readme.txt", "x"), ("a/Model.DAE", "<COLLADA/>")], name: "x.zip")
        #expect(chosen.path == "a/Model.DAE")
        #expect(chosen.rule == .onlyDocument)
        #expect(chosen.candidates.isEmpty)
        #expect(chosen.findings.isEmpty)
    }

    @Test func aDocumentThatStandsTwiceIsOne() throws {
        let chosen = try Chosen([("a.dae", "<COLLADA/>"), ("a.dae", "<COLLADA></COLLADA>")], name: "x.zip")
        #expect(chosen.path == "a.dae")
        #expect(chosen.rule == .onlyDocument)
        #expect(chosen.candidates.isEmpty)
        #expect(!chosen.codes.contains(.bundleMultipleScenes))
    }

    @Test func aBundleWithoutADocumentIsAFailure() throws {
        let chosen = try Chosen(
            [("a.obj", "x"), ("a.dae.txt", "x"), ("__MACOSX/._a.dae", "x"), ("b/._c.dae", "x")], name: "x.zip")
        #expect(chosen.failure?.code == .bundleNoScene)
        #expect(chosen.failure?.message.contains("4 files") == true)
    }

    private static let ranks: [(files: [(String, String)], path: String, rule: SceneRule)] = [
        ([("a.dae", "xx"), ("car.dae", "x"), ("b.dae", "xxx")], "car.dae", .namedLikeBundle),
        ([("a.dae", "xx"), ("deep/er/CAR.dae", "x")], "deep/er/CAR.dae", .namedLikeBundle),
        ([("x/car.dae", "x"), ("y/z/car.dae", "xxx"), ("a.dae", "x")], "x/car.dae", .shallowest),
        ([("m/a.dae", "xxxx"), ("b.dae", "x")], "b.dae", .shallowest),
        ([("m/a.dae", "x"), ("n/b.dae", "xxx"), ("n/o/c.dae", "xxxxx")], "n/b.dae", .largest),
        ([("b.dae", "xx"), ("a.dae", "xx"), ("c.dae", "x")], "a.dae", .firstByName),
        ([("__MACOSX/car.dae", "xxxx"), ("a.dae", "x"), ("b.dae", "xx")], "b.dae", .largest),
    ]

    @Test(arguments: ranks.indices)
    func theBestOfSeveralIsChosenByRule(index: Int) throws {
        let (files, path, rule) = Self.ranks[index]
        let chosen = try Chosen(files, name: "folder/car.zip")
        #expect(chosen.path == path)
        #expect(chosen.rule == rule)
        #expect(rule.isGuess)
        #expect(chosen.codes == [.bundleMultipleScenes])
        #expect(chosen.candidates == files.map(\.0).filter { $0 != path && !$0.hasPrefix("__MACOSX") })
        #expect(chosen.findings.first?.message.contains(path) == true)
    }

    @Test func aGivenPathIsTakenWhateverItIs() throws {
        let files = [
            ("a.dae", "x"), ("b.txt", "x"), ("manifest.xml", "<manifest><dae_root>a.dae</dae_root></manifest>"),
        ]
        let chosen = try Chosen(files, name: "x.zae", given: "b.txt")
        #expect(chosen.path == "b.txt")
        #expect(chosen.rule == .given)
        #expect(chosen.candidates == ["a.dae"])
        #expect(chosen.findings.isEmpty)
        let missing = try Chosen(files, name: "x.zae", given: "c.dae")
        #expect(missing.failure?.code == .sourceNotFound)
        #expect(missing.failure?.message.contains("c.dae") == true)
    }

    @Test func aLoneDocumentIsTheScene() throws {
        let bundle = try Bundle.open(MemoryByteSource(Array("<COLLADA/>".utf8)), name: "a.dae")
        let chosen = Chosen(bundle)
        #expect(chosen.path == "a.dae")
        #expect(chosen.rule == .document)
    }

    @Test func aFolderIsChosenInLikeAnArchive() throws {
        let folder = try TemporaryFolder()
        try folder.write("<manifest><dae_root>./m/b.dae</dae_root></manifest>", to: "manifest.xml")
        try folder.write("<COLLADA/>", to: "a.dae")
        try folder.write("<COLLADA/>", to: "m/b.dae")
        let chosen = Chosen(try Bundle.open(path: folder.path))
        #expect(chosen.path == "m/b.dae")
        #expect(chosen.rule == .zaeManifest)
    }
}

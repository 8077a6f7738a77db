import TestSupport
import Testing

/// What other programs read in a converted document is what `dae inspect` says of it.
///
/// `scripts/gates/check-glb --install` puts them where they are looked for; without it only a reader of our own looks.
@Suite struct ConvertedPeersTests {
    private static let tools = Repository.root + "/.build/peers"
    private static let isFull = Repository.environment("DAE_TEST_FULL") == "1"

    @Test(
        .enabled(
            if: Repository.corpus != nil,
            "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"),
        .enabled(if: PeerPython.path != nil, "needs Python with numpy (Debian: python3-numpy)"))
    func everyReaderSeesWhatTheDocumentHas() throws {
        let corpus = try #require(Repository.corpus)
        let python = try #require(PeerPython.path)
        let script = Repository.root + "/Tests/Peers/check_glb.py"
        let arguments = [script, Program.path, corpus, Self.tools] + (Self.isFull ? ["--all"] : [])
        let outcome = try Program.run(arguments, program: python)
        print(outcome.text)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        let readers = ["the file", "trimesh", "pygltflib", "assimp"] + (Self.isFull ? ["blender"] : [])
        // Those that are not installed say so before the others begin.
        #expect(Set(lines.map { String($0.prefix { $0 != ":" }) }) == Set(readers) && lines.count == readers.count)
        let looked = lines.first { $0.hasPrefix("the file") }?.split(separator: " ").compactMap { Int($0) } ?? []
        #expect(looked.count == 3 && looked[0] >= (Self.isFull ? 380 : 40) && looked[0] == looked[1], "\(lines)")
        #expect(
            lines.allSatisfy { $0.hasSuffix(" 0 differences") || $0.hasSuffix("not installed, skipped") }, "\(lines)")
    }

    @Test(
        .enabled(
            if: Repository.corpus != nil,
            "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"),
        .enabled(if: PeerPython.path != nil, "needs Python with numpy (Debian: python3-numpy)"))
    func plainMeshesAreThoseOfTheGLB() throws {
        let corpus = try #require(Repository.corpus)
        let python = try #require(PeerPython.path)
        let script = Repository.root + "/Tests/Peers/check_plain.py"
        let outcome = try Program.run([script, Program.path, corpus, Self.tools], program: python)
        print(outcome.text)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n")
        #expect(
            lines.allSatisfy { $0.hasSuffix(" 0 otherwise than the .glb") || $0.hasSuffix("not installed") }, "\(lines)"
        )
    }
}

/// The Python of the peers, else one that has numpy.
private enum PeerPython {
    static let path: String? = [Repository.root + "/.build/peers/venv/bin/python", "python3", "/usr/bin/python3"]
        .first { (try? Program.run(["-c", "import numpy"], program: $0).code) == 0 }
}

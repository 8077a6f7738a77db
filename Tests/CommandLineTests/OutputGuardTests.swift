import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What is read is never replaced by what is made of it.
@Suite struct OutputGuardTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
        try place.write(Repository.fixture("documents/triangles.dae"), to: "a.dae")
        try place.write(Repository.fixture("documents/triangles.dae"), to: "models/b.dae")
        try place.write(Repository.fixture("documents/triangles.dae"), to: "models/c.dae")
        try place.write(Repository.fixture("bundles/lamp.zae"), to: "lamp.zae")
        try place.write(Array("{}".utf8), to: "lint.json")
        #expect(symlink("a.dae", "\(place.path)/soft.dae") == 0)
        #expect(link("\(place.path)/a.dae", "\(place.path)/hard.dae") == 0)
    }

    private func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: place.path + "/" + name)))
    }

    @Test(arguments: [
        ["inspect", "a.dae", "-o", "a.dae"], ["validate", "a.dae", "-o", "./a.dae"],
        ["validate", "soft.dae", "-o", "a.dae"], ["validate", "a.dae", "-o", "soft.dae"],
        ["tree", "hard.dae", "-o", "a.dae"], ["validate", "models", "-o", "models/c.dae"],
        ["ls", "lamp.zae", "-o", "lamp.zae"], ["cat", "lamp.zae!/manifest.xml", "-o", "lamp.zae"],
        ["resolve", "a.dae", "-o", "a.dae"], ["convert", "a.dae", "-o", "out.glb", "--report", "a.dae"],
        ["validate", "--config", "lint.json", "a.dae", "-o", "lint.json"],
    ])
    func anOutputOntoAnInputIsRefused(arguments: [String]) throws {
        let paths = ["a.dae", "models/c.dae", "lamp.zae", "lint.json"]
        let before = try paths.map { try read($0) }
        let outcome = try Program.run(arguments, folder: place.path)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("name another file"))
        #expect(try paths.map { try read($0) } == before)
    }

    @Test func otherFilesAreReplaced() throws {
        #expect(try Program.run(["inspect", "a.dae", "-o", "models/c.dae"], folder: place.path).code == 0)
        #expect(try Program.run(["cat", "a.dae", "-o", "a.dae"], folder: place.path).code == 0)
        #expect(try read("a.dae") == read("models/b.dae"))
    }
}

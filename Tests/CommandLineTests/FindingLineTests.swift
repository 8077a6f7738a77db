import TestSupport
import Testing

/// The lines that editors, `grep` and CI read.
@Suite struct FindingLineTests {
    private let place: TemporaryFolder
    private static let faulty = "documents/index-out-of-bounds.dae"

    init() throws { place = try TemporaryFolder() }

    /// Each line of `dae validate` that names a code.
    private func lines(_ arguments: [String], in folder: String = "") throws -> [String] {
        let outcome = try Program.run(
            ["validate", "--no-config"] + arguments, folder: place.path + (folder.isEmpty ? "" : "/" + folder))
        return outcome.text.split(separator: "\n").map(String.init).filter { $0.contains(" [") && $0.hasSuffix("]") }
    }

    private func expect(_ arguments: [String], in folder: String = "", _ starts: String...) throws {
        let found = try lines(arguments, in: folder)
        #expect(!found.isEmpty)
        for line in found {
            #expect(starts.contains { line.hasPrefix($0 + ":") || line.hasPrefix($0 + "!/") }, "\(line)")
        }
        for start in starts { #expect(found.contains { $0.hasPrefix(start) }, "\(start)") }
    }

    private func zip(_ entries: [(String, [UInt8])]) -> [UInt8] {
        var zip = ZipBuilder()
        for (name, bytes) in entries { zip.add(name, bytes) }
        return zip.bytes()
    }

    @Test func eachBeginsWithThePathThatWasGiven() throws {
        let faulty = try Repository.fixture(Self.faulty)
        for path in ["models/one/mesh.dae", "models/two/mesh.dae", "lone.dae"] { try place.write(faulty, to: path) }
        try expect(["models"], "models/one/mesh.dae", "models/two/mesh.dae")
        try expect(["./models/"], "./models/one/mesh.dae", "./models/two/mesh.dae")
        try expect(["lone.dae"], "lone.dae")
        try expect(["\(place.path)/lone.dae"], "\(place.path)/lone.dae")
        try expect(["../../lone.dae"], in: "models/one", "../../lone.dae")
        try expect(["--folders", "bundle", "models/one"], "models/one/mesh.dae")
    }

    @Test func entriesOfArchivesComeBehindTheArchive() throws {
        let faulty = try Repository.fixture(Self.faulty)
        let text = [UInt8]("nothing".utf8)
        try place.write(zip([("b.dae", faulty), ("other.txt", text)]), to: "packs/a.zip")
        try expect(["packs"], "packs/a.zip", "packs/a.zip!/b.dae", "packs/a.zip!/other.txt")
        try expect(["packs/a.zip!/b.dae"], "packs/a.zip!/b.dae", "packs/a.zip!/other.txt")
        try place.write(zip([("in/b.zip", zip([("deep/c.dae", faulty)]))]), to: "outer.zip")
        try expect(["outer.zip"], "outer.zip!/in/b.zip!/deep/c.dae", "outer.zip!/in/b.zip")
    }

    @Test func aDocumentInAFolderOfABundleFindsItsNeighbours() throws {
        let broken = try Repository.fixture("documents/missing-image.dae")
        try place.write(broken, to: "robot/meshes/a.dae")
        try place.write("<package/>", to: "robot/package.xml")
        try expect(["robot/meshes/a.dae"], "robot/meshes/a.dae")
        try expect(["meshes/a.dae"], in: "robot", "meshes/a.dae")
        try expect(["a.dae"], in: "robot/meshes", "a.dae")
    }

    @Test func whatCannotBeReadIsToldByItsPlace() throws {
        try place.write(Repository.fixture("documents/fails-cut-off.dae"), to: "models/cut.dae")
        let outcome = try Program.run(["validate", "--no-config", "models/cut.dae", "gone.dae"], folder: place.path)
        #expect(outcome.code == 5 && outcome.errors.isEmpty)
        #expect(outcome.text.contains("models/cut.dae:18:16: error: not well-formed"), "\(outcome.text)")
        #expect(outcome.text.contains("models/cut.dae: 1 error\n"))
        #expect(outcome.text.contains("gone.dae: error: no such file or folder [SOURCE_NOT_FOUND]"), "\(outcome.text)")
        // And on standard error where no text says it.
        let json = try Program.run(["validate", "--format", "json", "models/cut.dae"], folder: place.path)
        #expect(json.errors.hasPrefix("dae: models/cut.dae:18:16: not well-formed"))
        let report = try JSONNode(parsing: json.output)
        #expect(report["findings"]?["errors"] == 1)
        #expect(report["findings"]?["messages"]?.elements.first?["code"] == "XML_NOT_WELL_FORMED")
        let inspection = try Program.run(["inspect", "--format", "json", "models/cut.dae"], folder: place.path)
        #expect(try JSONNode(parsing: inspection.output)["findings"]?["errors"] == 1)
    }

    /// GitHub takes a line that begins so for a command.
    @Test func noLineBeginsAsACommandOfCI() throws {
        let faulty = try Repository.fixture(Self.faulty)
        let name = "::error file=x::pwn"
        try place.write(zip([("a.dae", faulty), (name + ".txt", [1]), (" " + name + ".txt", [1])]), to: "a.zip")
        for path in ["models/\(name).dae", "\(name).dae", "##[error]x.dae"] { try place.write(faulty, to: path) }
        for arguments in [["a.zip"], ["models"], ["\(name).dae", "##[error]x.dae"], ["."]] {
            for format in ["text", "junit"] {
                let outcome = try Program.run(
                    ["validate", "--no-config", "--format", format] + arguments, folder: place.path)
                for line in outcome.text.split(separator: "\n") {
                    let start = line.drop { $0.isWhitespace }
                    #expect(!start.hasPrefix("::") && !start.hasPrefix("##"), "\(line)")
                }
            }
        }
    }
}

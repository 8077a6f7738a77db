import Glibc
import TestSupport
import Testing

/// Folders of many models, of which some cannot be read.
@Suite struct FolderSourceTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
        try place.write(Repository.fixture("documents/triangles.dae"), to: "models/a.dae")
        try place.write(Repository.fixture("documents/triangles.dae"), to: "models/deep/b.dae")
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(["validate", "--quiet"] + arguments, folder: place.path)
    }

    private func rename(_ old: String, _ new: [UInt8]) {
        let target = (Array((place.path + "/").utf8) + new + [0]).map { CChar(bitPattern: $0) }
        #expect(Glibc.rename("\(place.path)/\(old)", target) == 0)
    }

    @Test func aNameThatIsNotUTF8IsTold() throws {
        try place.write(Repository.fixture("documents/triangles.dae"), to: "models/c.dae")
        rename("models/c.dae", Array("models/c".utf8) + [0xFF] + Array(".dae".utf8))
        let text = try run(["models"])
        #expect(text.code == 3)
        let fault = "models/c\u{FFFD}.dae: error: its name is not UTF-8, so it cannot be read by it [IO_ERROR]"
        #expect(text.text.contains(fault), "\(text)")
        #expect(text.text.contains("models/a.dae") && text.text.contains("models/deep/b.dae"))
        let lines = try run(["--format", "json", "models"]).text.split(separator: "\n")
        #expect(lines.count == 3)
        let last = try JSONNode(parsing: Array((lines.last ?? "").utf8))
        #expect(last["failure"]?["code"] == "IO_ERROR")
        // A folder's name as well.
        rename("models/deep", Array("models/d".utf8) + [0xFF])
        #expect(try run(["models"]).text.contains("models/d\u{FFFD}: error: its name is not UTF-8"))
        let given = try run(["models/c\u{FFFD}.dae"])
        #expect(given.code == 3)
        #expect(given.text.contains("no such file or folder; a path that is not UTF-8 cannot be given"))
    }

    @Test func linksToModelsAreRead() throws {
        try place.write(Repository.fixture("documents/triangles.dae"), to: "elsewhere/x.dae")
        #expect(symlink("../elsewhere/x.dae", "\(place.path)/models/link.dae") == 0)
        #expect(symlink("../elsewhere", "\(place.path)/models/more") == 0)
        let fine = try run(["models"])
        #expect(fine.code == 0 && fine.text.contains("models/link.dae"))
        #expect(!fine.text.contains("models/more"))
        #expect(symlink("nowhere.dae", "\(place.path)/models/gone.dae") == 0)
        let broken = try run(["models"])
        #expect(broken.code == 3)
        let fault = "models/gone.dae: error: cannot follow the link: No such file or directory [IO_ERROR]"
        #expect(broken.text.contains(fault), "\(broken)")
    }

    @Test func aFolderThatCannotBeReadIsTold() throws {
        // Nobody may open a path that is so long, and whoever runs the tests.
        let name = String(repeating: "n", count: 250)
        var folders = [open(place.path + "/models", O_RDONLY | O_DIRECTORY)]
        for _ in 0..<17 {
            let last = try #require(folders.last)
            try #require(mkdirat(last, name, 0o755) == 0)
            folders.append(openat(last, name, O_RDONLY | O_DIRECTORY))
        }
        defer {
            for folder in folders.dropLast().reversed() { unlinkat(folder, name, AT_REMOVEDIR) }
            for folder in folders { close(folder) }
        }
        let outcome = try run(["models"])
        #expect(outcome.code == 3)
        #expect(
            outcome.text.contains("cannot list: File name too long [IO_ERROR]")
                || outcome.text.contains("cannot read: File name too long [IO_ERROR]"))
        #expect(outcome.text.contains("models/a.dae") && outcome.text.contains("models/deep/b.dae"))
    }
}

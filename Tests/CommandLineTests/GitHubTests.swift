import FoundationEssentials
import TestSupport
import Testing

/// What other repositories take of this one: the action and the hook of pre-commit, as their runners have them.
@Suite struct GitHubTests {
    private let place: TemporaryFolder
    private static let faulty = "documents/index-out-of-bounds.dae"
    private static let sound = "bundles/walker.zip"

    /// A checkout of this repository whose `scripts/dae` is the program that is tested.
    init() throws {
        place = try TemporaryFolder()
        // A link: what was just written cannot be run while a child of another test still has it open.
        try FileManager.default.createDirectory(atPath: place.path + "/scripts", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.path + "/scripts/dae", withDestinationPath: Program.path)
    }

    private func lines(of name: String) throws -> [String] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(Repository.root)/\(name)")))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            String($0.drop { $0 == " " || $0 == "-" })
        }
    }

    private func value(of key: String, in name: String) throws -> String {
        let line = try #require(try lines(of: name).last { $0.hasPrefix(key + ": ") })
        return String(line.dropFirst(key.count + 2))
    }

    private func act(on files: String, failOn: String) throws -> Program.Outcome {
        try Program.run(
            ["-e", "-o", "pipefail", "-c", try value(of: "run", in: "action.yml")],
            environment: ["GITHUB_ACTION_PATH": place.path, "FILES": files, "FAIL_ON": failOn],
            folder: Repository.fixtures, program: "/bin/bash")
    }

    @Test func theActionAnnotatesFilesAtTheirLinesAndFailsTheStep() throws {
        let outcome = try act(on: "\(Self.faulty) \(Self.sound)", failOn: "error")
        #expect(outcome.code == 1)
        let annotations = outcome.text.split(separator: "\n")
        #expect(
            annotations.contains {
                $0.hasPrefix("::error file=\(Self.faulty),line=")
                    && $0.contains(",title=PRIMITIVE_INDEX_OOB::")
            }, "\(outcome.text)")
        #expect(annotations.allSatisfy { $0.hasPrefix("::") }, "\(outcome.text)")
    }

    @Test func theActionPassesWhatIsSoundAndHeedsItsSeverity() throws {
        #expect(try act(on: Self.sound, failOn: "error").code == 0)
        #expect(try act(on: Self.sound, failOn: "warning").code == 1)
    }

    @Test func noNameOfAFileIsACommandOfTheAction() throws {
        let owned = place.path + "/owned"
        let outcome = try act(on: "$(id>\(owned)) ;id>\(owned) *.md", failOn: "error")
        #expect(outcome.code == 3)
        // Each is looked for by the name that it is, neither run nor expanded.
        #expect(outcome.text.contains("file=$(id>\(owned)),"), "\(outcome.text)")
        #expect(outcome.text.contains("file=*.md,"), "\(outcome.text)")
        #expect(!FileManager.default.fileExists(atPath: owned))
    }

    @Test func theHookNamesTheFaultsOfFilesThatAreCommitted() throws {
        let name = ".pre-commit-hooks.yaml"
        let arguments = try value(of: "args", in: name).trimmingPrefix("[").dropLast().split(separator: ", ")
        let script = place.path + "/" + (try value(of: "entry", in: name))
        func run(_ files: [String]) throws -> Program.Outcome {
            try Program.run(arguments.map(String.init) + files, folder: Repository.fixtures, program: script)
        }
        #expect(try run([Self.sound]).code == 0)
        let outcome = try run([Self.sound, Self.faulty])
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("\(Self.faulty):"), "\(outcome.text)")
        let pattern = try Regex(String(try value(of: "files", in: name).dropFirst().dropLast()))
        for file in ["a.dae", "b/c.kmz", "d.zae"] { #expect(file.contains(pattern)) }
        for file in ["a.dae.txt", "b.zip", "dae"] { #expect(!file.contains(pattern)) }
    }
}

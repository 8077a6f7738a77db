import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The program itself, started as a user starts it.
@Suite struct InspectCommandTests {
    private static let chair = "Fixtures/bundles/chair.zip"

    @Test func oneScreenTellsWhatIsInABundle() throws {
        let outcome = try Program.run(["inspect", Self.chair])
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
        let text = outcome.text
        #expect(text.hasPrefix("Fixtures/bundles/chair.zip   "))
        for part in [
            "chair/chair.dae   the only document", "Blender 3.4.1", "0.46 × 0.495 × 0.97 m",
            "3 meshes (4 submeshes) in 6 instances",
            "72 triangles", "chair/oak wood.png   (percent-decoded)",
            "issues    no fault met while reading   all: dae validate Fixtures/bundles/chair.zip",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(text.split(separator: "\n").count <= 24)
        #expect(!text.contains("\u{1B}"))
    }

    @Test func tablesFollowTheScreenWhenAskedFor() throws {
        let outcome = try Program.run(["inspect", "--full", "Fixtures/bundles/walker.zip"])
        #expect(outcome.code == 0)
        #expect(
            outcome.text.contains(
                """

                geometries
                  id             kind  used  triangles  corners  positions  lines  parts  degenerate  size
                  BodyMesh-mesh  mesh  yes         140      420         72      0      2           0  0.4 × 0.24 × 1.6
                """), "\(outcome.text)")
        #expect(outcome.text.contains("lambert  yes   opaque   –      diffuse skin_tone_png\n"))
        #expect(outcome.text.contains("skin       3        –\n"))
    }

    @Test func linesBreakBetweenWordsAndStandBelowEachOther() throws {
        let outcome = try Program.run(
            ["inspect", "Fixtures/bundles/walker.zip"], environment: ["COLUMNS": "64", "LC_ALL": "C.UTF-8"])
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 64 }, "\(outcome.text)")
        let content = try #require(lines.firstIndex { $0.hasPrefix("  content ") })
        #expect(lines[content] == "  content   7 nodes (depth 4) · 1 mesh (2 submeshes) in 1", "\(lines[content])")
        #expect(lines[content + 1].hasPrefix("            instance · 140 triangles"), "\(lines[content + 1])")
    }

    @Test func theUnitIsWhatTheDocumentSays() throws {
        let place = try TemporaryFolder()
        func line(_ unit: String) throws -> String {
            let text = """
                <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><contributor>\
                <author>Ada</author><copyright>2026, nobody</copyright></contributor>\(unit)</asset></COLLADA>
                """
            let screen = try Program.run(["inspect", place.write(text, to: "a.dae")]).text
            #expect(screen.contains("\n  author    Ada\n  copyright 2026, nobody\n"), "\(screen)")
            return screen.split(separator: "\n").first { $0.hasPrefix("  size ") }.map { String($0.dropFirst(12)) }
                ?? ""
        }
        #expect(try line("") == "nothing to measure   no unit stated, 1 m assumed, Y_UP")
        #expect(try line("<unit meter=\"100\"/>") == "nothing to measure   authored in units of 100 m, Y_UP")
        #expect(
            try line("<unit name=\"inch\" meter=\"0.0254\"/>")
                == "nothing to measure   authored in inch (0.0254 m), Y_UP")
    }

    @Test func hintsThatCannotBeFollowedAreNotGiven() throws {
        let path = Repository.fixtures + "/documents/missing-image.dae"
        let piped = try Program.run(["inspect", "-"], input: path).text
        #expect(piped.contains("while reading\n") && !piped.contains("dae validate") && !piped.contains("dae resolve"))
        let named = try Program.run(["inspect", path]).text
        #expect(named.contains("dae validate ") && named.contains("dae resolve --missing "))
    }

    @Test func aModelWhoseNameBeginsWithADashIsNoOption() throws {
        let place = try TemporaryFolder()
        try place.write(Repository.fixture("documents/triangles.dae"), to: "-h house.dae")
        for command in ["inspect", "validate", "tree"] {
            let outcome = try Program.run([command, "-h house.dae"], folder: place.path)
            #expect(outcome.code == 0 && !outcome.text.contains("USAGE"), "\(outcome.text)")
        }
        #expect(try Program.run(["inspect", "-hose.dae"], folder: place.path).code == 3)
    }

    @Test(arguments: [
        ("ftp://example.org/a.dae", "addresses of ftp:// are not read"),
        ("s3://b/a.zip", "addresses of s3:// are not read"),
    ])
    func addressesOfOtherKindsAreNamedAsSuch(_ source: String, _ message: String) throws {
        let outcome = try Program.run(["inspect", source])
        #expect(outcome.code == 3 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func whatIsNoModelIsNamedAsWhatItIs() throws {
        let place = try TemporaryFolder()
        try place.write("hello", to: "letter.dae")
        let letter = try Program.run(["inspect", "letter.dae"], folder: place.path)
        #expect(letter.code == 5 && letter.errors.contains("this is no markup"), "\(letter.errors)")
        var zip = ZipBuilder()
        zip.add("parts/a.obj", "v 0 0 0")
        try place.write(zip.bytes(), to: "obj.zip")
        let other = try Program.run(["inspect", "obj.zip"], folder: place.path)
        #expect(other.code == 4 && other.errors.contains("models such as parts/a.obj are not read"), "\(other.errors)")
        try place.write(Array("glTF".utf8) + [2, 0, 0, 0, 20, 0, 0, 0], to: "a.glb")
        let glb = try Program.run(["inspect", "a.glb"], folder: place.path)
        #expect(glb.errors.contains("glTF is what dae convert writes"), "\(glb.errors)")
    }

    @Test func jsonIsOneObjectForOneSourceAndOneALineForSeveral() throws {
        let one = try Program.run(["inspect", "--format", "json", Self.chair])
        #expect(one.code == 0)
        #expect(throws: Never.self) { try JSONDecoder().decode(AnyJSON.self, from: Data(one.output)) }
        #expect(one.text.contains("\"schemaVersion\": 1"))
        let several = try Program.run([
            "inspect", "--format", "json", "--jobs", "2", Self.chair, "Fixtures/bundles/lamp.zae", "nothing.zip",
            "Fixtures/bundles/house.kmz",
        ])
        #expect(several.code == 3)
        let lines = several.text.split(separator: "\n")
        #expect(lines.count == 4)
        let inputs = ["chair.zip", "lamp.zae", "nothing.zip", "house.kmz"]
        for (line, input) in zip(lines, inputs) { #expect(line.contains(input)) }
        #expect(lines[2].contains("\"code\":\"SOURCE_NOT_FOUND\""))
        #expect(several.errors.contains("nothing.zip: no such file or folder"))
    }

    @Test func standardInputIsASource() throws {
        let outcome = try Program.run(
            ["inspect", "-", "--format", "json"], input: Repository.root + "/" + Self.chair)
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("\"kind\": \"zip\""))
        #expect(outcome.text.contains("\"triangles\": 72"))
    }

    @Test func anEntryOfAnArchiveCanBeNamed() throws {
        let outcome = try Program.run(["inspect", Self.chair + "!/chair/chair.dae", "--format", "json"])
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("\"rule\": \"given\""))
        let missing = try Program.run(["inspect", Self.chair + "!/chair/stool.dae"])
        #expect(missing.code == 3)
        #expect(missing.errors.contains("has no entry"))
    }

    @Test(
        arguments: [
            (["inspect"], 64), (["inspect", "--jobs", "0", "a.dae"], 64),
            (["inspect", "--format", "yaml", "a.dae"], 64),
            (["examine"], 64), (["inspect", "-", "-"], 64), (["inspect", "missing.dae"], 3),
            (["resolve", "missing.dae"], 3), (["--version"], 0), (["--help"], 0), (["inspect", "--help"], 0),
            (["validate", "--help"], 0), (["inspect", "Fixtures/bundles/chair.zip", "-o", "/nowhere/at/all.json"], 73),
        ] as [([String], Int32)])
    func theExitCodeSaysWhatKindOfEndItWas(_ arguments: [String], code: Int32) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.code == code)
        if code != 0 {
            #expect(outcome.output.isEmpty)
            #expect(!outcome.errors.isEmpty)
        }
    }

    @Test(arguments: ["inspect", "validate", "convert", "cache"])
    func helpOfACommandNamesTheProgramToo(_ command: String) throws {
        for arguments in [[command, "--help"], [command, "-h"], ["help", command]] {
            let outcome = try Program.run(arguments)
            #expect(outcome.code == 0)
            #expect(outcome.text.contains("USAGE: dae \(command)"))
            #expect(outcome.text.contains("--version"))
        }
    }

    @Test func brokenSourcesEndWithTheCodeOfTheirKind() throws {
        let place = try TemporaryFolder()
        let archive = try place.write([UInt8]("PK\u{3}\u{4} and then nothing".utf8), to: "cut.zip")
        let document = try place.write("<COLLADA version='1.4.1'><asset>", to: "cut.dae")
        let deep = try place.write(
            "<COLLADA version='1.4.1'>" + String(repeating: "<extra>", count: 5000), to: "deep.dae")
        let empty = try place.write("", to: "empty.dae")
        let text = try place.write("good day", to: "letter.dae")
        for (path, code) in [(archive, 4), (document, 5), (deep, 6), (empty, 4), (text, 5)] as [(String, Int32)] {
            let outcome = try Program.run(["inspect", path])
            #expect(outcome.code == code, "\(path): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("dae: "))
            #expect(outcome.output.isEmpty)
        }
        // Of several sources the highest.
        #expect(try Program.run(["inspect", archive, deep, document]).code == 6)
    }

    @Test func anOutputFileAppearsWhole() throws {
        let place = try TemporaryFolder()
        let file = place.path + "/report.json"
        let outcome = try Program.run(["inspect", Self.chair, "--format", "json", "--output", file])
        #expect(outcome.code == 0)
        #expect(outcome.output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"schemaVersion\": 1"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["report.json"])
    }

    @Test func aRunWithoutAResultLeavesTheOutputAsItWas() throws {
        let place = try TemporaryFolder()
        let file = try place.write("kept", to: "report.txt")
        #expect(try Program.run(["inspect", "missing.dae", "--output", file]).code == 3)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["report.txt"])
    }

    @Test func aMessageNamesTheFileOnceAndThePlaceInIt() throws {
        let place = try TemporaryFolder()
        let document = try place.write("<COLLADA version='1.4.1'>\n <asset>", to: "cut.dae")
        let outcome = try Program.run(["inspect", document])
        #expect(outcome.errors.hasPrefix("dae: \(document):2:9: not well-formed: the document ends while"))
    }

    @Test func certificatesThatCannotBeReadAreWrongUsage() throws {
        #expect(try Program.run(["inspect", "--cacert", "missing.pem", Self.chair]).code == 64)
    }

    @Test func whatIsNoFileIsWrittenToAndNeverReplaced() throws {
        let place = try TemporaryFolder()
        let pipe = place.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        defer { close(reader) }
        #expect(try Program.run(["inspect", Self.chair, "--output", pipe]).code == 0)
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).hasPrefix("Fixtures/bundles/chair.zip"))
        #expect(try Program.run(["inspect", Self.chair, "--output", place.path]).code == 73)
    }

    @Test func aLinkStaysALinkAndItsFileKeepsItsMode() throws {
        let place = try TemporaryFolder()
        let file = try place.write("old", to: "report.txt")
        #expect(chmod(file, 0o640) == 0)
        let link = place.path + "/link"
        #expect(symlink("report.txt", link) == 0)
        #expect(try Program.run(["inspect", Self.chair, "--output", link]).code == 0)
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(file, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("Fixtures/bundles/chair.zip"))
    }

    @Test func aClosedPipeEndsTheProgramQuietly() throws {
        let place = try TemporaryFolder()
        let fifo = place.path + "/pipe"
        #expect(mkfifo(fifo, 0o600) == 0)
        // A reader first, so that the child can open its end at once; no other child may hold it open.
        let reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let gate = place.path + "/gate"
        #expect(mkfifo(gate, 0o600) == 0)
        let errors = place.path + "/errors"
        let child = try BlockedChild.start(
            ["inspect", "-", "--format", "json"], gate: gate, output: fifo, errors: errors)
        close(reader)
        try child.feed(Repository.fixture("bundles/chair.zip"))
        #expect(Program.wait(for: child.pid) == 141)
        #expect(try String(contentsOfFile: errors, encoding: .utf8) == "")
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func aSignalEndsTheProgramWithItsCode(_ signal: Int32, code: Int32) throws {
        let place = try TemporaryFolder()
        let gate = place.path + "/gate"
        #expect(mkfifo(gate, 0o600) == 0)
        let child = try BlockedChild.start(
            ["inspect", "-"], gate: gate, output: place.path + "/out", errors: place.path + "/errors")
        // It catches signals before it asks for its input: the first byte is taken only by a program that reads.
        try child.waitUntilItReads()
        kill(child.pid, signal)
        #expect(Program.wait(for: child.pid) == code)
        #expect(try Data(contentsOf: URL(filePath: place.path + "/out")).isEmpty)
    }
}

/// Any JSON.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { _ = try list.decode(AnyJSON.self) }
        } else if let object = try? decoder.container(keyedBy: Key.self) {
            for key in object.allKeys { _ = try object.decode(AnyJSON.self, forKey: key) }
        } else {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() { return }
            if (try? single.decode(String.self)) != nil || (try? single.decode(Double.self)) != nil
                || (try? single.decode(Bool.self)) != nil
            {
                return
            }
            throw DecodingError.dataCorruptedError(in: single, debugDescription: "no JSON")
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}

/// A program that waits for standard input from a named pipe, which the test holds open.
private struct BlockedChild {
    let pid: pid_t
    private let writer: Int32

    static func start(_ arguments: [String], gate: String, output: String, errors: String) throws -> BlockedChild {
        // Both ends, so that neither opening waits.
        let writer = open(gate, O_RDWR | O_CLOEXEC)
        let pid = try Program.start(arguments, input: gate, output: output, errors: errors)
        return BlockedChild(pid: pid, writer: writer)
    }

    /// Writes all and closes.
    func feed(_ bytes: [UInt8]) throws {
        _ = bytes.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        close(writer)
    }

    /// Returns once a byte that was written has been read.
    func waitUntilItReads() throws {
        var byte = UInt8(ascii: "<")
        write(writer, &byte, 1)
        var left: Int32 = 1
        while left > 0 {
            guard ioctl(writer, UInt(FIONREAD), &left) == 0 else { return }
            sched_yield()
        }
    }
}

import TestSupport
import Testing

/// What `dae ls` writes for programs, and of several sources.
@Suite struct ListCommandTests {
    private static let chair = "Fixtures/bundles/chair.zip"

    private func violations(_ arguments: [String], input: String = "/dev/null") throws -> [String] {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/ls.schema.json")))
        let output = try Program.run(["ls", "--format", "json"] + arguments, input: input).output
        let lines =
            arguments.contains("--jsonl") ? output.split(separator: UInt8(ascii: "\n")).map(Array.init) : [output]
        return try lines.flatMap { schema.violations(in: try JSONNode(parsing: $0)) }
    }

    @Test func everyListFitsTheSchema() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("a.txt", "text") { ($0.time, $0.flags) = (0, 1) }
        zip.add("A.txt", "text") { $0.method = 98 }
        zip.addDeflated("empty.dae", [])
        let odd = try folder.write(zip.bytes(), to: "odd.zip")
        let cut = try folder.write(Array(zip.bytes().dropLast(5)), to: "cut.zip")
        for source in [
            Self.chair, odd, cut, folder.path, "Fixtures/documents/minimal.dae", "none.zip", odd + "!/a.txt",
        ] {
            #expect(try violations([source]) == [], "\(source)")
            #expect(try violations(["--names", source]) == [], "\(source)")
        }
        #expect(try violations(["--jsonl", "-"], input: odd) == [])
        let archives = try Repository.files(below: Repository.fixtures + "/archives").filter { $0.hasSuffix(".zip") }
        #expect(archives.count > 3)
        #expect(try violations(["--jsonl"] + archives.map { "Fixtures/archives/" + $0 }) == [])
    }

    @Test func ofTwoFilesOfOneNameOnlyTheFirstIsUsed() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        let image = "<library_images><image id='i'><init_from>x.png</init_from></image></library_images>"
        zip.add(
            "a.dae", "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>\(image)</COLLADA>")
        zip.add("x.png", "one")
        zip.add("x.png", "two")
        zip.add("y.png", "three")
        let twice = try folder.write(zip.bytes(), to: "twice.zip")
        let output = try Program.run(["ls", "--format", "json", twice]).output
        let roles = String(decoding: output, as: UTF8.self).matches(of: /"role": "(\w+)"/).map { String($0.output.1) }
        #expect(roles == ["scene", "texture", "unused", "unused"])
    }

    @Test func theSchemaSaysNoToWhatIsNoList() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/ls.schema.json")))
        let text = String(
            decoding: try Program.run(["ls", "--format", "json", Self.chair]).output, as: UTF8.self)
        for (word, other) in [
            ("\"role\": \"scene\"", "\"role\": \"actor\""), ("\"crc32\"", "\"crc\""), ("\"zip\"", "7"),
        ] {
            let changed = text.split(separator: word, maxSplits: 1).joined(separator: other)
            #expect(changed != text)
            #expect(try !schema.violations(in: JSONNode(parsing: Array(changed.utf8))).isEmpty, "\(word)")
        }
    }

    @Test(arguments: ["1", "2", "16"])
    func severalListsAreHeadedAndStandInTheOrderGiven(jobs: String) throws {
        let folder = try TemporaryFolder()
        var sources: [String] = []
        for index in 0..<12 {
            var zip = ZipBuilder()
            // The first takes longest.
            for entry in 0..<(index == 0 ? 3000 : 1) { zip.add("\(index)/\(entry).txt", "x") }
            sources.append(try folder.write(zip.bytes(), to: "\(index).zip"))
        }
        sources[5] = folder.path + "/none.zip"
        let outcome = try Program.run(["ls", "--jobs", jobs] + sources)
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("none.zip"))
        let heads = outcome.text.split(separator: "\n").filter { $0.hasSuffix(".zip:") }.map { String($0.dropLast()) }
        #expect(heads == sources.filter { !$0.hasSuffix("none.zip") })
        #expect(outcome.text.contains("\n\n\(sources[1]):\n"))
        #expect(try !Program.run(["ls", sources[1]]).text.contains(sources[1]))
    }

    @Test func figuresAreWrittenAsEverywhere() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.addDeflated("zeros", [UInt8](repeating: 0, count: 4_200_000)) { $0.time = 0x5821_6000 }
        zip.add("ü\u{1B}.png", "x") { $0.time = 0 }
        zip.add("empty", "")
        let path = try folder.write(zip.bytes(), to: "a.zip")
        let lines = try Program.run(["ls", path]).text.split(separator: "\n").map { $0.split(separator: "  ") }
        #expect(lines.count == 5)
        #expect(lines[1].contains { $0.trimmed == "4.2 MB" })
        #expect(lines[1].contains { $0.trimmed == "2024-01-01T12:00:00" })
        #expect(lines[2].map(\.trimmed).prefix(5) == ["1 byte", "1 byte", "1×", "stored", "–"])
        #expect(lines[2].last?.trimmed == "ü\u{FFFD}.png")
        #expect(lines[3].map(\.trimmed).prefix(3) == ["0 bytes", "0 bytes", "–"])
        #expect(lines[3].contains { $0.trimmed == "00000000" })
    }
}

extension Substring {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}

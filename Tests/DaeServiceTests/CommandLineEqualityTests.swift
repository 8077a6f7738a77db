import Glibc
import TestSupport
import Testing

/// The service and the command line say the same of the same bytes.
@Suite(.enabled(if: Repository.corpus != nil && access(Program.path, X_OK) == 0, "needs the corpus and dae"))
struct CommandLineEqualityTests {
    /// Archives of the corpus, the smallest first.
    private static func archives(_ count: Int) throws -> [(path: String, name: String)] {
        guard let corpus = Repository.corpus else { return [] }
        return try Repository.table(corpus + "/MANIFEST.tsv").compactMap { row -> (String, Int)? in
            guard let path = row["path"], let bytes = row["bytes"].flatMap({ Int($0) }) else { return nil }
            let isArchive = [".zip", ".zae", ".kmz"].contains { path.lowercased().hasSuffix($0) }
            return isArchive ? (corpus + "/" + path, bytes) : nil
        }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(count).map { path, _ in
            (path, "model." + (path.split(separator: ".").last.map(String.init) ?? ""))
        }
    }

    @Test func archivesOfTheCorpusGiveTheSameReports() throws {
        let folder = try TemporaryFolder()
        let service = try ServiceProcess(data: folder.path)
        let archives = try Self.archives(Repository.environment("DAE_TEST_FULL") == "1" ? 40 : 6)
        #expect(archives.count >= 6)
        for (path, name) in archives {
            let bytes = try Repository.bytes(at: path)
            try folder.write(bytes, to: name)
            let id = try service.client.upload(bytes, name: name)
            _ = try service.client.outcome(of: id)
            for (form, command) in [("inspect", "inspect"), ("tree", "tree"), ("report", "validate")] {
                let said = try Program.run([command, "--format", "json", name], folder: folder.path)
                let answer = try service.client.get("/v1/assets/\(id)/\(form)")
                // A tree is of what can be read.
                if answer.status == 409, form == "tree" { continue }
                #expect(answer.body == said.output, "\(form) of \(path)")
            }
            for form in ["sarif", "md"] {
                let said = try Program.run(["validate", "--format", form, name], folder: folder.path)
                let answer = try service.client.get("/v1/assets/\(id)/report?format=\(form)")
                #expect(answer.body == said.output, "\(form) of \(path)")
            }
        }
    }
}

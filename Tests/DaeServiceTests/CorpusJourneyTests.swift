import Daedalus
import Glibc
import TestSupport
import Testing

/// Real archives through the service, beside the same through the command line.
@Suite(.timeLimit(.minutes(20))) struct CorpusJourneyTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let client: AssetServiceClient

    init() throws {
        folder = try TemporaryFolder()
        for name in ["data", "sources"] { mkdir(folder.path + "/" + name, 0o700) }
        service = try ServiceProcess(data: folder.path + "/data")
        client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
    }

    private static let isFull = Repository.environment("DAE_TEST_FULL") == "1"

    /// Archives of the corpus over all sizes up to a limit.
    private static func archives() throws -> [String] {
        guard let corpus = Repository.corpus else { return [] }
        let known = try Repository.table(corpus + "/MANIFEST.tsv").compactMap { row -> (path: String, bytes: Int)? in
            guard let path = row["path"], let bytes = row["bytes"].flatMap({ Int($0) }) else { return nil }
            return [".zip", ".zae", ".kmz"].contains { path.lowercased().hasSuffix($0) } ? (path, bytes) : nil
        }.filter { $0.bytes < (isFull ? 50 << 20 : 200 << 10) }.sorted { ($0.bytes, $0.path) < ($1.bytes, $1.path) }
        let count = min(isFull ? 60 : 10, known.count)
        return (0..<count).map { corpus + "/" + known[$0 * (known.count - 1) / max(1, count - 1)].path }
    }

    @Test(.enabled(if: Repository.corpus != nil, "needs the corpus"))
    func archivesOfTheCorpus() async throws {
        let archives = try Self.archives()
        #expect(archives.count >= 10)
        var ready = 0
        for path in archives where try await isReady(path) { ready += 1 }
        #expect(ready >= 3, "\(ready) of \(archives.count) became ready")
    }

    @Test(arguments: ["chair.zip", "house.kmz", "lamp.zae", "walker.zip"])
    func aFixture(_ name: String) async throws {
        #expect(try await isReady(Repository.root + "/Fixtures/bundles/" + name))
    }

    @Test(arguments: ["no model", "PK\u{3}\u{4}", "<COLLADA"])
    func whatIsNoModel(_ text: String) async throws {
        try folder.write(Array(text.utf8), to: "none.zip")
        #expect(try await !isReady(folder.path + "/none.zip"))
    }

    /// Uploads a file, watches it to its end, and holds all there is of it against the command line's.
    private func isReady(_ path: String) async throws -> Bool {
        let name = "model." + (path.split(separator: ".").last.map(String.init) ?? "")
        try folder.write(Repository.bytes(at: path), to: "sources/" + name)
        let sources = folder.path + "/sources"
        let added = try await client.add(file: sources + "/" + name)
        var last: AssetState?
        for try await state in client.states(of: added.id) { last = state }
        let state = try #require(last)
        #expect(state.isReady || state.failure != nil)

        let said = try Program.run(["validate", "--format", "json", name], folder: sources)
        #expect(try await client.report(added.id) == said.output, "the report of \(path)")
        let inspected = try Program.run(["inspect", "--format", "json", name], folder: sources)
        #expect(try await client.inspectionJSON(added.id) == inspected.output, "the inspection of \(path)")

        // Known bytes are not read again: there is nothing to watch. What failed may go better now.
        let again = try await client.add(file: sources + "/" + name)
        #expect(again.id != added.id)
        if state.isReady { #expect(again.state == state, "\(path) is read twice") }
        if let failure = state.failure {
            let code = try JSONNode(parsing: said.output)["failure"]?["code"]?.string
            #expect(failure.code.rawValue == code)
            return false
        }
        let conversion = try Program.run(["convert", "--force", name, "-o", "made.glb"], folder: sources)
        guard conversion.code == 0 else {
            await #expect { try await client.model(added.id, to: sources + "/fetched.glb") } throws: {
                ($0 as? AssetServiceError)?.problem?.code.map { conversion.errors.contains($0.rawValue) } == true
            }
            return true
        }
        try await client.model(added.id, to: sources + "/fetched.glb")
        let (fetched, made) = (try Repository.bytes(at: sources + "/fetched.glb"), sources + "/made.glb")
        #expect(try fetched == Repository.bytes(at: made), "the model of \(path)")
        return true
    }
}

import GRDB
import TestSupport
import Testing

/// A folder that a newer version wrote is left as it is.
@Suite struct DowngradeTests {
    @Test func anOlderProgramRefusesTheFolderOfANewerOne() throws {
        let folder = try TemporaryFolder()
        let service = try ServiceProcess(data: folder.path)
        let id = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try service.client.outcome(of: id)
        service.end()
        let queue = try DatabaseQueue(path: folder.path + "/daed.sqlite")
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('1000: of a newer version')") }
        let refusal = "a newer daed keeps its database here; use that one, or a backup of before the update.\n"
        for command in [["serve", "--port", "0"], ["token", "add", "ops"], ["key", "list"]] {
            let run = try ServiceProcess.run(command + ["--data", folder.path])
            #expect(run.code == 73)
            #expect(run.errors == "daed: \(folder.path): \(refusal)", "\(run.errors)")
        }
        let doctor = try ServiceProcess.run(["doctor", "--data", folder.path])
        #expect(doctor.code == 1)
        #expect(doctor.text.contains("A newer daed made it."), "\(doctor.text)")
        try queue.write { try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '1000:%'") }
        let next = try ServiceProcess(data: folder.path)
        #expect(try next.client.outcome(of: id)["state"] == "ready")
    }
}

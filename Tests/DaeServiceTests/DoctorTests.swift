import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// What `daed doctor` finds, says and mends; what `daed backup` makes of a folder in use.
@Suite struct DoctorTests {
    private let folder: TemporaryFolder
    private var data: String { folder.path + "/data" }

    init() throws { folder = try TemporaryFolder() }

    /// A folder with one asset of an upload that is ready.
    private func filled() throws -> (id: String, digest: String) {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        chmod(data, 0o700)
        let service = try ServiceProcess(data: data)
        let id = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try service.client.outcome(of: id)
        let digest = try #require(try service.client.get("/v1/assets/\(id)").json?["sha256"]?.string)
        #expect(service.end() == 0)
        return (id, digest)
    }

    private func doctor(_ options: [String] = []) throws -> (code: Int32, checks: [String: String], text: String) {
        let run = try ServiceProcess.run(["doctor", "--format", "json", "--data", data] + options)
        let report = try JSONNode(parsing: run.output)
        #expect(report["schemaVersion"] == 1)
        #expect(report["healthy"] == .bool(run.code == 0))
        var checks: [String: String] = [:]
        for finding in report["findings"]?.elements ?? [] {
            #expect(finding["advice"]?.string?.isEmpty == false)
            checks[finding["check"]?.string ?? ""] = finding["outcome"]?.string
        }
        return (run.code, checks, run.text)
    }

    @Test func aFolderAfterAStopIsHealthy() throws {
        _ = try filled()
        let run = try ServiceProcess.run(["doctor", "--deep", "--data", data])
        #expect(run.code == 0)
        #expect(run.text.hasPrefix("Healthy.\n"))
    }

    @Test func filesThatBelongToNothingAreFoundAndRemoved() throws {
        _ = try filled()
        let stray = String(repeating: "ab", count: 32)
        try folder.write("bytes", to: "data/blobs/ab/\(stray)")
        try folder.write("{}", to: "data/results/ab/\(stray).zip/state.json")
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        try folder.write("half", to: "data/uploads/\(id).\(id)")
        chmod(data, 0o755)
        let found = try doctor()
        #expect(found.code == 1)
        let all = ["blobWithoutRow", "strayResult", "permissions", "leftover"]
        for check in all { #expect(found.checks[check] == "open", "\(check): \(found.text)") }
        let mended = try doctor(["--repair"])
        #expect(mended.code == 0)
        for check in all { #expect(mended.checks[check] == "repaired", "\(check)") }
        #expect(try doctor().checks.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: data + "/blobs/ab/\(stray)"))
    }

    @Test func aLostOriginalFailsItsAssetAndNothingElse() throws {
        let (id, digest) = try filled()
        try FileManager.default.removeItem(atPath: ServiceFolder(path: data).original(of: digest))
        #expect(try doctor().checks == ["rowWithoutBlob": "open"])
        #expect(try doctor(["--repair"]).code == 0)
        #expect(try doctor().checks.isEmpty)
        let service = try ServiceProcess(data: data)
        let state = try service.client.outcome(of: id)
        #expect(state["state"] == "failed")
        #expect(state["attempt"] == 2)
        #expect(try service.client.get("/v1/assets/\(id)/original").status == 409)
        let again = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        #expect(try service.client.outcome(of: again)["state"] == "ready")
    }

    @Test func changedBytesAreSeenWhenTheyAreRead() throws {
        let (_, digest) = try filled()
        let path = try ServiceFolder(path: data).original(of: digest)
        var bytes = try Repository.bytes(at: path)
        bytes[bytes.count / 2] ^= 1
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try doctor().checks.isEmpty)
        #expect(try doctor(["--deep"]).checks == ["wrongDigest": "open"])
        #expect(try doctor(["--deep", "--repair"]).code == 0)
        #expect(try doctor(["--deep"]).checks.isEmpty)
    }

    @Test func aDamagedDatabaseIsSaid() throws {
        _ = try filled()
        let path = data + "/daed.sqlite"
        var bytes = try Repository.bytes(at: path)
        for at in stride(from: 4096 + 16, to: bytes.count, by: 64) { bytes[at] = 0xFF }
        try Data(bytes).write(to: URL(filePath: path))
        let run = try ServiceProcess.run(["doctor", "--data", data])
        #expect([1, 74].contains(run.code), "\(run.code)")
        #expect((run.text + run.errors).contains("daed.sqlite"))
        try Data("no database at all, only text".utf8).write(to: URL(filePath: path))
        #expect(try ServiceProcess.run(["doctor", "--data", data]).code == 74)
    }

    @Test func whereNothingIsKeptThereIsNothingToSay() throws {
        #expect(try ServiceProcess.run(["doctor", "--data", folder.path + "/none"]).code == 66)
        #expect(try ServiceProcess.run(["doctor", "--data", folder.path]).code == 66)
        #expect(try ServiceProcess.run(["backup", folder.path + "/copy", "--data", folder.path]).code == 66)
    }

    @Test func aCopyMadeWhileServingIsServed() throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let service = try ServiceProcess(data: data)
        let walker = try Repository.fixture("bundles/walker.zip")
        let id = try service.client.upload(walker, name: "walker.zip")
        let state = try service.client.outcome(of: id)
        // Others come and go meanwhile.
        let client = service.client
        let end = Flag()
        BackgroundThread.start {
            for number in 0..<20 {
                guard let other = try? client.upload(walker + Array("\(number)".utf8), name: "a.zip") else { break }
                if number.isMultiple(of: 2) { _ = try? client.send("DELETE", "/v1/assets/\(other)") }
            }
            end.raise()
        }
        let target = folder.path + "/copy"
        let run = try ServiceProcess.run(["backup", target, "--data", data])
        #expect(run.code == 0, "\(run.errors)")
        try end.wait()
        // Not over what is there.
        #expect(try ServiceProcess.run(["backup", target, "--data", data]).code == 73)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["copy", "data"])
        #expect(service.end() == 0)

        let health = try ServiceProcess.run(["doctor", "--deep", "--data", target])
        #expect(health.code == 0, "\(health.text)")
        let restored = try ServiceProcess(data: target)
        #expect(try restored.client.outcome(of: id) == state)
        #expect(try restored.client.get("/v1/assets/\(id)/original").body == walker)
        // Results are made again.
        let inspection = try restored.client.get("/v1/assets/\(id)/inspect").json
        #expect(inspection?["scene"]?["triangles"] == 140)
        for asset in try restored.client.get("/v1/assets?limit=500").json?["assets"]?.elements ?? [] {
            let end = try restored.client.outcome(of: #require(asset["id"]?.string))
            #expect(end["state"] == "ready")
        }
    }
}

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A disk that others have filled: nothing is lost, and each answer says what is the matter.
@Suite(.enabled(if: ServiceProcess.hasDisks)) struct FullDiskTests {
    private let folder: TemporaryFolder
    private let service: ServiceProcess
    private let walker: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        service = try ServiceProcess(data: folder.path, ["--free-disk", "0"], disk: 16 << 20)
        walker = try Repository.fixture("bundles/walker.zip")
    }

    private var filler: String { service.seen(folder.path + "/fill") }

    /// Takes all that is left of the disk.
    private func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        for size in [1 << 16, 4096, 512] {
            let block = [UInt8](repeating: 1, count: size)
            while write(descriptor, block, size) > 0 {}
        }
        #expect(errno == ENOSPC)
    }

    @Test func whatCannotBeRemovedStaysWhole() throws {
        let client = service.client
        let ids = try (0..<3).map { try client.upload(walker + [UInt8($0)], name: "walker.zip") }
        for id in ids { #expect(try client.outcome(of: id)["state"] == "ready") }
        #expect(try client.get("/readyz").status == 200)
        try fill()
        _ = try eventually("that it says so") { try client.get("/readyz").status == 503 ? true : nil }
        #expect(try client.get("/healthz").status == 200)
        for (number, id) in ids.enumerated() {
            let answer = try client.send("DELETE", "/v1/assets/\(id)")
            #expect(answer.status == 507)
            #expect(answer.json?["code"] == "STORAGE_FULL")
            #expect(try client.get("/v1/assets/\(id)").json?["state"]?["state"] == "ready")
            #expect(try client.get("/v1/assets/\(id)/original").body == walker + [UInt8(number)])
            #expect(try client.get("/v1/assets/\(id)/inspect").status == 200)
        }
        #expect(try client.send("POST", "/v1/assets?name=a.zip", body: walker + [9]).status == 507)
        for path in ["model.glb", "report", "files/walker.dae"] {
            let answer = try client.get("/v1/assets/\(ids[0])/\(path)")
            guard path != "files/walker.dae" || answer.status != 404 else { continue }
            #expect(answer.status == 507, "\(path): \(answer.text)")
            #expect(!answer.text.contains(folder.path))
        }
        unlink(filler)
        _ = try eventually("that it is ready") { try client.get("/readyz").status == 200 ? true : nil }
        #expect(try client.get("/v1/assets/\(ids[0])/model.glb").status == 200)
        for id in ids {
            #expect(try client.send("DELETE", "/v1/assets/\(id)").status == 204)
            #expect(try client.get("/v1/assets/\(id)/original").status == 404)
        }
        let left = try Repository.files(below: service.seen(folder.path + "/kept/blobs")).filter { $0.utf8.count > 60 }
        #expect(left.isEmpty)
    }

    @Test func aReadingForWhichThereIsNoRoomMayBeTriedAgain() throws {
        let client = service.client
        // What comes of the first shows that workers run.
        #expect(try client.outcome(of: client.upload(walker, name: "walker.zip"))["state"] == "ready")
        let inner = service.seen(folder.path + "/kept/results")
        chmod(inner, 0o500)
        defer { chmod(inner, 0o700) }
        let id = try client.upload(walker + [1], name: "walker.zip")
        let state = try client.outcome(of: id)
        #expect(state["state"] == (geteuid() == 0 ? "ready" : "failed"))
        #expect(state["message"]?.string?.contains(folder.path) != true)
    }
}

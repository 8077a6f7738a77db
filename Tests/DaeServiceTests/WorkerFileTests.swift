import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What workers leave half made: it is bounded, and gone with them.
@Suite struct WorkerFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A document whose model is long: a name of 100,000 letters, so many times doubled.
    private static func doubled(_ times: Int) -> [UInt8] {
        var text = """
            <?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">\
            <asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified></asset>\
            <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="9">\
            0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#f" count="3" stride="3">\
            <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>\
            </technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>\
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh>\
            </geometry></library_geometries><library_nodes>
            <node id="n0" name="\(String(repeating: "x", count: 100_000))"><instance_geometry url="#g"/></node>
            """
        for level in 1...times {
            text += "<node id=\"n\(level)\">"
            for _ in 0..<2 { text += "<instance_node url=\"#n\(level - 1)\"/>" }
            text += "</node>\n"
        }
        text += """
            </library_nodes><library_visual_scenes><visual_scene id="s"><node><instance_node url="#n\(times)"/></node>\
            </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
            """
        return Array(text.utf8)
    }

    private func files(_ place: String) throws -> [String] { try Repository.files(below: folder.path + "/" + place) }

    @Test func aFileForWhichThereIsNoRoomEndsItsWorker() throws {
        let service = try ServiceProcess(data: folder.path, ["--disk-limit", "1100000", "--metrics-port", "0"])
        let walker = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try service.client.outcome(of: walker)
        let id = try service.client.upload(Self.doubled(10), name: "long.dae")
        #expect(try service.client.outcome(of: id)["state"] == "ready")
        for _ in 0..<2 {
            let answer = try service.client.get("/v1/assets/\(id)/model.glb")
            #expect(answer.status == 507)
            #expect(answer.json?["code"] == "STORAGE_FULL")
            #expect(!answer.text.contains(folder.path))
            #expect(try files("uploads").isEmpty)
        }
        // What was good is there: nothing of the other counts against it.
        #expect(service.logged("evicted").isEmpty)
        #expect(try service.client.get("/v1/assets/\(walker)/inspect").status == 200)
    }

    @Test func whatAKilledWorkerWasAtIsGoneBeforeItsAnswer() throws {
        let service = try ServiceProcess(data: folder.path)
        let id = try service.client.upload(Self.doubled(10), name: "long.dae")
        #expect(try service.client.outcome(of: id)["state"] == "ready")
        let client = service.client
        let end = Flag()
        BackgroundThread.start {
            let answer = try? client.get("/v1/assets/\(id)/model.glb")
            #expect(answer?.status == 503)
            end.raise()
        }
        let worker = try eventually("its file") {
            guard let worker = service.workers.first else { return pid_t?.none }
            // Held, so that it cannot be done between this look and its end.
            kill(worker, SIGSTOP)
            if try !files("uploads").isEmpty { return worker }
            kill(worker, SIGCONT)
            return nil
        }
        kill(worker, SIGKILL)
        try end.wait()
        #expect(try files("uploads").isEmpty)
        let results = try files("results")
        #expect(!results.contains { $0.contains("model.glb") }, "\(results)")
    }

    @Test func whatWorkersOfAKilledServiceWereAtIsFoundAndRemoved() throws {
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        let service = try ServiceProcess(data: folder.path)
        service.end(SIGKILL)
        try folder.write("half", to: "uploads/\(id).\(id)/.model.glb.a1b2c3")
        try folder.write("half", to: "uploads/\(id).\(id)/inspect.json")
        let doctor = try ServiceProcess.run(["doctor", "--data", folder.path])
        #expect(doctor.text.contains("found leftover uploads/\(id).\(id)"))
        let next = try ServiceProcess(data: folder.path)
        _ = try eventually("that they go") { try files("uploads").isEmpty ? true : nil }
        #expect(next.end() == 0)
        try folder.write("half", to: "uploads/\(id).\(id)/.model.glb.a1b2c3")
        let repair = try ServiceProcess.run(["doctor", "--repair", "--data", folder.path])
        #expect(repair.text.contains("repaired leftover uploads/\(id).\(id)"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/uploads/\(id).\(id)"))
    }

    /// As versions before this one left them.
    @Test func whatIsHalfMadeAmongResultsIsNoResult() throws {
        let first = try ServiceProcess(data: folder.path)
        let id = try first.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try first.client.outcome(of: id)
        first.end()
        let path = try #require(try files("results").first { $0.hasSuffix("inspect.json") })
        let place = "results/" + path.dropLast("inspect.json".utf8.count)
        let half = try folder.write(String(repeating: "x", count: 3_000_000), to: place + ".model.glb.0a.i1g9Z2")
        let service = try ServiceProcess(data: folder.path, ["--disk-limit", "2000000", "--metrics-port", "0"])
        _ = try eventually("that it has looked at the results") {
            let text = try #require(service.metrics).get("/metrics").text
            return text.contains("daed_disk_bytes{kind=\"results\"} 0\n") ? nil : true
        }
        #expect(try service.client.get("/v1/assets/\(id)/inspect").status == 200)
        #expect(service.end() == 0)
        #expect(service.logged("evicted").isEmpty)
        // Nobody has written to it for long.
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        utimensat(AT_FDCWD, half, &times, 0)
        #expect(try ServiceProcess.run(["doctor", "--data", folder.path]).text.contains("found leftover"))
        let next = try ServiceProcess(data: folder.path)
        _ = try eventually("that it goes") { FileManager.default.fileExists(atPath: half) ? nil : true }
        #expect(next.end() == 0)
    }
}

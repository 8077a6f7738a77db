import DaeCore
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// What was accepted comes to its end, and what was shown stays true, however often the service is killed.
@Suite struct CrashSafetyTests {
    private let folder: TemporaryFolder
    private let walker: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        walker = try Repository.fixture("bundles/walker.zip")
    }

    /// What watchers saw of each asset, all starts together. A class because threads share it.
    private final class Seen: Sendable {
        private struct Sights {
            var accepted: [String] = []
            var newest: [String: Int] = [:]
            var lost: [String] = []
            var threads = 0
        }

        private let sights = Mutex(Sights())

        var accepted: [String] { sights.withLock { $0.accepted } }
        /// States that were older than one that was seen before.
        var lost: [String] { sights.withLock { $0.lost } }
        /// How many states were seen.
        var count: Int { sights.withLock { $0.newest.count } }

        /// Whether all that was started has ended.
        var isOver: Bool { sights.withLock { $0.threads == 0 } }

        func start(_ body: @escaping @Sendable () -> Void) {
            sights.withLock { $0.threads += 1 }
            BackgroundThread.start {
                body()
                self.sights.withLock { $0.threads -= 1 }
            }
        }

        func accept(_ id: String) { sights.withLock { $0.accepted.append(id) } }

        func see(_ state: JSONNode, of id: String) {
            let order = ["downloading", "unzipping", "parsing", "ready", "failed"]
            guard let name = state["state"]?.string, let rank = order.firstIndex(of: name),
                let attempt = state["attempt"]?.number
            else { return }
            let age = Int(attempt) * 8 + rank
            sights.withLock { sights in
                if age < sights.newest[id] ?? 0 { sights.lost.append("\(id): \(name) in attempt \(attempt)") }
                sights.newest[id] = max(age, sights.newest[id] ?? 0)
            }
        }
    }

    /// Uploads, links, watching and asking for models at once, as long as it answers.
    private func load(_ service: ServiceProcess, _ round: Int, _ server: FaultServer, _ seen: Seen) {
        let (client, walker) = (service.client, walker)
        seen.start {
            for copy in 0..<50 {
                // Other bytes each time: what was read before needs no work.
                guard let id = try? client.upload(walker + Array("\(round) \(copy)".utf8), name: "walker.zip") else {
                    return
                }
                seen.accept(id)
            }
        }
        seen.start {
            for copy in 0..<3 {
                guard let id = try? client.add(url: server.url("/\(round)-\(copy).zip")) else { return }
                seen.accept(id)
            }
        }
        seen.start {
            guard let connection = try? LoopbackClient(port: client.port) else { return }
            connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            var text = ""
            while case let bytes = connection.read(1), !bytes.isEmpty {
                text += String(decoding: bytes, as: UTF8.self)
                guard text.hasSuffix("\n") else { continue }
                if text.hasPrefix("data: "), let node = try? JSONNode(parsing: Array(text.dropFirst(6).utf8)),
                    let id = node["asset"]?.string, let state = node["data"], state["state"] != nil
                {
                    seen.see(state, of: id)
                }
                text = ""
            }
        }
        seen.start {
            for id in seen.accepted.prefix(3) {
                guard (try? client.get("/v1/assets/\(id)/model.glb")) != nil else { return }
            }
        }
    }

    @Test func whatWasAcceptedComesToItsEndHoweverOftenItIsKilled() throws {
        let rounds = Repository.environment("DAE_TEST_FULL") == "1" ? 30 : 5
        var numbers = SeededNumbers(seed: 9)
        var files: [String: FaultResource] = [:]
        for round in 0..<rounds {
            for copy in 0..<3 {
                files["/\(round)-\(copy).zip"] = FaultResource(walker + Array("l\(round)\(copy)".utf8))
            }
        }
        let server = try FaultServer(files)
        let seen = Seen()
        let options = ["--workers", "2", "--allow-addresses", "127.0.0.0/8"]
        for round in 0..<rounds {
            let service = try ServiceProcess(data: folder.path, options)
            load(service, round, server, seen)
            // The moment is random, and is not waited for in order to see something.
            usleep(UInt32(50_000 + numbers.next() % 700_000))
            #expect(service.end(SIGKILL) == -SIGKILL)
            _ = try eventually("the end of the load") { seen.isOver ? true : nil }
        }
        #expect(seen.accepted.count > rounds)
        #expect(seen.count > 0)
        let service = try ServiceProcess(data: folder.path, options)
        #expect(try uploads().isEmpty)
        for id in seen.accepted {
            let state = try service.client.outcome(of: id)
            #expect(state["state"] == "ready")
            seen.see(state, of: id)
        }
        #expect(seen.lost.isEmpty)
        #expect(service.end() == 0)
        let first = try ServiceProcess.run(["doctor", "--repair", "--deep", "--data", folder.path])
        #expect(first.code == 0, "\(first.text)")
        let second = try ServiceProcess.run(["doctor", "--deep", "--data", folder.path])
        #expect(second.text.hasPrefix("Healthy.\n"))
    }

    /// What lies on its way, of those that are gone.
    private func uploads() throws -> [String] {
        let own = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/owners")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path + "/uploads").filter { name in
            !own.contains { name.hasPrefix($0) }
        }
    }

    @Test func twoOnOneFolderShareTheWorkAndTakeItOver() throws {
        let gate = FaultGate()
        let server = try FaultServer(["/a.zip": FaultResource(walker), "/b.zip": FaultResource(walker + [0])])
        // Both stand still at their first downloads, and go on at the next.
        for path in ["/a.zip", "/b.zip"] { server.play([.stall(after: 100, until: gate)], at: path) }
        defer { gate.open() }
        let options = ["--workers", "1", "--allow-addresses", "127.0.0.0/8"]
        let one = try ServiceProcess(data: folder.path, options)
        let other = try ServiceProcess(data: folder.path, options)
        let ids = try [one.client.add(url: server.url("/a.zip")), other.client.add(url: server.url("/b.zip"))]
        // Each has a worker of its own at one of them.
        _ = try eventually("a worker in each") { one.workers.count == 1 && other.workers.count == 1 ? true : nil }
        #expect(one.end(SIGKILL) == -SIGKILL)
        gate.open()
        for id in ids {
            let state = try other.client.outcome(of: id)
            #expect(state["state"] == "ready")
        }
        #expect(other.end() == 0)
    }

    /// The bytes of a link are kept, and its reader has not said a word yet.
    @Test(.enabled(if: ReplacedWorker.isPossible, "clang or bash is not installed"))
    func aKillBetweenDownloadAndReadingCostsNoSecondDownload() throws {
        let server = try FaultServer(["/a.zip": FaultResource(walker)])
        let options = ["--allow-addresses", "127.0.0.0/8"]
        let worker = try ReplacedWorker(
            """
            *'"process":'*)
            echo > '\(folder.path)/reading'
            exec cat > /dev/null ;;
            """, in: folder)
        let service = try ServiceProcess(data: folder.path, options, environment: worker.environment)
        let id = try service.client.add(url: server.url("/a.zip"))
        _ = try eventually("the reader") {
            FileManager.default.fileExists(atPath: folder.path + "/reading") ? true : nil
        }
        let asset = try service.client.get("/v1/assets/\(id)").json
        #expect(asset?["state"]?["state"] == "downloading")
        #expect(asset?["sha256"]?.string == SHA256Digest(hashing: walker).hex)
        #expect(service.end(SIGKILL) == -SIGKILL)
        let next = try ServiceProcess(data: folder.path, options)
        #expect(try next.client.outcome(of: id)["state"] == "ready")
        #expect(try next.client.get("/v1/assets/\(id)/original").body == walker)
        #expect(server.requests.count == 1)
        #expect(next.end() == 0)
    }

    @Test func anUploadThatAKillCutOffIsGoneAtTheNextStart() throws {
        let living = try ServiceProcess(data: folder.path)
        let killed = try ServiceProcess(data: folder.path)
        let head = "POST /v1/assets?name=a.zip HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf"
        let (first, second) = (try LoopbackClient(port: living.port), try LoopbackClient(port: killed.port))
        for connection in [first, second] { connection.send(head) }
        let both = try eventually("two files on their way") {
            let files = try Repository.files(below: folder.path + "/uploads")
            return files.count == 2 ? files : nil
        }
        killed.end(SIGKILL)
        let next = try ServiceProcess(data: folder.path)
        // What the living one is at stays.
        let left = try eventually("one file on its way") {
            let files = try Repository.files(below: folder.path + "/uploads")
            return files.count == 1 ? files : nil
        }
        #expect(both.contains(left[0]))
        first.send(String(repeating: "x", count: 996))
        #expect(first.readAnswer().head.hasPrefix("HTTP/1.1 201 "))
        #expect(next.end() == 0)
    }
}

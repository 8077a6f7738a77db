import Daedalus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DaeService

/// Results of hundreds of MB, as a small upload may lead to.
@Suite struct LongResultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// An asset of walker.zip whose inspection has become so many bytes long.
    private func long(_ service: ServiceProcess, _ bytes: Int) throws -> String {
        let id = try service.client.upload(Repository.fixture("bundles/walker.zip"), name: "walker.zip")
        _ = try service.client.outcome(of: id)
        let path = try #require(
            try Repository.files(below: folder.path + "/results").first { $0.hasSuffix("inspect.json") })
        let whole = folder.path + "/results/" + path
        let end = "  \"padding\": [\n"
        var text = Array("{\n".utf8) + Array(end.utf8)
        let line = Array("    \"dddddddddddddddddd\",\n".utf8)
        text.reserveCapacity(bytes + 1000)
        while text.count < bytes { text += line }
        text += Array("    0\n  ],\n  \"source\": {\n    \"container\": \"zip\",\n    \"input\": \"old\",\n".utf8)
        text += Array("    \"kind\": 1\n  }\n}\n".utf8)
        try Data(text).write(to: URL(filePath: whole))
        return id
    }

    /// Processor time of a process, in seconds.
    private func processorTime(_ pid: pid_t) throws -> Double {
        let text = String(decoding: try Repository.bytes(at: "/proc/\(pid)/stat"), as: UTF8.self)
        let words = try #require(text.split(separator: ")").last).split(separator: " ")
        return Double((Int(words[11]) ?? 0) + (Int(words[12]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test func whoLeavesEndsItsAnswerAndNobodyWaitsForIt() throws {
        let service = try ServiceProcess(data: folder.path)
        let id = try long(service, 200 << 20)
        var clients: [LoopbackClient] = []
        for _ in 0..<8 {
            let client = try LoopbackClient(port: service.port)
            client.send("GET /v1/assets/\(id)/inspect HTTP/1.1\r\nHost: localhost\r\n\r\n")
            clients.append(client)
        }
        for client in clients { #expect(client.read(100_000).count == 100_000) }
        let start = ContinuousClock.now
        #expect(try service.client.get("/healthz").status == 200)
        #expect(ContinuousClock.now - start < .seconds(5))
        clients = []
        _ = try eventually("that it rests") {
            let before = try processorTime(service.pid)
            usleep(500_000)
            return try processorTime(service.pid) - before < 0.1 ? true : nil
        }
        // All of it eight times would have taken far longer.
        #expect(ContinuousClock.now - start < .seconds(30))
        let text = String(decoding: try Repository.bytes(at: "/proc/\(service.pid)/status"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let memory = try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
        #expect(memory < 250 << 20)
    }

    @Test func aLongAnswerIsWholeAndBearsItsName() throws {
        let service = try ServiceProcess(data: folder.path)
        let id = try long(service, 3 << 20)
        let request = " /v1/assets/\(id)/inspect HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let json = try #require(
            ServiceClient.answer(try LoopbackClient(port: service.port).exchange("GET" + request).bytes).json)
        #expect(json["source"]?["input"] == "walker.zip")
        #expect(json["source"]?["kind"] == 1)
        #expect((json["padding"]?.elements.count ?? 0) > 100_000)
        let head = try LoopbackClient(port: service.port).exchange("HEAD" + request)
        #expect(head.text.hasPrefix("HTTP/1.1 200 "))
        #expect(head.body.isEmpty)
    }

    // MARK: - Names at any cut

    private func cut(_ text: [UInt8], _ size: Int, _ named: NamedText) -> String {
        var (named, result, at): (NamedText, [UInt8], Int) = (named, [], 0)
        while at < text.count {
            result += named.take(Array(text[at..<min(text.count, at + size)]))
            at += size
        }
        return String(decoding: result + named.end(), as: UTF8.self)
    }

    @Test func wordsThatACutPartsAreFound() {
        let text = """
            {
              "a": "chair.dae",
              "source": {
                "other": {
                  "input": "no"
                },
                "input": "chair.dae",
                "kind": 1
              },
              "z": "chair.dae"
            }
            """
        let expected = text.replacing("\"input\": \"chair.dae\"", with: "\"input\": \"x/y.dae\"")
        for size in 1...120 {
            #expect(cut(Array(text.utf8), size, NamedText(source: "x/y.dae")) == expected)
        }
        // The last member of its object, and none at all.
        let last = "{\n  \"source\": {\n    \"input\": \"old\"\n  }\n}\n"
        for size in 1...40 {
            #expect(
                cut(Array(last.utf8), size, NamedText(source: "n")) == last.replacing("\"old\"", with: "\"n\""))
            #expect(cut(Array("{\n}\n".utf8), size, NamedText(source: "n")) == "{\n}\n")
        }
    }
}

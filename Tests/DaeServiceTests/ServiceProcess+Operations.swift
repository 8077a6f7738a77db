import Dispatch
import FoundationEssentials
import Glibc
import TestSupport

extension ServiceProcess {
    /// Its child processes.
    var workers: [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.flatMap { task in
            let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The assets that a worker began to read the scene of, by all events from the first on.
    func parsed(ready count: Int) throws -> Set<String> {
        let connection = try LoopbackClient(port: port)
        connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n")
        var (line, parsed, ready): ([UInt8], Set<String>, Set<String>) = ([], [], [])
        while ready.count < count, case let byte = connection.read(1), !byte.isEmpty {
            if byte[0] != UInt8(ascii: "\n") {
                line += byte
                continue
            }
            defer { line = [] }
            guard line.starts(with: "data: ".utf8) else { continue }
            let event = try JSONNode(parsing: Array(line.dropFirst(6)))
            guard let asset = event["asset"]?.string else { continue }
            if event["data"]?["state"] == "parsing" { parsed.insert(asset) }
            if event["data"]?["state"] == "ready" { ready.insert(asset) }
        }
        return parsed
    }

    /// The objects that it wrote to its log, those alone with this message.
    func logged(_ message: String) -> [JSONNode] {
        logText.split(separator: "\n").compactMap { try? JSONNode(parsing: Array($0.utf8)) }
            .filter { $0["message"]?.string == message }
    }

    /// Where its figures are had.
    var metrics: WatchClient? {
        logged("measured").first?["port"]?.number.map { UInt16($0) }.map { WatchClient(port: $0) }
    }

    /// Another command of the program on the same folder.
    static func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(arguments, program: program)
    }
}

/// Asks the port of figures, which is no part of the API.
struct WatchClient {
    let port: UInt16

    func get(_ path: String) throws -> ServiceClient.Answer {
        let text = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        return ServiceClient.answer(try LoopbackClient(port: port).exchange(text).bytes)
    }
}

/// Asks until the answer is not `nil`; gives up after two minutes.
func eventually<Value>(_ what: String, _ body: () throws -> Value?) throws -> Value {
    for _ in 0..<6000 {
        if let value = try body() { return value }
        usleep(20_000)
    }
    throw NeverCame(what: what)
}

struct NeverCame: Error {
    let what: String
}

/// Says that something on another thread has ended. A class because two threads share it.
final class Flag: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func raise() { semaphore.signal() }

    /// Waits for that; gives up after two minutes.
    func wait() throws {
        guard semaphore.wait(timeout: .now() + .seconds(120)) == .success else {
            throw NeverCame(what: "the end of another thread")
        }
        // For whoever else waits.
        semaphore.signal()
    }
}

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The service as an operator starts it, on a port of its own. A class because it owns the process.
final class ServiceProcess: Sendable {
    struct NotListening: Error {
        let log: String
    }

    /// `$DAED_BINARY`, else what the package built beside the tests.
    static let program: String = {
        if let given = ProcessInfo.processInfo.environment["DAED_BINARY"], !given.isEmpty { return given }
        return Repository.root + "/.build/debug/daed"
    }()

    /// 0 where it listens at no port.
    let port: UInt16
    let pid: pid_t
    private let log: String

    /// - Parameters:
    ///   - data: The folder of all that it keeps.
    ///   - command: `serve` or `worker`.
    ///   - disk: Bytes of a disk of its own, which it keeps all in; ``disk`` is where that is seen.
    ///   - starter: What becomes the program whose path and arguments it is given; the words of its command line.
    init(
        data: String, _ options: [String] = [], environment: [String: String] = [:], disk: Int? = nil,
        starter: [String] = [], command: String = "serve"
    ) throws {
        log = data + "/log-" + UUID().uuidString
        let words = [command] + (command == "serve" ? ["--port", "0"] : []) + ["--data"]
        if let disk {
            let mount = "mount -t tmpfs -o size=\(disk) tmpfs '\(data)' && exec \"$@\""
            pid = try Program.start(
                ["-m", "sh", "-c", mount, "sh", Self.program] + words + [data + "/kept"] + options, errors: log,
                environment: environment, program: "unshare")
        } else {
            let all = starter + [Self.program] + words + [data] + options
            pid = try Program.start(
                Array(all.dropFirst()), errors: log, environment: environment, program: all[0])
        }
        var port: UInt16?
        for _ in 0..<600 where port == nil {
            usleep(20_000)
            port = Self.port(log)
        }
        guard let port else {
            kill(pid, SIGKILL)
            _ = Program.wait(for: pid)
            throw NotListening(log: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
        }
        self.port = port
    }

    deinit {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        for key in LogFields.undocumented(in: logText) {
            Issue.record("the log has '\(key)', which Operations.md does not name")
        }
    }

    /// Whether a process may have a disk of its own here.
    static let hasDisks: Bool = {
        let run = try? Program.run(["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], program: "unshare")
        return run?.code == 0
    }()

    /// A path as the service sees it, as the tests do.
    func seen(_ path: String) -> String { "/proc/\(pid)/root\(path)" }

    var client: ServiceClient { ServiceClient(port: port) }

    /// Ends it by a signal and waits for it; gives its exit code.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        kill(pid, signal)
        return Program.wait(for: pid)
    }

    /// Whether something comes to be within a minute.
    func waits(_ condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<3000 {
            if try condition() { return true }
            usleep(20_000)
        }
        return false
    }

    /// What it wrote so far.
    var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    private static func port(_ log: String) -> UInt16? {
        guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return nil }
        for line in text.split(separator: "\n") where ["\"listening\"", "\"working\""].contains(where: line.contains) {
            let node = try? JSONNode(parsing: Array(line.utf8))
            return node?["port"]?.number.map { UInt16($0) } ?? (node == nil ? nil : 0)
        }
        return nil
    }
}

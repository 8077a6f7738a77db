public import Glibc

/// A program of this machine, found on the path or where servers lie.
public enum ChildProcess {
    public struct Failure: Error {
        public let program: String
        public let reason: String
    }

    /// The whole path of a program; `nil` where it is not installed.
    public static func find(_ program: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return (folders.split(separator: ":") + ["/usr/sbin", "/usr/local/sbin", "/usr/bin"])
            .map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs a program to its end; its standard output and error together.
    public static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(program: program, reason: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child: pid_t
        do {
            defer { close(ends[1]) }
            child = try start(program, arguments, descriptors: [(ends[1], 1), (ends[1], 2)])
        } catch {
            close(ends[0])
            throw error
        }
        defer { close(ends[0]) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output += buffer[..<count]
        }
        return (wait(for: child), String(decoding: output, as: UTF8.self))
    }

    /// Starts a program; `descriptors` are handed to it under the numbers given. `environment` is added to ours.
    public static func start(
        _ program: String, _ arguments: [String], descriptors: [(ours: Int32, theirs: Int32)] = [],
        environment: [String] = []
    ) throws -> pid_t {
        guard let path = find(program) else { throw Failure(program: program, reason: "not installed") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (ours, theirs) in descriptors { posix_spawn_file_actions_adddup2(&actions, ours, theirs) }
        // A thread that blocks signals would start a program that never learns of its own children's end.
        var (attributes, signals) = (posix_spawnattr_t(), sigset_t())
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = ([path] + arguments).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        let names: [String] = ["PATH", "HOME", "LANG"]
        let kept = names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        let variables = (kept + environment).map { strdup($0) } + [nil]
        defer { variables.forEach { free($0) } }
        var child = pid_t()
        let status = posix_spawn(&child, path, &actions, &attributes, arguments, variables)
        guard status == 0 else { throw Failure(program: program, reason: String(cString: strerror(status))) }
        return child
    }

    /// The exit status; 128 and the signal's number for one that a signal ended.
    public static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return -1 } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
    }
}

import FoundationEssentials
public import Glibc

/// The command line as a child process, as a user starts it.
public enum Program {
    /// How a run ended.
    public struct Outcome: Sendable {
        /// The exit code; of a program that a signal ended minus the signal's number.
        public let code: Int32
        public let output: [UInt8]
        public let errors: String
        /// Of processor time.
        public let seconds: Double

        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// `$DAE_BINARY`, else what the package built beside the tests.
    public static let path: String = {
        if let given = ProcessInfo.processInfo.environment["DAE_BINARY"], !given.isEmpty { return given }
        return Repository.root + "/.build/debug/dae"
    }()

    /// Whether a program of this name is on the search path.
    public static func isInstalled(_ name: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - input: A file to read as standard input; nothing without.
    ///   - environment: Beside that of the tests.
    ///   - folder: Where it starts; the repository's top without.
    ///   - program: Another program, by its path or its name.
    public static func run(
        _ arguments: [String], input: String = "/dev/null", environment: [String: String] = [:],
        folder: String? = nil, program: String = path
    ) throws -> Outcome {
        let place = try TemporaryFolder()
        let (output, errors) = (place.path + "/output", place.path + "/errors")
        let child = try start(
            arguments, input: input, output: output, errors: errors, environment: environment,
            folder: folder, program: program)
        let end = end(of: child)
        return Outcome(
            code: end.code, output: [UInt8](try Data(contentsOf: URL(filePath: output))),
            errors: String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self),
            seconds: end.seconds)
    }

    /// Runs the program to its end, and tells the most that it had in memory at once, in kB.
    ///
    /// A process counts what the one that starts it has in memory, too; so a small one starts it.
    public static func measured(_ arguments: [String]) throws -> (outcome: Outcome, kilobytes: Int) {
        let script = """
            import resource, subprocess, sys
            code = subprocess.run(sys.argv[2:]).returncode
            open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
            sys.exit(code if code >= 0 else 128 - code)
            """
        let place = try TemporaryFolder()
        let file = place.path + "/kilobytes"
        let outcome = try run(["-c", script, file, path] + arguments, program: "python3")
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        return (outcome, Int(text) ?? .max)
    }

    /// Starts the program; the caller ends it or waits for it.
    public static func start(
        _ arguments: [String], input: String = "/dev/null", output: String = "/dev/null", errors: String = "/dev/null",
        environment: [String: String] = [:], folder: String? = nil, program: String = path
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // Whoever runs the tests in the background may have had them ignore what ends a program.
        var (attributes, defaults) = (posix_spawnattr_t(), sigset_t())
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGQUIT, SIGHUP] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var all = ProcessInfo.processInfo.environment
        all.merge(environment) { _, given in given }
        // env changes the folder and then becomes the program, under the same process id.
        let words = ["env", "-C", folder ?? Repository.root, program] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child = pid_t()
        let status = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, &argv, &envp)
        guard status == 0 else { throw StartError(path: path, reason: String(cString: strerror(status))) }
        return child
    }

    public struct StartError: Error {
        public let path: String
        public let reason: String
    }

    /// The exit code; of a program that a signal ended minus the signal's number.
    public static func wait(for child: pid_t) -> Int32 { end(of: child).code }

    private static func end(of child: pid_t) -> (code: Int32, seconds: Double) {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        let time = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let rest = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return (signal == 0 ? (status >> 8) & 0xFF : -signal, Double(time) + Double(rest) / 1e6)
    }
}

import ArgumentParser
import Daedalus
import Dispatch
import Glibc

/// The service as a program.
public enum ServiceProgram {
    /// Reads the command line, runs what it names, and ends the process with its exit code.
    public static func main() -> Never {
        // A client or a worker that is gone shows itself when writing.
        signal(SIGPIPE, SIG_IGN)
        // Before the first thread begins, which does not keep them blocked as the parent left them.
        if CommandLine.arguments.dropFirst().first == WorkerCommand.configuration.commandName {
            for number in WorkerProcess.foreignSignals { signal(number, SIG_IGN) }
        }
        Task {
            await Daed.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

struct Daed: AsyncParsableCommand {
    static let version = ReportTool.daedalus.version

    static let configuration = CommandConfiguration(
        commandName: "daed",
        abstract: "Take in downloadable 3D models over HTTP, and give back scenes that can be trusted.",
        version: "daed \(version)",
        subcommands: [
            ServeCommand.self, ConfigCommand.self, TokenCommand.self, KeyCommand.self, DoctorCommand.self,
            BackupCommand.self, HealthCommand.self, OpenAPICommand.self, WorkerCommand.self,
        ])
}

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the description of the HTTP API, by OpenAPI 3.1.")

    func run() { print(OpenAPI.text, terminator: "") }
}

/// Where settings are read from, for commands beside `serve`: what it would go by.
struct ConfigOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file of settings.", valueName: "file"))
    var config: String?

    /// - Parameter flags: By the settings' keys.
    func settings(_ flags: [String: String?]) throws -> ServiceSettings {
        let values = flags.compactMapValues { $0.map { [$0] } }
        do {
            return try SettingSources(
                flags: SettingFlags(values: values, config: config), environment: SettingSources.processEnvironment()
            ).resolve().settings
        } catch { throw ValidationError(error.description) }
    }
}

/// Where the data lies, for commands that look at it beside a service.
struct DataOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder for all that is kept.", valueName: "folder"))
    var data: String?
    @OptionGroup var source: ConfigOptions

    /// - Parameter flags: Others than the folder, by the settings' keys.
    func settings(_ flags: [String: String?] = [:]) throws -> ServiceSettings {
        try source.settings(flags.merging(["data": data]) { own, _ in own })
    }

    /// Does something with what is kept of tokens and keys.
    func use<Value: Sendable>(_ body: (any AccessStore) async throws -> Value) async throws -> Value {
        let folder = ServiceFolder(path: try settings().data)
        do {
            try folder.prepare()
            return try await body(SQLiteAccessStore(try SQLiteJobStore(path: folder.database)))
        } catch {
            complain("\(folder.path): \(error)")
            throw ExitCode(73)
        }
    }
}

/// Why the service cannot begin to serve.
struct ServiceStartError: Error, CustomStringConvertible {
    let description: String
    /// Of sysexits.h.
    let exitCode: Int32

    static func data(_ folder: String, _ reason: String) -> ServiceStartError {
        ServiceStartError(description: "\(folder): \(reason)", exitCode: 73)
    }

    static func noToken(_ host: String) -> ServiceStartError {
        ServiceStartError(
            description: "\(host) is no loopback address, and no token exists; make one with 'daed token add' first",
            exitCode: 78)
    }

    static func address(_ host: String, _ port: Int, _ reason: String) -> ServiceStartError {
        ServiceStartError(description: "cannot listen on \(host):\(port): \(reason)", exitCode: 69)
    }
}

/// Writes one line to standard error.
func complain(_ text: String) {
    let line = Array("daed: \(text)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

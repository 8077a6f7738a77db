import ArgumentParser
import DaeCore
import Daedalus
import Dispatch

/// The service as a program.
package enum ServiceProgram {
    /// Reads the command line, runs what it names, and ends the process with its exit code.
    package static func main() -> Never {
        if CommandLine.arguments.dropFirst().first == WorkerProgram.name { WorkerProgram.main() }
        // A client or a worker that is gone shows itself when writing.
        signal(SIGPIPE, SIG_IGN)
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
            ServeCommand.self, WorkerCommand.self, ConfigCommand.self, TokenCommand.self, KeyCommand.self,
            DoctorCommand.self, BackupCommand.self, ImportFolderCommand.self, ExportCommand.self, MigrateCommand.self,
            HealthCommand.self, OpenAPICommand.self,
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
    @Option(help: ArgumentHelp("sqlite, or the address of a PostgreSQL database.", valueName: "address"))
    var database: String?
    @Option(help: ArgumentHelp("folder, or s3://bucket/prefix.", valueName: "address"))
    var store: String?
    @OptionGroup var source: ConfigOptions

    /// - Parameter flags: Others than the folder, by the settings' keys.
    func settings(_ flags: [String: String?] = [:]) throws -> ServiceSettings {
        let own = ["data": data, "database": database, "store": store]
        return try source.settings(flags.merging(own) { first, _ in first })
    }

    /// Does something with what is kept of tokens and keys.
    func use<Value: Sendable>(_ body: (AccessStore) async throws -> Value) async throws -> Value {
        try await run { settings in
            let folder = ServiceFolder(path: settings.data)
            try folder.prepare()
            return try await body(AccessStore(try await ServiceStores.database(settings, folder).rows))
        }
    }

    /// Does something by the settings; what keeps it from that is said.
    func run<Value: Sendable>(_ body: (ServiceSettings) async throws -> Value) async throws -> Value {
        let settings = try settings()
        do { return try await body(settings) } catch let error as ServiceStartError {
            complain(error.description)
            throw ExitCode(error.exitCode)
        } catch let code as ExitCode { throw code } catch {
            complain("\(settings.data): \(error)")
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

    static func sandbox(_ faults: [String]) -> ServiceStartError {
        ServiceStartError(
            description:
                "workers cannot be shut in, which --require-sandbox demands: \(faults.joined(separator: "; "))",
            exitCode: 78)
    }

    /// Not all has come yet, and what has would be taken for all.
    static let halfTransfer = ServiceStartError(
        description: "not all was copied here that should be; run 'daed import-folder' or 'daed export' again",
        exitCode: 78)

    static func address(_ host: String, _ port: Int, _ reason: String) -> ServiceStartError {
        ServiceStartError(description: "cannot listen on \(host):\(port): \(reason)", exitCode: 69)
    }
}

/// Writes one line to standard error.
func complain(_ text: String) {
    let line = Array("daed: \(text)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve until told to stop.",
        usage: "daed serve [<option> ...]",
        discussion: """
            Listens on loopback unless told otherwise. Everything is kept below --data; several processes \
            may share it. SIGTERM stops it: running work is handed back and taken up again at the next start.

            \(SettingOptions.help)
            """)

    @OptionGroup var options: SettingOptions

    func run() async throws { try await options.run(self, as: .server) }
}

struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Work for services on the same database and store until told to stop.",
        usage: "daed worker [<option> ...]",
        discussion: """
            Takes the settings of `daed serve`, and answers no clients: it needs no token, and listens at --metrics-port \
            alone, where `daed health --worker` asks it. SIGTERM stops it: running work is handed back.

            \(SettingOptions.help)
            """)

    @OptionGroup var options: SettingOptions

    func run() async throws { try await options.run(self, as: .worker) }
}

/// Every setting as an option. They come from ``SettingTable``, so the words are taken as they are and read by it.
struct SettingOptions: ParsableArguments {
    @Argument(parsing: .captureForPassthrough, help: .hidden)
    var words: [String] = []

    func resolve(_ command: some ParsableCommand) throws -> ResolvedSettings {
        if words.contains("--help") || words.contains("-h") { throw CleanExit.helpRequest(command) }
        do {
            return try SettingSources(
                flags: try SettingFlags(words), environment: SettingSources.processEnvironment()
            ).resolve()
        } catch { throw ValidationError(error.description) }
    }

    func run(_ command: some ParsableCommand, as role: ServiceRun.Role) async throws {
        let settings = try resolve(command)
        do {
            try await ServiceRun(settings, as: role).run()
        } catch let error as ServiceStartError {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
    }

    /// Takes `--format` out, which is no setting.
    mutating func takeFormat() throws -> ResultForm {
        guard let at = words.firstIndex(of: "--format") else { return .text }
        guard at + 1 < words.count, let format = ResultForm(rawValue: words[at + 1]) else {
            throw ValidationError("--format: expected text or json.")
        }
        words.removeSubrange(at...at + 1)
        return format
    }

    static var help: String {
        """
        Every option may be given as a variable (--upload-limit is DAED_UPLOAD_LIMIT) or as a key of a JSON file \
        (upload-limit). An option stands above a variable, a variable above the file. `daed config` says what holds.

        Options:
        \(SettingTable.help)
          --config <file>
              The file of settings, else $DAED_CONFIG, else $XDG_CONFIG_HOME/daed/config.json where that is there.
        """
    }
}

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print every setting, its value, and where it came from.",
        usage: "daed config [--format <text|json>] [<option> ...]",
        discussion: """
            Tokens and keys are no settings: they are kept in the data folder, and never printed.

            \(SettingOptions.help)
            """)

    @OptionGroup var options: SettingOptions

    mutating func run() throws {
        let format = try options.takeFormat()
        let resolved = try options.resolve(self)
        let rows = SettingTable.all.map { ($0, $0.value(resolved.settings), resolved.origin($0)) }
        switch format {
        case .text:
            let width = rows.map(\.0.key.utf8.count).max() ?? 0
            for (setting, value, origin) in rows {
                let name = setting.key + String(repeating: " ", count: width - setting.key.utf8.count)
                print("\(name)  \(value.words.joined(separator: ","))  (\(origin.rawValue))")
            }
        case .json:
            ResultForm.print([
                "settings": .array(
                    rows.map { setting, value, origin in
                        [
                            "key": .string(setting.key), "value": value.json, "origin": .string(origin.rawValue),
                            "variable": .string(setting.variable),
                        ]
                    })
            ])
        }
    }
}

extension SettingValue {
    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .list(let words): JSONValue(words)
        }
    }
}

/// How a command prints what it found.
enum ResultForm: String, ExpressibleByArgument {
    case text, json

    static func print(_ value: JSONValue) {
        Swift.print(String(decoding: value.text(.indented), as: UTF8.self))
    }
}

import ArgumentParser
import Daedalus
import Glibc

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

    func run() async throws {
        let settings = try options.resolve(self).settings
        do {
            try await ServiceRun(settings).run()
        } catch let error as ServiceStartError {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
    }
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

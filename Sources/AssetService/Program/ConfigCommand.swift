import ArgumentParser
import Daedalus
import Glibc

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

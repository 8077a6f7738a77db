import DaeCore
import Daedalus
import Logging

/// One thing that an operator may set: a flag `--key`, a variable `DAED_KEY` and a key of the file.
struct Setting: Sendable {
    /// Lower-case words with hyphens between them.
    let key: String
    /// What stands for the value in the help.
    let valueName: String
    let help: String
    let kind: Kind

    /// Where it is kept, and which values it may have.
    enum Kind: Sendable {
        case text(any WritableKeyPath<ServiceSettings, String> & Sendable)
        /// An address that may have a password, which is never shown.
        case secret(any WritableKeyPath<ServiceSettings, String> & Sendable)
        case choice(SettingChoice)
        case integer(any WritableKeyPath<ServiceSettings, Int> & Sendable, ClosedRange<Int>)
        /// A number, or `off`.
        case optional(any WritableKeyPath<ServiceSettings, Int?> & Sendable, ClosedRange<Int>)
        case bytes(any WritableKeyPath<ServiceSettings, Int64> & Sendable, ClosedRange<Int64>)
        /// Flags may be given again; variables have commas; the file has an array.
        case list(any WritableKeyPath<ServiceSettings, [String]> & Sendable)
    }

    init(_ key: String, _ valueName: String, _ kind: Kind, _ help: String) {
        self.key = key
        self.valueName = valueName
        self.kind = kind
        self.help = help
    }

    var flag: String { "--" + key }
    var variable: String { "DAED_" + key.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }

    /// Sets it; the words are more than one for a list alone.
    ///
    /// - Parameter place: Where they were found, for the error.
    func set(_ words: [String], _ settings: inout ServiceSettings, place: String) throws(SettingError) {
        let word = words.last ?? ""
        switch kind {
        case .text(let path), .secret(let path):
            guard !word.isEmpty else { throw SettingError("\(place) is empty.") }
            settings[keyPath: path] = word
        case .choice(let choice):
            guard choice.set(word, &settings) else {
                throw SettingError("\(place) is '\(word.prefix(80))'; expected \(choice.expectation).")
            }
        case .integer(let path, let range): settings[keyPath: path] = try Self.number(word, range, place)
        case .optional(let path, let range):
            settings[keyPath: path] = word == "off" ? nil : try Self.number(word, range, place, or: "off")
        case .bytes(let path, let range):
            // As sizes are written elsewhere: 500M.
            let size = SizeLimit(word)
            if case .bytes(let bytes) = size {
                settings[keyPath: path] = try Self.number(String(bytes), range, place)
            } else {
                settings[keyPath: path] = try Self.number(word, range, place)
            }
        case .list(let path): settings[keyPath: path] = words
        }
    }

    /// What it is, as it would be written into the file.
    func value(_ settings: ServiceSettings) -> SettingValue {
        switch kind {
        case .text(let path): .text(settings[keyPath: path])
        case .secret(let path): .text(Self.withoutPassword(settings[keyPath: path]))
        case .choice(let choice): .text(choice.word(settings))
        case .integer(let path, _): .integer(Int64(settings[keyPath: path]))
        case .optional(let path, _): settings[keyPath: path].map { .integer(Int64($0)) } ?? .text("off")
        case .bytes(let path, _): .integer(settings[keyPath: path])
        case .list(let path): .list(settings[keyPath: path])
        }
    }

    var isList: Bool {
        switch kind {
        case .list: true
        case .text, .secret, .choice, .integer, .optional, .bytes: false
        }
    }

    /// An address, with a mark in the place of all that may be a password.
    static func withoutPassword(_ address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return address }
        // A password may have what ends an authority elsewhere.
        guard let at = address.lastIndex(of: "@") else { return address }
        let user = address[scheme.upperBound..<at].prefix { $0 != ":" }
        return "\(address[..<scheme.upperBound])\(user):***\(address[at...])"
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String, _ range: ClosedRange<Number>, _ place: String, or word: String? = nil
    ) throws(SettingError) -> Number {
        let other = word.map { ", or \($0)" } ?? ""
        guard let number = Number(text) else {
            throw SettingError("\(place) is '\(text.prefix(80))'; expected a number\(other).")
        }
        guard range.contains(number) else {
            throw SettingError("\(place) is \(number); expected \(range.lowerBound) to \(range.upperBound)\(other).")
        }
        return number
    }
}

/// A setting that is one of some words, each of which stands for a value.
struct SettingChoice: Sendable {
    private let words: [String]
    /// The word of the present value.
    let word: @Sendable (ServiceSettings) -> String
    /// Whether it is one of the words, and set.
    let set: @Sendable (String, inout ServiceSettings) -> Bool

    init<Value: Equatable & Sendable>(
        _ path: any WritableKeyPath<ServiceSettings, Value> & Sendable, _ values: KeyValuePairs<String, Value>
    ) {
        let values = values.map { (word: $0.key, value: $0.value) }
        words = values.map(\.word)
        word = { settings in values.first { $0.value == settings[keyPath: path] }?.word ?? "" }
        set = { word, settings in
            guard let value = values.first(where: { $0.word == word })?.value else { return false }
            settings[keyPath: path] = value
            return true
        }
    }

    /// For people.
    var expectation: String { words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "") }
}

/// The value of a setting, as the file has it.
enum SettingValue: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case list([String])

    /// One word of it after the other.
    var words: [String] {
        switch self {
        case .text(let text): [text]
        case .integer(let number): [String(number)]
        case .list(let words): words
        }
    }
}

/// Why settings cannot be used.
struct SettingError: Error, CustomStringConvertible, Equatable {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Where a setting's value came from.
enum SettingOrigin: String, Sendable {
    case flag, variable, file
    case standard = "default"
}

/// Settings, and where each came from.
struct ResolvedSettings: Sendable {
    var settings = ServiceSettings()
    /// By the setting's key; what is not in it stands as it was.
    private(set) var origins: [String: SettingOrigin] = [:]

    func origin(_ setting: Setting) -> SettingOrigin { origins[setting.key] ?? .standard }

    /// What was set, for the log; tokens and keys are no settings.
    var given: Logger.Metadata {
        var given: Logger.Metadata = [:]
        for setting in SettingTable.all where origin(setting) != .standard {
            given[setting.key] = "\(setting.value(settings).words.joined(separator: ","))"
        }
        return given
    }

    fileprivate mutating func set(
        _ setting: Setting, _ words: [String], _ origin: SettingOrigin, place: String
    ) throws(SettingError) {
        try setting.set(words, &settings, place: place)
        origins[setting.key] = origin
    }
}

/// All that may say something of settings: a flag stands above a variable, a variable above the file.
struct SettingSources: Sendable {
    var flags = SettingFlags()
    var environment: [String: String] = [:]

    /// What holds; what nobody knows is refused.
    func resolve() throws(SettingError) -> ResolvedSettings {
        var resolved = ResolvedSettings()
        resolved.settings.data = ServiceSettings.defaultData { environment[$0] }
        if let path = configPath {
            for entry in try SettingFile.read(path) {
                try resolved.set(
                    entry.setting, entry.words, .file, place: "\(path):\(entry.line): \(entry.setting.key)")
            }
        }
        try refuseUnknownVariables()
        for setting in SettingTable.all {
            if let words = flags.values[setting.key] {
                try resolved.set(setting, words, .flag, place: setting.flag)
            } else if let text = environment[setting.variable], !text.isEmpty,
                !SettingTable.isOfKubernetes(setting.variable, text)
            {
                let words = setting.isList ? text.split(separator: ",").map(String.init) : [text]
                try resolved.set(setting, words, .variable, place: setting.variable)
            }
        }
        try resolved.settings.check()
        return resolved
    }

    /// What `--config` or `DAED_CONFIG` names, else the usual place where something is there.
    private var configPath: String? {
        if let path = flags.config ?? environment["DAED_CONFIG"], !path.isEmpty { return path }
        var folder = environment["XDG_CONFIG_HOME"] ?? ""
        if !folder.hasPrefix("/") {
            guard let home = environment["HOME"], !home.isEmpty else { return nil }
            folder = home + "/.config"
        }
        let path = folder + "/daed/config.json"
        return access(path, F_OK) == 0 ? path : nil
    }

    private func refuseUnknownVariables() throws(SettingError) {
        let known = Set(SettingTable.all.map(\.variable)).union(SettingTable.otherVariables)
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("DAED_") && !known.contains(name) && !SettingTable.isOfKubernetes(name, value) {
            let near = SettingTable.suggestion(for: name, among: known.sorted())
            throw SettingError("\(name) is no variable of this program.\(near)")
        }
    }

    /// The environment of this process.
    static func processEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var at = environ
        while let entry = at.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            at += 1
        }
        return variables
    }
}

/// Settings as flags of a command line: `--key value` or `--key=value`.
struct SettingFlags: Sendable {
    /// By the setting's key; more than one for a list alone.
    private(set) var values: [String: [String]] = [:]
    /// The file that `--config` names.
    private(set) var config: String?

    init() {}

    init(values: [String: [String]], config: String? = nil) {
        self.values = values
        self.config = config
    }

    init(_ words: [String]) throws(SettingError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.utf8.count > 2 else {
                throw SettingError("'\(word)' is no option of this command.")
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(parts[0])
            guard key == "config" || SettingTable.setting(key) != nil else {
                let near = SettingTable.suggestion(
                    for: word, among: SettingTable.all.map(\.flag) + ["--config", "--help"])
                throw SettingError("'--\(key)' is no option of this command.\(near)")
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw SettingError("--\(key) needs a value.")
            }
            if key == "config" {
                config = value
            } else if SettingTable.setting(key)?.isList == true {
                values[key, default: []].append(value)
            } else {
                values[key] = [value]
            }
        }
    }
}

// One JSON object whose values are texts, whole numbers and arrays of texts.

/// A file of settings.
enum SettingFile {
    struct Entry {
        let setting: Setting
        let words: [String]
        /// From 1.
        let line: Int
    }

    static func read(_ path: String) throws(SettingError) -> [Entry] {
        let bytes: [UInt8]
        do { bytes = try TextFile.bytes(path) } catch { throw SettingError("\(error)") }
        return try entries(bytes, path)
    }

    /// - Parameter path: How errors call the file.
    static func entries(_ bytes: [UInt8], _ path: String) throws(SettingError) -> [Entry] {
        let root: LocatedJSON
        do { root = try LocatedJSON.value(in: bytes) } catch {
            throw SettingError("\(path):\(error.line): \(error.message).")
        }
        guard case .object(let members) = root.value else { throw SettingError("\(path):\(root.line): expected {.") }
        var entries: [Entry] = []
        for (key, line, value) in members {
            let place = "\(path):\(line)"
            guard let setting = SettingTable.setting(key) else {
                let near = SettingTable.suggestion(for: key, among: SettingTable.all.map(\.key))
                throw SettingError("\(place): there is no setting '\(key.prefix(80))'.\(near)")
            }
            guard !entries.contains(where: { $0.setting.key == key }) else {
                throw SettingError("\(place): '\(key)' stands here twice.")
            }
            guard let words = SettingValue(value) else {
                throw SettingError("\(place): \(key): expected a text, a whole number or an array of texts.")
            }
            guard setting.isList == words.isList else {
                throw SettingError("\(place): \(key): expected \(setting.isList ? "an array of texts" : "one value").")
            }
            entries.append(Entry(setting: setting, words: words.words, line: line))
        }
        return entries
    }
}

extension SettingValue {
    /// `nil` for what no setting is written as.
    fileprivate init?(_ json: LocatedJSON) {
        switch json.value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .array(let values):
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { return nil }
            self = .list(texts)
        case .null, .bool, .real, .object: return nil
        }
    }

    fileprivate var isList: Bool {
        switch self {
        case .list: true
        case .text, .integer: false
        }
    }
}

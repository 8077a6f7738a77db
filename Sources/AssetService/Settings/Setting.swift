import Daedalus

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
        case integer(any WritableKeyPath<ServiceSettings, Int> & Sendable, ClosedRange<Int>)
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
        case .text(let path):
            guard !word.isEmpty else { throw SettingError("\(place) is empty.") }
            settings[keyPath: path] = word
        case .integer(let path, let range): settings[keyPath: path] = try Self.number(word, range, place)
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
        case .integer(let path, _): .integer(Int64(settings[keyPath: path]))
        case .bytes(let path, _): .integer(settings[keyPath: path])
        case .list(let path): .list(settings[keyPath: path])
        }
    }

    var isList: Bool {
        switch kind {
        case .list: true
        case .text, .integer, .bytes: false
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String, _ range: ClosedRange<Number>, _ place: String
    ) throws(SettingError) -> Number {
        guard let number = Number(text) else {
            throw SettingError("\(place) is '\(text.prefix(80))'; expected a number.")
        }
        guard range.contains(number) else {
            throw SettingError("\(place) is \(number); expected \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
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

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

// The one place where settings are named: flags, variables, the file's keys, the help and `daed config` come from here.

/// All settings, in the order in which they are shown.
enum SettingTable {
    static let all: [Setting] = listening + access + work + operations

    private static let listening = [
        Setting("port", "n", .integer(\.port, 0...65535), "The TCP port; 0 for any that is free."),
        Setting(
            "host", "address", .text(\.host), "The address to listen on; beyond loopback only where a token exists."),
        Setting("data", "folder", .text(\.data), "The folder for all that is kept."),
    ]

    private static let access = [
        Setting(
            "public-host", "name", .list(\.publicHosts),
            "A name under which clients know this service; may be given again."),
        Setting(
            "cors-origin", "origin", .list(\.corsOrigins),
            "A site whose pages may use this service, such as https://example.org; may be given again."),
        Setting(
            "trusted-proxies", "block", .list(\.trustedProxies),
            "A block of addresses of proxies whose X-Forwarded-For is taken, such as 10.0.0.0/8; may be given again."),
        Setting(
            "rate", "n", .integer(\.rate, 0...1_000_000),
            "Requests a second that one client may send in the long run; 0 for any number."),
        Setting("burst", "n", .integer(\.burst, 1...1_000_000), "Requests that one client may send at once."),
    ]

    private static let work = [
        Setting(
            "workers", "n", .integer(\.workers, 1...256),
            "Child processes at work at once; by itself one for each processor that may be used, 2 to 16."),
        Setting(
            "upload-limit", "bytes", .bytes(\.contentLimit, 1...(1 << 40)), "Bytes of one upload or download at most."),
        Setting(
            "upload-time", "seconds", .integer(\.uploadTime, 1...(366 * 86_400)),
            "Seconds for which an upload that comes in pieces is kept behind its last piece."),
        Setting("queue-limit", "n", .integer(\.queueLimit, 1...1_000_000), "Assets that wait for a worker at most."),
        Setting(
            "worker-memory", "bytes", .bytes(\.worker.memory, (64 << 20)...(1 << 40)), "Bytes of memory of one worker."),
        Setting(
            "worker-cpu", "seconds", .integer(\.worker.processorSeconds, 1...86_400),
            "Seconds of processor time of one worker."),
        Setting(
            "worker-time", "seconds", .integer(\.worker.wallSeconds, 1...86_400), "Seconds that one worker may take."),
        Setting(
            "connections", "n", .integer(\.clients.connections, 1...1_000_000),
            "Connections open at once; more wait to be accepted."),
        Setting(
            "client-requests", "n", .integer(\.clients.requests, 0...1_000_000),
            "Requests of one client, a token or else an address, that are open at once; 0 for any number."),
        Setting(
            "client-streams", "n", .integer(\.clients.streams, 0...1_000_000),
            "Streams of events among them; 0 for any number."),
        Setting(
            "client-time", "seconds", .integer(\.clients.seconds, 1...86_400),
            "Seconds that a connection may stand still before it is closed."),
        Setting(
            "allow-addresses", "block", .list(\.allowedBlocks),
            "A block of private addresses that downloads may go to, such as 10.0.0.0/8; may be given again."),
    ]

    private static let operations = [
        Setting(
            "disk-limit", "bytes", .bytes(\.disk.total, 0...(1 << 60)),
            "Bytes of all that is kept; results that can be made again go first, originals never; 0 for no limit."),
        Setting("free-disk", "bytes", .bytes(\.disk.free, 0...(1 << 60)), "Bytes of the disk that stay free."),
        Setting("stop-timeout", "seconds", .integer(\.stopSeconds, 1...3600), "Seconds that a stop may take."),
        Setting(
            "log-level", "level", .text(\.logLevel),
            "The least that the log holds: trace, debug, info, notice, warning, error or critical; who did what is info."
        ),
        Setting(
            "metrics-port", "n", .text(\.metricsPort),
            "The port of /metrics for Prometheus; 0 for any that is free."),
        Setting(
            "metrics-host", "address", .text(\.metricsHost),
            "The address of /metrics; beyond loopback, whoever reaches it may read it."),
        Setting(
            "access-log", "on|off", .text(\.accessLog),
            "Whether the log has a line for each request, without its query."),
    ]

    /// Variables that begin alike and are no settings.
    static let otherVariables: Set<String> = ["DAED_CONFIG", "DAED_NO_BUILD", "DAED_BINARY", "DAED_TOKEN"]

    /// Whether a variable is one of those that Kubernetes sets in every container beside a service that is called daed.
    static func isOfKubernetes(_ variable: String, _ value: String) -> Bool {
        variable.hasPrefix("DAED_SERVICE_") || variable.hasPrefix("DAED_PORT_")
            || variable == "DAED_PORT" && value.hasPrefix("tcp://")
    }

    static func setting(_ key: String) -> Setting? { all.first { $0.key == key } }

    /// The help's table of flags, with what holds where a setting is not given.
    static var help: String {
        let defaults = ServiceSettings()
        return all.map { setting in
            let words = setting.value(defaults).words.filter { !$0.isEmpty }
            let standard = words.isEmpty ? "" : " (default: \(words.joined(separator: ",")))"
            return "  \(setting.flag) <\(setting.valueName)>\n      \(setting.help)\(standard)"
        }.joined(separator: "\n")
    }

    /// " Did you mean …?" where one of the names is near.
    static func suggestion(for name: String, among names: [String]) -> String {
        NearestName.of(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    }
}

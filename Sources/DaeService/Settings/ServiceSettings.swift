import DaeCore
import DaeObjectStore
import Daedalus
import FoundationEssentials
import Logging

/// What an operator may set, as it stands where nobody set it. ``SettingTable`` says by which names.
struct ServiceSettings: Sendable {
    /// An address, or `unix:` and the path of a socket.
    var host = "127.0.0.1"
    var port = 8080
    /// Where clients find all that it answers; `/` where nothing stands before it.
    var basePath = "/"
    /// The folder that holds all that is kept.
    var data = ""
    /// `sqlite`, in the folder of all that is kept, or the address of a PostgreSQL database, with its password.
    var database = "sqlite"
    /// `folder`, that of all that is kept, or `s3://` with a bucket and what keys begin with.
    var store = "folder"
    /// The address of an S3 store; empty for AWS.
    var s3Endpoint = ""
    var s3Region = "us-east-1"
    /// `nil` for the usual one.
    var s3Addressing: S3Settings.Addressing?
    var resultsRedirect = false
    /// The folder of the page's 3D viewer; empty for the usual places.
    var viewer = ""
    /// Child processes at work at once.
    var workers = min(16, max(2, ProcessorCount.usable))
    /// What of the work is done here: names of ``WorkerTask``, or `none`.
    var workerTasks = WorkerTask.allCases.map(\.rawValue)
    /// Bytes of one upload or download at most.
    var contentLimit: Int64 = 1 << 30
    /// Seconds for which an upload that comes in pieces is kept behind its last piece.
    var uploadTime = 86_400
    /// Seconds for which an asset is kept that nobody gave another expiry; 0 for ever.
    var expireAfter = 0
    /// Assets that wait for a worker at most.
    var queueLimit = 1000
    var worker = WorkerLimits()
    var clients = ClientLimits()
    var disk = DiskLimits()
    var requireSandbox = false
    /// Seconds that a stop may take.
    var stopSeconds = 10
    /// What is less is not in the log.
    var logLevel = Logger.Level.info
    /// The port of figures for those who watch over the service; `nil` for none.
    var metricsPort: Int?
    var metricsHost = "127.0.0.1"
    var accessLog = false
    /// Blocks of private addresses that downloads may connect to all the same, at any port.
    var allowedBlocks: [String] = []
    /// Names that clients know it by, beside those of loopback.
    var publicHosts: [String] = []
    /// Origins of pages that may use it.
    var corsOrigins: [String] = []
    /// Blocks of addresses of proxies, whose `X-Forwarded-For` is taken.
    var trustedProxies: [String] = []
    /// Requests a second of one client; 0 for any number.
    var rate = 500
    /// Requests of one client at once.
    var burst = 2000

    /// `$XDG_DATA_HOME/daed`, else `~/.local/share/daed`; without a home below the present folder.
    static func defaultData(_ environment: (String) -> String?) -> String {
        if let folder = environment("XDG_DATA_HOME"), folder.hasPrefix("/") { return folder + "/daed" }
        guard let home = environment("HOME"), !home.isEmpty else { return ".local/share/daed" }
        return home + "/.local/share/daed"
    }

    /// What no range of a single setting says.
    func check() throws(SettingError) {
        do { _ = try networkPolicy() } catch { throw SettingError("--allow-addresses: \(error)") }
        do { _ = try TrustedProxies(trustedProxies) } catch { throw SettingError("--trusted-proxies: \(error)") }
        if let socket = UnixSocket.path(in: host), !UnixSocket.canBe(socket) {
            throw SettingError(
                "--host is '\(host.prefix(200))'; expected unix: and an absolute path of 96 bytes at most.")
        }
        guard BasePath.canBe(basePath) else {
            throw SettingError("--base-path is '\(basePath.prefix(80))'; \(BasePath.expectation)")
        }
        for origin in corsOrigins where !Self.isOrigin(origin) {
            throw SettingError("--cors-origin is '\(origin.prefix(80))'; expected one such as https://example.org.")
        }
        for name in publicHosts where name.isEmpty || name.contains(where: { "/@*, ".contains($0) }) {
            throw SettingError("--public-host is '\(name.prefix(80))'; expected a name such as models.example.org.")
        }
    }

    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let host = text.dropFirst(scheme.utf8.count)
        return !host.isEmpty && !host.contains { "/?#@*, ".contains($0) }
    }

    /// How downloads go about: nowhere but to public addresses, and where the operator allows it.
    func networkPolicy() throws(NetworkRuleError) -> NetworkPolicy {
        var rules = NetworkRules()
        guard !allowedBlocks.isEmpty else { return .closed(rules) }
        var blocks: [AddressBlock] = []
        for text in allowedBlocks { blocks.append(try AddressBlock(text)) }
        rules.addresses = .publicOnly(except: blocks)
        rules.ports = .any
        return .closed(rules)
    }
}

/// What one worker may take.
struct WorkerLimits: Sendable, Codable {
    /// Bytes of its own data.
    var memory: Int64 = 2 << 30
    /// Seconds of processor time.
    var processorSeconds = 600
    /// Seconds from its start to its end.
    var wallSeconds = 1800
}

/// Processors of this machine.
enum ProcessorCount {
    /// Those that this process may be run on; fewer where its control group has less time than theirs, as containers do.
    static var usable: Int {
        let count = ProcessInfo.processInfo.activeProcessorCount
        return max(1, min(count, quota ?? count))
    }

    /// Of the control group, in whole processors, rounded up; `nil` where nothing bounds it.
    private static var quota: Int? {
        guard let file = fopen("/sys/fs/cgroup/cpu.max", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return quota(in: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// - Parameter text: Microseconds, or `max`, and of how many.
    static func quota(in text: String) -> Int? {
        let words = text.split { $0 == " " || $0 == "\n" }
        guard words.count == 2, let time = Int(words[0]), let period = Int(words[1]), time > 0, period > 0 else {
            return nil
        }
        return (time - 1) / period + 1
    }
}

// The one place where settings are named: flags, variables, the file's keys, the help and `daed config` come from here.

/// All settings, in the order in which they are shown.
enum SettingTable {
    static let all: [Setting] = listening + access + work + operations

    private static let listening = [
        Setting("port", "n", .integer(\.port, 0...65535), "The TCP port; 0 for any that is free."),
        Setting(
            "host", "address", .text(\.host),
            "The address to listen on, beyond loopback only where a token exists; or unix:PATH for a socket of this machine."
        ),
        Setting(
            "base-path", "path", .text(\.basePath),
            "The path below which a proxy shows this service, such as /models."),
        Setting(
            "data", "folder", .text(\.data),
            "The folder for all that is kept; beside PostgreSQL and S3, for what is on its way."),
        Setting(
            "database", "sqlite|address", .secret(\.database),
            "Where rows are kept: sqlite, in the data folder, or postgresql://user:password@host/database, which several nodes may "
                + "share."),
        Setting(
            "store", "folder|address", .text(\.store),
            "Where bytes are kept: folder, the data folder, or s3://bucket/prefix, with credentials from AWS_ variables, "
                + "~/.aws/credentials or the machine's role."),
        Setting(
            "s3-endpoint", "address", .text(\.s3Endpoint),
            "The S3 server, such as https://storage.example.org:9000; by itself AWS."),
        Setting("s3-region", "name", .text(\.s3Region), "The region of the S3 store."),
        Setting(
            "s3-addressing", "auto|path|virtual-host",
            .choice(.init(\.s3Addressing, ["auto": nil, "path": .path, "virtual-host": .virtualHost])),
            "Where the bucket stands in addresses of the S3 store; auto is path where an endpoint is set."),
        Setting(
            "results-redirect", "on|off", .choice(.init(\.resultsRedirect, ["on": true, "off": false])),
            "Whether clients are sent to the S3 store for models and other files, by addresses that hold for a minute."),
        Setting(
            "viewer", "folder", .text(\.viewer),
            "The folder of the page's 3D viewer; by itself 'viewer' beside the program, or ../share/daed/viewer."),
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
            "A block of addresses of proxies whose X-Forwarded-For is taken, such as 10.0.0.0/8, or unix for those that come by "
                + "a socket of this machine; may be given again."),
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
            "worker-tasks", "tasks", .list(\.workerTasks),
            "What of the work is done here, where other nodes do the rest: download (bytes of links), process (reading them), "
                + "derive (models, pictures and reports), with commas between them, or none."),
        Setting(
            "upload-limit", "bytes", .bytes(\.contentLimit, 1...(1 << 40)), "Bytes of one upload or download at most."),
        Setting(
            "upload-time", "seconds", .integer(\.uploadTime, 1...(366 * 86_400)),
            "Seconds for which an upload that comes in pieces is kept behind its last piece."),
        Setting(
            "expire-after", "seconds", .integer(\.expireAfter, 0...(10 * 366 * 86_400)),
            "Seconds for which an asset is kept that is given no expiry of its own; 0 for ever."),
        Setting("queue-limit", "n", .integer(\.queueLimit, 1...1_000_000), "Assets that wait for a worker at most."),
        Setting(
            "worker-memory", "bytes", .bytes(\.worker.memory, (64 << 20)...(1 << 40)), "Bytes of memory of one worker."),
        Setting(
            "worker-cpu", "seconds", .integer(\.worker.processorSeconds, 1...86_400),
            "Seconds of processor time of one worker."),
        Setting(
            "worker-time", "seconds", .integer(\.worker.wallSeconds, 1...86_400), "Seconds that one worker may take."),
        Setting(
            "require-sandbox", "on|off", .choice(.init(\.requireSandbox, ["on": true, "off": false])),
            "Whether the service refuses to start where the kernel cannot shut its workers in."),
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
            "log-level", "level",
            .choice(
                .init(
                    \.logLevel,
                    [
                        "trace": .trace, "debug": .debug, "info": .info, "notice": .notice, "warning": .warning,
                        "error": .error, "critical": .critical,
                    ])),
            "The least that the log holds: trace, debug, info, notice, warning, error or critical; who did what is info."
        ),
        Setting(
            "metrics-port", "n", .optional(\.metricsPort, 0...65535),
            "The port of /metrics for Prometheus; 0 for any that is free."),
        Setting(
            "metrics-host", "address", .text(\.metricsHost),
            "The address of /metrics; beyond loopback, whoever reaches it may read it."),
        Setting(
            "access-log", "on|off", .choice(.init(\.accessLog, ["on": true, "off": false])),
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

// The one place where settings are named: flags, variables, the file's keys, the help and `daed config` come from here.

import Daedalus

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
            "The port of /metrics for Prometheus, on loopback; 0 for any that is free."),
    ]

    /// Variables that begin alike and are no settings.
    static let otherVariables: Set<String> = ["DAED_CONFIG", "DAED_NO_BUILD", "DAED_BINARY", "DAED_TOKEN"]

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

import Daedalus
import FoundationEssentials
import Glibc
import Logging

/// What an operator may set, as it stands where nobody set it. ``SettingTable`` says by which names.
struct ServiceSettings: Sendable {
    var host = "127.0.0.1"
    var port = 8080
    /// The folder that holds all that is kept.
    var data = ""
    /// Child processes at work at once.
    var workers = min(16, max(2, ProcessorCount.usable))
    /// Bytes of one upload or download at most.
    var contentLimit: Int64 = 1 << 30
    /// Seconds for which an upload that comes in pieces is kept behind its last piece.
    var uploadTime = 86_400
    /// Assets that wait for a worker at most.
    var queueLimit = 1000
    var worker = WorkerLimits()
    var clients = ClientLimits()
    var disk = DiskLimits()
    /// Seconds that a stop may take.
    var stopSeconds = 10
    /// What is less is not in the log.
    var logLevel = "info"
    /// The port of figures for those who watch over the service, or `off`.
    var metricsPort = "off"
    var metricsHost = "127.0.0.1"
    /// `on` or `off`.
    var accessLog = "off"
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
        guard metricsPort == "off" || UInt16(metricsPort) != nil else {
            throw SettingError("--metrics-port is '\(metricsPort.prefix(80))'; expected a port, or off.")
        }
        guard ["on", "off"].contains(accessLog) else {
            throw SettingError("--access-log is '\(accessLog.prefix(80))'; expected on or off.")
        }
        guard Logger.Level(rawValue: logLevel) != nil else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError("--log-level is '\(logLevel.prefix(80))'; expected one of \(levels).")
        }
        do { _ = try networkPolicy() } catch { throw SettingError("--allow-addresses: \(error)") }
        do { _ = try TrustedProxies(trustedProxies) } catch { throw SettingError("--trusted-proxies: \(error)") }
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

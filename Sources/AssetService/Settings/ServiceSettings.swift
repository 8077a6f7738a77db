import Daedalus

/// What an operator may set; each by a flag, else by a variable of the environment, else as it stands here.
struct ServiceSettings: Sendable {
    var host = "127.0.0.1"
    var port = 8080
    /// The folder that holds all that is kept.
    var data = ""
    /// Child processes at work at once.
    var workers = 2
    /// Bytes of one upload or download at most.
    var contentLimit: Int64 = 1 << 30
    /// Assets that wait for a worker at most.
    var queueLimit = 1000
    var worker = WorkerLimits()
    var disk = DiskLimits()
    /// Seconds that a stop may take.
    var stopSeconds = 10
    /// The loopback port of figures for those who watch over the service; `nil` for none.
    var metricsPort: Int?
    /// Blocks of private addresses that downloads may connect to all the same, at any port.
    var allowedBlocks: [String] = []

    /// `$XDG_DATA_HOME/daed`, else `~/.local/share/daed`; without a home below the present folder.
    static func defaultData(_ environment: (String) -> String?) -> String {
        if let folder = environment("XDG_DATA_HOME"), folder.hasPrefix("/") { return folder + "/daed" }
        guard let home = environment("HOME"), !home.isEmpty else { return ".local/share/daed" }
        return home + "/.local/share/daed"
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

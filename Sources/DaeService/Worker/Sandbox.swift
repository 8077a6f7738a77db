import CSandbox
import DaeCore
import Daedalus

/// What a worker gives up before it looks at a stranger's bytes, for good and for all of its threads: whoever takes it over
/// by those bytes can read the one file, write to the one folder, and use the processor.
struct Sandbox: Sendable {
    private let order: WorkerOrder

    /// Which sockets a task needs.
    enum Network: String, Codable, Sendable, CaseIterable {
        case none, internet
    }

    /// How a worker exits that could not enter it; EX_NOPERM of sysexits.h.
    static let exitCode: Int32 = 77

    init(_ order: WorkerOrder) { self.order = order }

    /// Holds from now on. To be called before a second thread begins.
    func enter() throws(StorageError) {
        try done("no_new_privs", daed_set_no_new_privileges())
        try done("capabilities", daed_drop_capabilities())
        let support = SandboxSupport.here
        if support.landlock > 0 { try confineFiles(Int32(support.landlock)) }
        if support.filtersCalls { try done("seccomp", daed_filter_system_calls(sockets)) }
    }

    private func done(_ what: String, _ result: Int32) throws(StorageError) {
        guard result >= 0 else { throw StorageError(what, -result) }
    }

    private var sockets: daed_sockets {
        switch order.task.network {
        case .none: DAED_SOCKETS_NONE
        case .internet: DAED_SOCKETS_INTERNET
        }
    }

    // MARK: - Files and ports

    private func confineFiles(_ version: Int32) throws(StorageError) {
        let rules = daed_landlock_begin(version, ports)
        try done("landlock", rules)
        func allow(_ paths: [String], _ access: daed_access) throws(StorageError) {
            for path in paths { try done(path, daed_landlock_allow(rules, version, path, access)) }
        }
        try allow(Self.libraries, DAED_ACCESS_READ)
        try allow(["/dev/null"], DAED_ACCESS_UPDATE)
        try allow([order.folder.path], DAED_ACCESS_OWN)
        if let file = order.file { try allow([file.path], DAED_ACCESS_READ) }
        switch order.task.network {
        case .none: break
        case .internet:
            try allow(Self.resolver + Self.certificates, DAED_ACCESS_READ)
            try allow([order.downloads], DAED_ACCESS_OWN)
            if ports == DAED_PORTS_NAMED, version >= 4 {
                for port in Self.publicPorts { try done("port \(port)", daed_landlock_allow_port(rules, port)) }
            }
        }
        try done("landlock", daed_landlock_restrict(rules))
    }

    /// Blocks that an operator allows are so at all ports.
    private var ports: daed_ports {
        switch order.task.network {
        case .none: DAED_PORTS_NONE
        case .internet: order.allowedBlocks.isEmpty ? DAED_PORTS_NAMED : DAED_PORTS_ANY
        }
    }

    /// Those of links, and of names that are looked up by TCP.
    private static let publicPorts: [UInt16] = [80, 443, 53]

    /// Libraries are loaded when they are first needed; the rest is what they and the C library ask the system about itself.
    private static let libraries = [
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache",
        "/sys/devices/system/cpu", "/dev/urandom",
        // Dispatch looks there at its threads. What others have in memory is closed to a process that is confined.
        "/proc",
    ]

    private static let resolver = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/services", "/etc/protocols",
        "/etc/gai.conf",
    ]

    /// No folder among them has private keys.
    private static let certificates = [
        "/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem",
        "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/ca-certificates/extracted",
        "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/tls/openssl.cnf", "/etc/pki/ca-trust/extracted",
        "/etc/crypto-policies", "/var/lib/ca-certificates",
    ]
}

/// What of a sandbox this machine's kernel has.
struct SandboxSupport: Sendable, Equatable {
    /// The version of Landlock's interface, which confines files and, from 4 on, ports; 0 for none.
    let landlock: Int
    /// Whether seccomp takes a filter, which confines sockets, processes and signals.
    let filtersCalls: Bool

    static let here = SandboxSupport(
        landlock: usable(daed_landlock_version()), filtersCalls: daed_seccomp_is_available() == 1)

    /// The first version lets nothing be moved from one folder to another, as downloads are.
    private static func usable(_ version: Int32) -> Int { version >= 2 ? Int(version) : 0 }

    /// What is missing, and what a worker can do therefore; empty where all is there.
    var missing: [String] {
        var missing: [String] = []
        if landlock == 0 { missing.append("Landlock 2 (Linux 5.19): a worker can use the files that the service can") }
        if !filtersCalls { missing.append("seccomp: a worker can use the network, and start and trace processes") }
        return missing
    }
}

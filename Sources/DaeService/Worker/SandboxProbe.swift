import CSandbox
import DaeCore
import Daedalus

/// What somebody would try who took over a worker by a file. A worker tries it on itself, so that an operator sees what
/// holds on a machine, and not what was meant to.
struct SandboxProbe: Sendable {
    enum Attempt: String, Codable, Sendable, CaseIterable {
        case readsDatabase = "reads the database"
        case readsOriginals = "looks at the originals"
        case readsDownloads = "looks at other downloads"
        case readsSystem = "reads /etc/passwd"
        case writesOutside = "writes outside its folder"
        case connects = "connects to a port of this machine"
        case sends = "sends to a socket of this machine"
        case forks = "starts a process"
        case executes = "runs another program"
        case traces = "traces its parent"
        case signals = "sends its parent a signal"
        case mounts = "mounts a file system"
        case fillsDisk = "writes a file of 10 GB"
    }

    private let order: WorkerOrder

    init(_ order: WorkerOrder) { self.order = order }

    /// The attempts that succeeded and should not have.
    func run() -> [Attempt] {
        // A write beyond the limit is to fail, and not to end the worker before it could say so.
        signal(SIGXFSZ, SIG_IGN)
        return Attempt.allCases.filter { attempt in isForbidden(attempt) && succeeds(attempt) }
    }

    private func isForbidden(_ attempt: Attempt) -> Bool {
        switch order.task.network {
        case .none: true
        // Connections are what it is for; where they may lead, the download decides.
        case .internet: attempt != .connects
        }
    }

    /// Tries one; for tests, too, which hold it against a process that is not shut in.
    func succeeds(_ attempt: Attempt) -> Bool {
        let service = ServiceFolder(path: order.data)
        switch attempt {
        case .readsDatabase: return opens(service.database)
        case .readsOriginals: return opens(service.blobs)
        case .readsDownloads: return opens(service.downloads)
        case .readsSystem: return opens("/etc/passwd")
        case .writesOutside: return writesOutside()
        case .connects: return connects()
        case .sends: return daed_try_pair() >= 0
        case .forks: return daed_try_fork() >= 0
        case .executes: return daed_try_exec() >= 0
        case .traces: return daed_try_trace(getppid()) >= 0
        case .signals:
            // The kernel sends one, too, to who is said to own a pipe.
            return kill(getppid(), 0) == 0 || fcntl(STDOUT_FILENO, F_SETOWN, getppid()) == 0
        case .mounts: return daed_try_mount() >= 0
        case .fillsDisk: return fillsDisk()
        }
    }

    private func opens(_ path: String) -> Bool { (try? OpenFile(path, .reading)) != nil }

    private func writesOutside() -> Bool {
        let path = order.data + "/" + AssetID.random().text
        guard (try? OpenFile(path, .creating, permissions: 0o600)) != nil else { return false }
        unlink(path)
        return true
    }

    /// A port at which nobody listens refuses; that is an answer, too.
    private func connects() -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 || errno != EPERM && errno != EACCES
    }

    private func fillsDisk() -> Bool {
        let length = 10_000_000_000
        guard order.fileLimit < Int64(length), let file = try? OpenFile(order.folder.file("long"), .creating) else {
            return false
        }
        return pwrite(file.descriptor, [0], 1, length) == 1
    }
}

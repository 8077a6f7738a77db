// PostgreSQL as a user would meet it, with a folder and a port of its own. A shell that ends it stands before it: the
// shell reads from a pipe, which ends with the tests, however they end; then it removes the folder, too.

import Glibc
import Synchronization

/// A PostgreSQL server on loopback, of the newest version that is installed. It forgets how to keep what it has on a disk
/// that loses power, and is quick for that.
public final class PostgreSQLServer: Sendable {
    /// Where initdb and postgres lie; `nil` where the server is not installed (Debian's package postgresql).
    public static let programs: String? = {
        let versions = try? ChildProcess.run("sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1"])
        let folder = versions?.output.split(separator: "\n").first.map(String.init) ?? ""
        return access(folder + "/initdb", X_OK) == 0 ? folder : nil
    }()
    public static var isInstalled: Bool { programs != nil }

    public static let user = "tester"
    /// With what addresses and shells would take for something else.
    public static let password = "päss @:/?#'\"word"

    private struct Running {
        let shell: pid_t
        /// The end of the pipe that ours is: closing it ends the server.
        let end: Int32
    }

    public let port: UInt16
    private let folder: TemporaryFolder
    private let certificate: Certificate?
    private let running = Mutex<Running?>(nil)

    /// - Parameter certificate: Makes the server speak TLS.
    public init(certificate: ((TemporaryFolder) throws -> Certificate)? = nil) throws {
        guard let programs = Self.programs else {
            throw ChildProcess.Failure(program: "initdb", reason: "not installed")
        }
        folder = try TemporaryFolder()
        let listener = try Listener(accepts: false)
        port = listener.port
        close(listener.descriptor)
        self.certificate = try certificate?(folder)
        let secret = try folder.write(Self.password, to: "password")
        // It does not run as root.
        if geteuid() == 0, chown(folder.path, 65534, 65534) != 0 {
            throw ChildProcess.Failure(program: "chown", reason: "the folder cannot be given away")
        }
        for file in [self.certificate?.key, secret].compactMap({ $0 }) {
            guard chmod(file, 0o600) == 0, geteuid() != 0 || chown(file, 65534, 65534) == 0 else {
                throw ChildProcess.Failure(program: "chown", reason: "the folder cannot be given away")
            }
        }
        let (status, output) = try ChildProcess.run(
            "env",
            Self.plainly + [
                "\(programs)/initdb", "-D", folder.path + "/data", "-U", Self.user, "-A", "scram-sha-256",
                "--pwfile", secret, "-E", "UTF8", "--locale=C", "--no-sync",
            ])
        guard status == 0 else { throw ChildProcess.Failure(program: "initdb", reason: output) }
        try start()
    }

    deinit { stop() }

    /// Who vouches for the server's certificate, where it has one.
    public var authority: String? { certificate?.authority }

    /// The address of a database; without another name that of the one that is always there.
    public func address(
        _ database: String = "postgres", password: String = password, port: UInt16? = nil, options: String = ""
    ) -> String {
        let secret = password.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return "postgresql://\(Self.user):\(secret)@127.0.0.1:\(port ?? self.port)/\(database)\(options)"
    }

    /// Starts it on its port, and waits until it takes connections.
    public func start() throws {
        guard let programs = Self.programs else { return }
        var ends: [Int32] = [0, 0]
        // A pair of sockets is closed to other children from its beginning; a pipe is not.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ChildProcess.Failure(program: "postgres", reason: "no pipe")
        }
        defer { close(ends[0]) }
        let tls = certificate.map {
            ["-c", "ssl=on", "-c", "ssl_cert_file=\($0.chain)", "-c", "ssl_key_file=\($0.key)"]
        }
        let shell = try ChildProcess.start(
            "sh",
            [
                "-c",
                """
                folder=$1; shift; "$@" </dev/null >>"$folder/log" 2>&1 & read -r how
                kill -"${how:-INT}" $!; wait $!
                [ -n "$how" ] || rm -rf -- "$folder"
                """, "sh", folder.path, ChildProcess.find("env") ?? "env",
            ] + Self.plainly + [
                "\(programs)/postgres", "-D", folder.path + "/data", "-p", "\(port)",
                "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off",
                "-c", "max_connections=60", "-c", "deadlock_timeout=100ms",
            ] + (tls ?? []),
            descriptors: [(ends[0], 0)])
        running.withLock { $0 = Running(shell: shell, end: ends[1]) }
        let (status, output) = try ChildProcess.run(
            "sh",
            [
                "-c", "for i in $(seq 200); do \"$0\" -q -h 127.0.0.1 -p \"$1\" && exit; sleep 0.05; done; exit 1",
                "\(programs)/pg_isready", "\(port)",
            ])
        guard status == 0 else { throw ChildProcess.Failure(program: "postgres", reason: output) }
    }

    /// Ends it and waits for its end.
    ///
    /// - Parameter immediately: As a power cut would, but for what the system holds.
    public func stop(immediately: Bool = false) {
        guard
            let old = running.withLock({ running in
                defer { running = nil }
                return running
            })
        else { return }
        let signal = immediately ? "QUIT\n" : "INT\n"
        _ = write(old.end, signal, signal.utf8.count)
        close(old.end)
        _ = ChildProcess.wait(for: old.shell)
    }

    /// What stands before a program that must not run as root.
    private static var plainly: [String] {
        geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    }
}

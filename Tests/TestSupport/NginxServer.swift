// nginx as a user would meet it: a child process that gets its listening sockets from us, so that no port is guessed
// and nothing has to be waited for.

import Glibc

/// An nginx on loopback with a folder of files; ended by its process id when the value goes.
public final class NginxServer: Sendable {
    public static let isInstalled = ChildProcess.find("nginx") != nil
    public static let hasOpenSSL = ChildProcess.find("openssl") != nil

    public let folder: TemporaryFolder
    public let port: UInt16
    private let child: pid_t

    /// - Parameters:
    ///   - files: By their paths below the root.
    ///   - settings: Lines inside nginx's `server` block.
    ///   - certificate: Makes the server speak TLS.
    ///   - speaksHTTP2: To clients that can, over TLS.
    public init(
        files: [String: [UInt8]] = [:], settings: String = "", certificate: Certificate? = nil, speaksHTTP2: Bool = true
    ) throws {
        folder = try TemporaryFolder()
        for (path, bytes) in files { try folder.write(bytes, to: "root/" + path) }
        let tls = certificate.map { "ssl_certificate \($0.chain); ssl_certificate_key \($0.key);" } ?? ""
        let protocols = certificate == nil ? "" : speaksHTTP2 ? " ssl http2" : " ssl"
        let root = folder.path + "/root"
        (port, child) = try Self.start(folder) { port in
            """
            server {
                listen 127.0.0.1:\(port)\(protocols);
                root \(root);
                \(tls)
                \(settings)
            }
            """
        }
    }

    /// - Parameter servers: What stands in nginx's `http` block, where a `server` listens on 127.0.0.1 at the port given.
    public init(servers: (UInt16) -> String) throws {
        folder = try TemporaryFolder()
        (port, child) = try Self.start(folder, servers)
    }

    private static func start(_ folder: TemporaryFolder, _ servers: (UInt16) -> String) throws -> (UInt16, pid_t) {
        let listener = try Listener()
        defer { close(listener.descriptor) }
        let file = try folder.write(configuration(folder.path, servers(listener.port)), to: "nginx.conf")
        // nginx takes the sockets that this variable lists instead of opening its own.
        let child = try ChildProcess.start(
            "nginx", ["-p", folder.path, "-e", "\(folder.path)/error.log", "-c", file],
            descriptors: [(listener.descriptor, socket)], environment: ["NGINX=\(socket);"])
        return (listener.port, child)
    }

    deinit {
        kill(child, SIGTERM)
        _ = ChildProcess.wait(for: child)
    }

    public func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// The number nginx finds its socket under. (Without a master process nginx 1.22 crashes over such a socket.)
    private static let socket: Int32 = 200

    private static func configuration(_ folder: String, _ servers: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
        return """
            daemon off;
            worker_processes 1;
            \(geteuid() == 0 ? "user root;" : "")
            pid \(folder)/nginx.pid;
            error_log \(folder)/error.log;
            events {}
            http {
                \(AccessLogLine.format)
                access_log \(folder)/access.log daedalus;
                \(temporary)
                types { application/zip zip; text/html html; model/vnd.collada+xml dae; }
                \(servers)
            }
            """
    }
}

// nginx as a user would meet it: a child process that gets its listening sockets from us, so that no port is guessed
// and nothing has to be waited for.

import Glibc
import TestSupport

/// An nginx on loopback with a folder of files; ended by its process id when the value goes.
final class NginxServer: Sendable {
    static let isInstalled = ChildProcess.find("nginx") != nil
    static let hasOpenSSL = ChildProcess.find("openssl") != nil

    let folder: TemporaryFolder
    let port: UInt16
    private let child: pid_t

    /// - Parameters:
    ///   - files: By their paths below the root.
    ///   - settings: Lines inside nginx's `server` block.
    ///   - certificate: Makes the server speak TLS.
    init(files: [String: [UInt8]] = [:], settings: String = "", certificate: Certificate? = nil) throws {
        folder = try TemporaryFolder()
        for (path, bytes) in files { try folder.write(bytes, to: "root/" + path) }
        let listener = try Listener()
        defer { close(listener.descriptor) }
        port = listener.port
        let configuration = Self.configuration(folder.path, port, settings: settings, certificate: certificate)
        let file = try folder.write(configuration, to: "nginx.conf")
        // nginx takes the sockets that this variable lists instead of opening its own.
        child = try ChildProcess.start(
            "nginx", ["-p", folder.path, "-e", "\(folder.path)/error.log", "-c", file],
            descriptors: [(listener.descriptor, Self.socket)], environment: ["NGINX=\(Self.socket);"])
    }

    deinit {
        kill(child, SIGTERM)
        _ = ChildProcess.wait(for: child)
    }

    func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// The number nginx finds its socket under. (Without a master process nginx 1.22 crashes over such a socket.)
    private static let socket: Int32 = 200

    private static func configuration(
        _ folder: String, _ port: UInt16, settings: String, certificate: Certificate?
    ) -> String {
        let tls = certificate.map { "ssl_certificate \($0.chain); ssl_certificate_key \($0.key);" } ?? ""
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
                access_log off;
                \(temporary)
                types { application/zip zip; text/html html; model/vnd.collada+xml dae; }
                server {
                    listen 127.0.0.1:\(port)\(certificate == nil ? "" : " ssl http2");
                    root \(folder)/root;
                    \(tls)
                    \(settings)
                }
            }
            """
    }
}

/// A certificate for loopback by an authority that nobody else knows; made by openssl's command line.
struct Certificate: Sendable {
    /// The authority, to be trusted or not.
    let authority: String
    let chain: String
    let key: String

    /// - Parameter names: For whom it holds, such as `IP:127.0.0.1`.
    init(in folder: TemporaryFolder, names: String) throws {
        authority = folder.path + "/ca.pem"
        chain = folder.path + "/server.pem"
        key = folder.path + "/server.key"
        let fresh = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        ]
        try Self.openssl(
            fresh + ["-keyout", folder.path + "/ca.key", "-out", authority, "-subj", "/CN=Authority of a test"])
        try Self.openssl(
            fresh + [
                "-CA", authority, "-CAkey", folder.path + "/ca.key", "-keyout", key, "-out", chain,
                "-subj", "/CN=Server of a test", "-addext", "subjectAltName=\(names)",
                "-addext", "basicConstraints=critical,CA:FALSE",
            ])
    }

    private static func openssl(_ arguments: [String]) throws {
        let (status, output) = try ChildProcess.run("openssl", arguments)
        guard status == 0 else { throw ChildProcess.Failure(program: "openssl", reason: output) }
    }
}

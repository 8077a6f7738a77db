// SeaweedFS as a child process, which `scripts/tools/fetch-object-store` fetches.

import Glibc
import Synchronization

/// An S3 store on loopback. It ends with this process, however that ends: a shell beside it waits for our end of a pipe.
public final class S3Server: Sendable {
    public struct Failure: Error {
        public let reason: String
    }

    private static let program: String? = {
        let fetched = Repository.root + "/.build/daedalus/object-store/weed"
        return access(fetched, X_OK) == 0 ? fetched : ChildProcess.find("weed")
    }()
    /// Whether there is one; tests of it are skipped where it could not be fetched.
    public static var isInstalled: Bool { program != nil }

    /// The one of this process, started by whoever asks first.
    public static func shared() throws -> S3Server {
        try running.withLock { server in
            if let server { return server }
            let new = try S3Server()
            server = new
            return new
        }
    }
    private static let running = Mutex<S3Server?>(nil)

    /// May do everything.
    public static let accessKey = "AKIDAED"
    public static let secretKey = "secretdaed"
    /// May read and list alone.
    public static let reader = (accessKey: "AKREADER", secretKey: "secretreader")

    public let port: UInt16
    public var endpoint: String { "http://127.0.0.1:\(port)" }
    private let filer: UInt16
    private let folder: TemporaryFolder
    private let shell: pid_t
    private let pipe: Int32

    /// Starts one with an empty folder, and waits until it answers.
    public init() throws {
        guard let program = Self.program else { throw Failure(reason: "there is no weed") }
        folder = try TemporaryFolder()
        let ports = try Self.freePorts(4)
        (port, filer) = (ports[0], ports[3])
        let identities = """
            {"identities": [
            {"name": "daed", "credentials": [{"accessKey": "\(Self.accessKey)", "secretKey": "\(Self.secretKey)"}],
             "actions": ["Admin", "Read", "Write", "List", "Tagging"]},
            {"name": "reader",
             "credentials": [{"accessKey": "\(Self.reader.accessKey)", "secretKey": "\(Self.reader.secretKey)"}],
             "actions": ["Read", "List"]}]}
            """
        let file = try folder.write(identities, to: "s3.json")
        let options = [
            "-dir=\(folder.path)", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", "-s3.config=\(file)",
            "-s3.port=\(ports[0])", "-master.port=\(ports[1])", "-volume.port=\(ports[2])", "-filer.port=\(ports[3])",
            "-volume.max=1000", "-master.volumeSizeLimitMB=64", "-master.telemetry=false", "-s3.autoCreateBucket=false",
            "-s3.port.iceberg=0", "-s3.port.lance=0", "-s3.iam=false",
        ]
        // It takes ten seconds to end by itself, and what it has is of no use then.
        let script =
            #"log=$1; shift; "$@" </dev/null >"$log" 2>&1 & read -r _; kill -9 $!; sleep 0.2; exec rm -rf -- "${log%/*}""#
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(reason: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe = ends[1]
        defer { close(ends[0]) }
        shell = try ChildProcess.start(
            "sh", ["-c", script, "sh", folder.path + "/log", program, "-logtostderr=true", "server"] + options,
            descriptors: [(ends[0], 0)])
        try waitUntilReady()
    }

    deinit {
        close(pipe)
        _ = ChildProcess.wait(for: shell)
    }

    /// Makes an empty bucket; its name.
    public func makeBucket() throws -> String {
        let name = "bucket-\(UInt64.random(in: 0 ... .max))"
        let answer = try ask(filer, "POST /buckets/\(name)/")
        guard answer.hasPrefix("HTTP/1.1 201") else { throw Failure(reason: "no bucket: \(answer)") }
        return name
    }

    private func waitUntilReady() throws {
        for _ in 0..<600 {
            if let answer = try? ask(port, "GET /"), answer.hasPrefix("HTTP/1.1 403") {
                // The part that keeps the bytes may come last.
                if let answer = try? ask(filer, "POST /ready/"), answer.hasPrefix("HTTP/1.1 201") { return }
            }
            _ = poll(nil, 0, 50)
        }
        throw Failure(reason: "weed did not answer within 30 s")
    }

    private func ask(_ port: UInt16, _ line: String) throws -> String {
        let client = try LoopbackClient(port: port)
        let lines = ["\(line) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close", "Content-Length: 0"]
        return client.exchange(lines.map { $0 + "\r\n" }.joined() + "\r\n").text
    }

    /// Ports that nobody has; those ten thousand above are for talks between its parts.
    private static func freePorts(_ count: Int) throws -> [UInt16] {
        var ports: [UInt16] = []
        for _ in 0..<1000 where ports.count < count {
            let port = UInt16.random(in: 12_000..<22_000)
            if !ports.contains(port), [port, port + 10_000].allSatisfy(Listener.isFree) { ports.append(port) }
        }
        guard ports.count == count else { throw Failure(reason: "no free ports") }
        return ports
    }
}

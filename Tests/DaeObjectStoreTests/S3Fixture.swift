import DaeCore
import DaeDownload
import FoundationEssentials
import Synchronization
import TestSupport

@testable import DaeObjectStore

/// Clients of the store of this process, each with a bucket of its own.
enum S3Fixture {
    static let fixed = S3CredentialSource.fixed(
        S3Credentials(accessKey: S3Server.accessKey, secret: S3Server.secretKey))

    static func client(
        prefix: String = "", credentials: S3CredentialSource = fixed, bucket: String? = nil
    ) throws -> S3Client {
        let server = try S3Server.shared()
        let location = try S3Location("s3://\(try bucket ?? server.makeBucket())/\(prefix)")
        var settings = S3Settings(endpoint: server.endpoint)
        settings.credentials = credentials
        return try S3Client(location, settings)
    }

    /// A client of a server that the test itself is, which never waits and whose clock stands still.
    static func client(
        of server: LoopbackServer, retries: Int = 4, pauses: Pauses = Pauses(), now: Int64 = 1_790_000_000
    ) throws -> S3Client {
        var settings = S3Settings(endpoint: server.url(""))
        settings.credentials = fixed
        settings.retries.attempts = retries
        settings.patience = .seconds(1)
        var environment = S3Environment.live
        environment.now = { now }
        environment.pause = { pauses.add($0) }
        return try S3Client(S3Location("s3://bucket"), settings, environment: environment)
    }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    static func error(_ code: String, _ more: String = "") -> [UInt8] {
        Array(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(code)</Code><Message>Signature=abc</Message>\(more)</Error>"
                .utf8)
    }
}

/// The pauses that a client would have made, in seconds.
final class Pauses: Sendable {
    private let seconds = Mutex<[Double]>([])

    var all: [Double] { seconds.withLock { $0 } }

    func add(_ pause: Double) { seconds.withLock { $0.append(pause) } }
}

extension S3Body {
    func all() async throws(S3Error) -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self { bytes += piece }
        return bytes
    }
}

extension S3Client {
    @discardableResult
    func put(_ bytes: [UInt8], _ key: String, ifAbsent: Bool = false) async throws(S3Error) -> Placement {
        try await put(.bytes(bytes), key: key, sha256: SHA256Digest(hashing: bytes), ifAbsent: ifAbsent)
    }
}

import Daedalus

/// The digest of what comes in one request.
struct RunningChecksum: ~Copyable {
    private let algorithm: UploadChecksum.Algorithm
    private var sha256 = SHA256Hasher()
    private var sha1 = SHA1Hasher()

    init(_ algorithm: UploadChecksum.Algorithm) { self.algorithm = algorithm }

    mutating func update(_ bytes: [UInt8]) {
        switch algorithm {
        case .sha256: sha256.update(bytes)
        case .sha1: bytes.withUnsafeBytes { sha1.update($0) }
        }
    }

    consuming func finish() -> [UInt8] {
        switch algorithm {
        case .sha256: sha256.finish().bytes
        case .sha1: sha1.finish()
        }
    }
}

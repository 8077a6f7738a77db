import Daedalus
import FoundationEssentials
import Hummingbird

/// What a client says that the bytes of one request hash to.
struct UploadChecksum {
    enum Algorithm: String, CaseIterable {
        case sha256, sha1
    }

    let algorithm: Algorithm
    let expected: [UInt8]

    /// - Parameter header: An algorithm's name and a digest in base 64.
    init(_ header: String) throws(Problem) {
        let words = header.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let data = Data(base64Encoded: String(words[1])) else {
            throw Problem(.badRequest, nil, "Upload-Checksum is no algorithm with a digest in base 64.")
        }
        guard let algorithm = Algorithm(rawValue: String(words[0])) else {
            let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badRequest, nil, "Upload-Checksum names '\(words[0].prefix(40))'; expected \(known).")
        }
        (self.algorithm, expected) = (algorithm, Array(data))
    }
}

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

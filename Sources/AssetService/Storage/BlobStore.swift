import Daedalus
import Glibc

/// Keeps contents under their SHA-256.
///
/// A folder is one answer to it; a store that is reached over a network is another, which gives copies as files.
protocol BlobStore: Sendable {
    /// Takes a file in, which is then gone from where it was; equal bytes are kept once.
    func adopt(_ file: String, as digest: SHA256Digest) throws(StorageError)
    /// A file with the bytes of a digest; `nil` where there are none.
    func file(_ digest: SHA256Digest) throws(StorageError) -> String?
    func remove(_ digest: SHA256Digest) throws(StorageError)
    /// All that is kept.
    func digests() -> [SHA256Digest]
}

/// What the system said of the files that are kept.
struct StorageError: Error, CustomStringConvertible {
    let description: String
    private let code: Int32

    init(_ what: String, _ code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
        self.code = code
    }

    var isFull: Bool { Self.fullCodes.contains(code) }

    /// A worker's file may be too large for what it may take.
    static let fullCodes = [ENOSPC, EDQUOT, EFBIG]
}

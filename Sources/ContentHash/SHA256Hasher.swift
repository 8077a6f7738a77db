// libcrypto picks the processor's SHA instructions by itself; only this folder calls it.

import CLibCrypto

/// A SHA-256 that is still being fed.
public struct SHA256Hasher: ~Copyable {
    private var context = SHA256_CTX()

    public init() {
        let status = SHA256_Init(&context)
        precondition(status == 1, "libcrypto offers no SHA-256")
    }

    /// Appends bytes to what is hashed; any split of the same bytes gives the same digest.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let status = SHA256_Update(&context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "libcrypto refused bytes to hash")
    }

    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of all bytes given; ends the hasher.
    public consuming func finish() -> SHA256Digest {
        var bytes = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        let status = SHA256_Final(&bytes, &context)
        guard status == 1, let digest = SHA256Digest(bytes: bytes) else {
            preconditionFailure("libcrypto gave no digest")  // allowed: no input makes it fail
        }
        return digest
    }
}

extension SHA256Digest {
    /// Hashes bytes that are all in memory.
    public init(hashing bytes: UnsafeRawBufferPointer) {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    public init(hashing bytes: [UInt8]) { self = bytes.withUnsafeBytes { SHA256Digest(hashing: $0) } }
}

// For protocols that ask for it; it names nothing here, since two contents of one SHA-1 can be made.

import CLibCrypto

/// A SHA-1 that is still being fed.
public struct SHA1Hasher: ~Copyable {
    private var context = SHA_CTX()

    public init() {
        let status = SHA1_Init(&context)
        precondition(status == 1, "libcrypto offers no SHA-1")
    }

    /// Appends bytes to what is hashed; any split of the same bytes gives the same digest.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let status = SHA1_Update(&context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "libcrypto refused bytes to hash")
    }

    /// The digest of all bytes given, 20 bytes; ends the hasher.
    public consuming func finish() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 20)
        let status = SHA1_Final(&bytes, &context)
        precondition(status == 1, "libcrypto gave no digest")
        return bytes
    }
}

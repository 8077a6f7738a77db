// RFC 2104 over the hash beside it: libcrypto's own needs its providers, which take longer than a short message.

/// The keyed hash by which a message's writer is known to whoever has the key.
public enum HMACSHA256 {
    private static let blockBytes = 64

    /// - Parameter key: Any length; 32 random bytes are as strong as the hash.
    public static func code(of message: [UInt8], key: [UInt8]) -> SHA256Digest {
        var block = key.count > blockBytes ? SHA256Digest(hashing: key).bytes : key
        block += [UInt8](repeating: 0, count: blockBytes - block.count)
        let inner = SHA256Digest(hashing: block.map { $0 ^ 0x36 } + message)
        return SHA256Digest(hashing: block.map { $0 ^ 0x5C } + inner.bytes)
    }
}

extension SHA256Digest {
    /// Whether both are equal, in a time that tells nothing of where they differ.
    public func isEqualInConstantTime(to other: SHA256Digest) -> Bool {
        zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

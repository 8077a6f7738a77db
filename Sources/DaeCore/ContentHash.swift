import CLibCrypto

/// The SHA-256 of some bytes: 32 bytes that name a content.
package struct SHA256Digest: Sendable, Hashable {
    /// How many bytes a digest has.
    package static let byteCount = 32

    // Words and no vector: values aligned to more than 16 bytes spoil the frame of an asynchronous function.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// Takes the digest's own bytes; `nil` unless there are exactly 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ index: Int) -> UInt64 { bytes[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
    }

    /// Reads 64 hexadecimal digits of either case, and nothing beside them; `nil` for any other text.
    package init?(hex: some StringProtocol) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in hex.utf8 {
            guard bytes.count < Self.byteCount, let digit = Self.value(ofHexDigit: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
        self.init(bytes: bytes)
    }

    package var bytes: [UInt8] {
        [first, second, third, fourth].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * Self.byteCount)
        for word in [first, second, third, fourth] {
            for shift in stride(from: 60, through: 0, by: -4) {
                let value = UInt8(truncatingIfNeeded: word >> shift & 15)
                digits.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func value(ofHexDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension SHA256Digest: CustomStringConvertible {
    package var description: String { hex }
}

// libcrypto picks the processor's SHA instructions by itself; only this folder calls it.

/// A SHA-256 that is still being fed.
package struct SHA256Hasher: ~Copyable {
    private var context = SHA256_CTX()

    package init() {
        let status = SHA256_Init(&context)
        precondition(status == 1, "libcrypto offers no SHA-256")
    }

    /// Appends bytes to what is hashed; any split of the same bytes gives the same digest.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let status = SHA256_Update(&context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "libcrypto refused bytes to hash")
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of all bytes given; ends the hasher.
    package consuming func finish() -> SHA256Digest {
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
    package init(hashing bytes: UnsafeRawBufferPointer) {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    package init(hashing bytes: [UInt8]) { self = bytes.withUnsafeBytes { SHA256Digest(hashing: $0) } }
}

// RFC 2104 over the hash beside it: libcrypto's own needs its providers, which take longer than a short message.

/// The keyed hash by which a message's writer is known to whoever has the key.
package enum HMACSHA256 {
    private static let blockBytes = 64

    /// - Parameter key: Any length; 32 random bytes are as strong as the hash.
    package static func code(of message: [UInt8], key: [UInt8]) -> SHA256Digest {
        var block = key.count > blockBytes ? SHA256Digest(hashing: key).bytes : key
        block += [UInt8](repeating: 0, count: blockBytes - block.count)
        let inner = SHA256Digest(hashing: block.map { $0 ^ 0x36 } + message)
        return SHA256Digest(hashing: block.map { $0 ^ 0x5C } + inner.bytes)
    }
}

extension SHA256Digest {
    /// Whether both are equal, in a time that tells nothing of where they differ.
    package func isEqualInConstantTime(to other: SHA256Digest) -> Bool {
        zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

// For protocols that ask for it; it names nothing here, since two contents of one SHA-1 can be made.

/// A SHA-1 that is still being fed.
package struct SHA1Hasher: ~Copyable {
    private var context = SHA_CTX()

    package init() {
        let status = SHA1_Init(&context)
        precondition(status == 1, "libcrypto offers no SHA-1")
    }

    /// Appends bytes to what is hashed; any split of the same bytes gives the same digest.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let status = SHA1_Update(&context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "libcrypto refused bytes to hash")
    }

    /// The digest of all bytes given, 20 bytes; ends the hasher.
    package consuming func finish() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 20)
        let status = SHA1_Final(&bytes, &context)
        precondition(status == 1, "libcrypto gave no digest")
        return bytes
    }
}

import Testing

@testable import DaeCore

/// The codes are those of `openssl dgst -sha256 -mac HMAC`.
@Suite struct HMACSHA256Tests {
    @Test(arguments: [
        (1, 0, "2f8738164025afdddbc18665c6e8f37de9498db7fd194873c61ee30c22192a9a"),
        (32, 5, "113a9dc61d14d4e0520b3e00a7b9fcc4e63d2b9dd11ca507b5e22b2baef11d24"),
        (64, 64, "f750ce0d9ad514356c32ed62a379a2f8a10ef0fce028e2b1c233fcc8b606cfe7"),
        (65, 1, "2bf9b1d27817fd9addd3baa6bb4aadf52ca56253e6b792b649acb693ed5a9e14"),
        (200, 1000, "b68a2db30a6910ba04afdb91fdf19cfe621cf01ee19100a7a18f4a12342e6dd7"),
    ])
    func theCodeIsThatOfOtherPrograms(_ keyBytes: Int, _ messageBytes: Int, _ code: String) {
        let key = (0..<keyBytes).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
        let message = (0..<messageBytes).map { UInt8(truncatingIfNeeded: $0 * 3) }
        #expect(HMACSHA256.code(of: message, key: key).hex == code)
    }

    @Test func onlyEqualDigestsAreEqual() {
        let digest = SHA256Digest(hashing: [1, 2, 3])
        #expect(digest.isEqualInConstantTime(to: SHA256Digest(hashing: [1, 2, 3])))
        for index in 0..<32 {
            var bytes = digest.bytes
            bytes[index] ^= 1
            #expect(SHA256Digest(bytes: bytes).map { digest.isEqualInConstantTime(to: $0) } == false)
        }
    }
}

// The vectors are those of FIPS 180-4's examples and NIST's SHA test vectors for byte-oriented messages.

import DaeCore
import Testing

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func aPublishedMessageHasItsPublishedDigest(message: String, hex: String) {
        #expect(SHA256Digest(hashing: Array(message.utf8)).hex == hex)
    }

    @Test func aMillionLettersHaveTheirPublishedDigestHoweverTheyAreSplit() {
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        for size in [1_000_000, 65_536, 997, 64, 7] {
            var hasher = SHA256Hasher()
            var start = 0
            while start < letters.count {
                let end = min(start + size, letters.count)
                hasher.update(Array(letters[start..<end]))
                start = end
            }
            #expect(hasher.finish().hex == expected, "chunks of \(size) bytes")
        }
    }

    @Test func anEmptyUpdateChangesNothing() {
        var hasher = SHA256Hasher()
        hasher.update([])
        hasher.update(Array("abc".utf8))
        hasher.update(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(hasher.finish() == SHA256Digest(hashing: Array("abc".utf8)))
    }
}

@Suite struct SHA256DigestTests {
    let digest = SHA256Digest(hashing: Array("abc".utf8))

    @Test func aDigestReadsBackFromItsHex() {
        #expect(SHA256Digest(hex: digest.hex) == digest)
        #expect(SHA256Digest(hex: digest.hex.uppercased()) == digest)
        #expect(SHA256Digest(hex: ("sha256=" + digest.hex).dropFirst(7)) == digest)
        #expect(digest.description == digest.hex)
    }

    @Test func aDigestReadsBackFromItsBytes() {
        #expect(digest.bytes.count == 32)
        #expect(digest.bytes.first == 0xba)
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
    }

    @Test(arguments: [
        "", "ba7816bf", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "0", count: 66), String(repeating: "g", count: 64), "0x" + String(repeating: "0", count: 62),
        String(repeating: "0", count: 63) + " ", String(repeating: "é", count: 32),
    ])
    func whatIsNoDigestIsRefused(text: String) {
        #expect(SHA256Digest(hex: text) == nil)
    }

    @Test func bytesOfAnotherCountAreRefused() {
        #expect(SHA256Digest(bytes: []) == nil)
        #expect(SHA256Digest(bytes: Array(digest.bytes.dropLast())) == nil)
        #expect(SHA256Digest(bytes: digest.bytes + [0]) == nil)
    }

    @Test func differentBytesHaveDifferentDigests() {
        #expect(digest != SHA256Digest(hashing: Array("abd".utf8)))
        #expect(Set([digest, digest, SHA256Digest(hashing: [])]).count == 2)
    }
}

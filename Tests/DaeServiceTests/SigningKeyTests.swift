import DaeCore
import Daedalus
import Testing

@testable import DaeService

@Suite struct SigningKeyTests {
    private let key = SigningKey(id: "0123456789abcdef", secret: "secret", created: 0, phase: .active)

    private func verdict(
        _ path: String = "/a", expires: Int64 = 100, key: SigningKey?, now: Int64 = 99
    ) throws -> LinkSignature.Verdict {
        let signature = self.key.signature(path: "/a", expires: 100).hex
        return try #require(
            LinkSignature(path: path, expires: "\(expires)", key: self.key.id, signature: signature)
        ).verdict(key, now: now)
    }

    @Test func aSignatureHoldsForItsPathUntilItExpires() throws {
        #expect(try verdict(key: key) == .valid)
        #expect(try verdict(key: key, now: 100) == .expired)
        #expect(try verdict("/b", key: key) == .altered)
        #expect(try verdict(expires: 101, key: key) == .altered)
        #expect(try verdict(key: nil) == .altered)
        #expect(try verdict(key: SigningKey(id: key.id, secret: "other", created: 0, phase: .active)) == .altered)
        #expect(try verdict(key: SigningKey(id: key.id, secret: "", created: 0, phase: .retired)) == .retired)
    }

    /// HMAC-SHA-256 by OpenSSL: printf 'GET\n/a\n100' | openssl dgst -sha256 -hmac secret
    @Test func theSignatureIsThatOfOtherPrograms() {
        #expect(
            key.signature(path: "/a", expires: 100).hex
                == "6938b82a5839dee6a30431f6d38be40e99d46ab4d2fa503c2729155e99316913")
        #expect(key.link(to: "/a", expires: 100).hasPrefix("/a?expires=100&key=0123456789abcdef&signature="))
    }

    @Test(
        arguments: [
            (nil, "k", "00"), ("x", "k", "00"), ("1", nil, "00"), ("1", "k", nil), ("1", "k", "zz"),
        ] as [(String?, String?, String?)])
    func whatIsNoSignatureIsNone(_ expires: String?, _ key: String?, _ signature: String?) {
        let digits = signature.map { String(repeating: $0, count: 32) }
        #expect(LinkSignature(path: "/a", expires: expires, key: key, signature: digits) == nil)
    }

    @Test func tokensAreRandomAndReadBack() {
        let (first, second) = (AccessToken.random(), AccessToken.random())
        #expect(first.text != second.text)
        #expect(AccessToken(first.text)?.id == first.id)
        #expect(AccessToken(first.text)?.digest == first.digest)
        for text in ["", "daed", "daed_1_2", first.text + "0", "x" + first.text] { #expect(AccessToken(text) == nil) }
    }

    @Test func scopesContainEachOther() {
        let client = Client.token(id: "1", name: "a", .write)
        #expect(client.allows(.read))
        #expect(client.allows(.write))
        #expect(!client.allows(.admin))
        #expect(Client.anyone.allows(.admin))
        #expect(!Client.stranger.allows(.read))
    }
}

import TestSupport
import Testing

@testable import DaeDownload

@Suite struct WebAddressTests {
    @Test func anAddressIsNormalisedAndShownWithoutItsUser() throws {
        let address = try WebAddress("HTTPS://ada:s3cret@Example.ORG:443/a b/%7Ec?d=e f#g")
        #expect(address.display == "https://Example.ORG:443/a%20b/%7Ec?d=e+f")
        #expect(address.path == "/a%20b/%7Ec")
        #expect(address.host == "Example.ORG")
    }

    @Test(arguments: [
        ("b", "http://u:p@h.org/x/b"), ("/b", "http://u:p@h.org/b"), ("?q", "http://u:p@h.org/x/y?q"),
        ("http://H.org:80/b", "http://u:p@H.org:80/b"), ("http://h.org/b", "http://u:p@h.org/b"),
        ("http://v:q@h.org/b", "http://v:q@h.org/b"), ("https://h.org/b", "https://h.org/b"),
        ("http://h.org:8080/b", "http://h.org:8080/b"), ("http://sub.h.org/b", "http://sub.h.org/b"),
        ("//other.org/b", "http://other.org/b"), ("../../../b#f", "http://u:p@h.org/b"),
    ])
    func aRedirectTakesUserAndPasswordAlongWithinItsOrigin(location: String, url: String) throws {
        let address = try WebAddress("http://u:p@h.org/x/y?z#f")
        #expect(try address.following(Array(location.utf8)).url == url)
    }

    @Test func aRedirectInOtherBytesIsEncoded() throws {
        let location: [UInt8] = [0x2f, 0xe4, 0x20, 0x62]
        #expect(try WebAddress("http://h.org/").following(location).url == "http://h.org/%e4%20b")
    }

    @Test(arguments: [
        ("http://Example.ORG/", WebAddress.Scheme.http, "example.org", 80), ("HTTPS://a.b.:8443/", .https, "a.b", 8443),
        ("http://Bücher.example/", .http, "xn--bcher-kva.example", 80),
        ("https://[2001:DB8::1]/", .https, "[2001:db8::1]", 443),
        ("http://0x7f.1/", .http, "127.0.0.1", 80), ("http://①②⑦.⓪.⓪.①:81/", .http, "127.0.0.1", 81),
    ])
    func anAddressIsComparedByItsParts(url: String, scheme: WebAddress.Scheme, name: String, port: UInt16) throws {
        let address = try WebAddress(url)
        #expect(address.scheme == scheme)
        #expect(address.hostName == name)
        #expect(address.port == port)
        #expect(address.url.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func everySpellingOfAnIPv4AddressIsThatAddress() throws {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<2000 {
            let bits = UInt32.random(in: 0...UInt32.max, using: &numbers)
            let text = Self.spell(bits, using: &numbers)
            #expect(try WebAddress("http://\(text)/").literal == .v4(bits), "\(text)")
        }
    }

    @Test func noBytesOfARedirectTrap() throws {
        var numbers = SeededNumbers(seed: 11)
        let start = try WebAddress("http://u:p@h.org/x/y")
        let marks = Array("/:@?#[]%.0x\\ \u{e9}①".utf8)
        var count = 0
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...24, using: &numbers)).map { _ in
                Bool.random(using: &numbers)
                    ? marks[Int.random(in: 0..<marks.count, using: &numbers)]
                    : UInt8.random(in: 1...255, using: &numbers)
            }
            let head = Bool.random(using: &numbers) ? Array("http://".utf8) : []
            guard let target = try? start.following(head + bytes) else { continue }
            count += 1
            #expect(target.url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }, "\(target.url)")
            #expect(target.hostName.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "\(target.hostName)")
            #expect(!target.display.contains("u:p@"))
        }
        #expect(count > 1000)
    }

    /// One to four numbers, each decimal, octal or hexadecimal, the last of them over all bytes left.
    private static func spell(_ bits: UInt32, using numbers: inout SeededNumbers) -> String {
        let count = Int.random(in: 1...4, using: &numbers)
        let parts = (1...count).map { index in
            let rest = bits & UInt32.max >> UInt32(8 * (index - 1))
            return index == count ? rest : rest >> UInt32(8 * (4 - index))
        }
        return parts.map { part in
            switch Int.random(in: 0...3, using: &numbers) {
            case 0: "0" + String(part, radix: 8)
            case 1: "0x" + String(part, radix: 16)
            case 2: "0X" + String(part, radix: 16, uppercase: true)
            default: String(part)  // integers
            }
        }.joined(separator: ".")
    }
}

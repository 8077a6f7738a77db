import Testing

@testable import Download

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
}

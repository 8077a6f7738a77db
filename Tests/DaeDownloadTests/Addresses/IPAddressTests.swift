import Testing

@testable import DaeDownload

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"), ("0", "0.0.0.0"), ("[::1]", "::1"), ("::1", "::1"),
        ("[fe80::1%25eth0]", "fe80::1"), ("fe80::1%eth0", "fe80::1"), ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::FFFF:1.2.3.4]", "::ffff:1.2.3.4"), ("255.255.255.255", "255.255.255.255"),
    ])
    func aHostWrittenAsAnAddressIsOne(host: String, address: String) {
        #expect(IPAddress(host: host)?.description == address)
    }

    @Test(arguments: [
        "", "example.org", "1.2.3.4.5", "256.1.1.1.", "face.example", "1.2.3.x", "[::1", "::g", "0x", "a.b",
    ])
    func aNameIsNoAddress(host: String) {
        #expect(IPAddress(host: host) == nil)
    }

    @Test(arguments: [
        ("::ffff:1.2.3.4", "1.2.3.4"), ("::1.2.3.4", "1.2.3.4"), ("::ffff:0:1.2.3.4", "1.2.3.4"),
        ("64:ff9b::1.2.3.4", "1.2.3.4"), ("2002:102:304::1", "1.2.3.4"),
    ])
    func theIPv4AddressBehindAnIPv6OneIsFound(text: String, inner: String) throws {
        #expect(try #require(IPAddress(text)).embeddedIPv4?.description == inner)
    }

    @Test(arguments: ["1.2.3.4", "2001:db8::1.2.3.4", "64:ff9b:1::1.2.3.4"])
    func otherAddressesHaveNoneBehindThem(text: String) throws {
        #expect(try #require(IPAddress(text)).embeddedIPv4 == nil)
    }

    @Test(arguments: [0, 3, 5, 15, 17])
    func otherNumbersOfBytesAreNoAddress(count: Int) {
        #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}

@Suite struct AddressBlockTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
        ("192.0.2.6/31", "192.0.2.7", "192.0.2.8"), ("2001:db8::/32", "2001:db8:ffff::", "2001:db9::"),
        ("2001:db8::7", "2001:db8::7", "2001:db8::6"), ("0.0.0.0/0", "255.255.255.255", "::"),
        ("::/0", "ffff::", "0.0.0.0"), ("2001:db8::/127", "2001:db8::1", "2001:db8::2"),
    ])
    func aBlockContainsItsOwnAddressesOnly(text: String, inside: String, outside: String) throws {
        let block = try AddressBlock(text)
        #expect(block.contains(try #require(IPAddress(inside))))
        #expect(!block.contains(try #require(IPAddress(outside))))
        #expect(block.description == (text.contains("/") ? text : text + (text.contains(":") ? "/128" : "/32")))
    }

    @Test(arguments: [
        ("", "expected an address"), ("10.0.0.0/", "0 to 32"), ("10.0.0.0/33", "0 to 32"), ("10.0.0.0/-1", "0 to 32"),
        ("10.0.0.0/+8", "0 to 32"), ("10.0.0.0/8/8", "0 to 32"), ("::/129", "0 to 128"),
        ("10.1/16", "expected an address"),
        ("10.0.0.1/8", "the block's first address, 10.0.0.0/8"), ("2001:db8::1/32", "2001:db8::/32"),
        ("example.org/8", "expected an address"), ("10.0.0.0/99999999999999999999", "0 to 32"),
        ("fe80::1%eth0", "expected an address"),
    ])
    func whatIsNoBlockIsAnError(text: String, reason: String) {
        let error = #expect(throws: NetworkRuleError.self) { try AddressBlock(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
}

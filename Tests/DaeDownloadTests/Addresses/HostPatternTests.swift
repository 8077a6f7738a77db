import Testing

@testable import DaeDownload

@Suite struct HostPatternTests {
    @Test(arguments: [
        ("example.org", "example.org"), ("Example.ORG", "EXAMPLE.org."), ("example.org.", "example.org"),
        (".example.org", "example.org"), (".example.org", "a.b.example.org"), (".example.org", "A.Example.Org."),
        ("bücher.example", "xn--bcher-kva.example"), (".xn--bcher-kva.example", "www.BÜCHER.example"),
        ("10.0.0.0/8", "10.1.2.3"), ("10.0.0.0/8", "012.1"), ("127.0.0.1", "0x7f.1"), ("2130706433", "127.0.0.1"),
        ("2001:db8::/32", "[2001:db8::7]"), ("127.0.0.1", "[::ffff:127.0.0.1]"), ("10.0.0.0/8", "[64:ff9b::10.0.0.1]"),
    ])
    func aPatternMatches(pattern: String, host: String) throws {
        #expect(try HostPattern(pattern).matches(WebAddress("http://\(host)/")))
    }

    @Test(arguments: [
        ("example.org", "a.example.org"), ("example.org", "example.org.evil.test"), ("example.org", "badexample.org"),
        (".example.org", "badexample.org"), (".example.org", "org"), ("10.0.0.0/8", "11.0.0.0"),
        ("10.0.0.0/8", "10.example.org"), ("2001:db8::/32", "[2001:db9::]"), ("127.0.0.1", "localhost"),
    ])
    func aPatternDoesNotMatch(pattern: String, host: String) throws {
        #expect(try !HostPattern(pattern).matches(WebAddress("http://\(host)/")))
    }

    @Test(arguments: [
        "", ".", "*.example.org", "example.org:80", "http://example.org", "user@example.org", "a b", "example.org/x",
        "[::1]", ".127.0.0.1", "10.0.0.1/8", "a\\b", "a%2eb", "a?b", "a#b", "\u{7}",
    ])
    func whatIsNoPatternIsAnError(text: String) {
        #expect(throws: NetworkRuleError.self) { try HostPattern(text) }
    }
}

// Blocks and their classes as IANA's registries list them, written out a second time: first and last address, and what
// lies just before and behind.

import Testing

@testable import DaeDownload

@Suite struct AddressClassTests {
    struct Block: Sendable, CustomTestStringConvertible {
        let first: String
        let last: String
        let kind: AddressClass
        let before: AddressClass?
        let after: AddressClass?
        var testDescription: String { "\(first) to \(last)" }

        /// - Parameters:
        ///   - before: `nil` where there is no address before the first one.
        init(
            _ first: String, _ last: String, _ kind: AddressClass, before: AddressClass? = .publicUse,
            after: AddressClass? = .publicUse
        ) {
            self.first = first
            self.last = last
            self.kind = kind
            self.before = before
            self.after = after
        }
    }

    @Test(arguments: ipv4 + ipv6)
    func aBlockReachesFromItsFirstToItsLastAddress(_ block: Block) throws {
        let first = try #require(IPAddress(block.first))
        let last = try #require(IPAddress(block.last))
        #expect(AddressClass(first) == block.kind)
        #expect(AddressClass(last) == block.kind)
        #expect(first.neighbour(-1).map { AddressClass($0) } == block.before)
        #expect(last.neighbour(1).map { AddressClass($0) } == block.after)
    }

    static let ipv4: [Block] = [
        Block("0.0.0.0", "0.255.255.255", .unspecified, before: nil),
        Block("10.0.0.0", "10.255.255.255", .privateUse),
        Block("100.64.0.0", "100.127.255.255", .carrierShared),
        Block("127.0.0.0", "127.255.255.255", .loopback),
        Block("168.63.129.16", "168.63.129.16", .cloudPlatform),
        Block("169.254.0.0", "169.254.255.255", .linkLocal),
        Block("172.16.0.0", "172.31.255.255", .privateUse),
        Block("192.0.0.0", "192.0.0.255", .protocolAssignment),
        Block("192.0.2.0", "192.0.2.255", .documentation),
        Block("192.88.99.0", "192.88.99.255", .sixToFour),
        Block("192.168.0.0", "192.168.255.255", .privateUse),
        Block("198.18.0.0", "198.19.255.255", .benchmarking),
        Block("198.51.100.0", "198.51.100.255", .documentation),
        Block("203.0.113.0", "203.0.113.255", .documentation),
        Block("224.0.0.0", "239.255.255.255", .multicast, after: .reserved),
        Block("240.0.0.0", "255.255.255.254", .reserved, before: .multicast, after: .broadcast),
        Block("255.255.255.255", "255.255.255.255", .broadcast, before: .reserved, after: nil),
    ]

    static let ipv6: [Block] = [
        Block("::", "::", .unspecified, before: nil, after: .loopback),
        Block("::1", "::1", .loopback, before: .unspecified, after: .ipv4Compatible),
        Block("::2", "::ffff:ffff", .ipv4Compatible, before: .loopback, after: .reserved),
        Block("::ffff:0:0", "::ffff:ffff:ffff", .ipv4Mapped, before: .reserved, after: .reserved),
        Block("::ffff:0:0:0", "::ffff:0:ffff:ffff", .ipv4Translated, before: .reserved, after: .reserved),
        Block("64:ff9b::a00:0", "64:ff9b::aff:ffff", .privateUse),
        Block("64:ff9b::7f00:0", "64:ff9b::7fff:ffff", .loopback),
        Block("64:ff9b::", "64:ff9b::ff:ffff", .unspecified, before: .reserved),
        Block("64:ff9b::ffff:ffff", "64:ff9b::ffff:ffff", .broadcast, before: .reserved, after: .reserved),
        Block(
            "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", .localTranslation, before: .reserved, after: .reserved),
        Block("100::", "100::1:ffff:ffff:ffff:ffff", .discard, before: .reserved, after: .reserved),
        Block("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", .teredo, after: .protocolAssignment),
        Block(
            "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", .benchmarking, before: .protocolAssignment,
            after: .protocolAssignment),
        Block("2001:3::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", .protocolAssignment, before: .protocolAssignment),
        Block("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", .documentation),
        Block("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .sixToFour),
        Block("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", .documentation),
        Block("2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .publicUse, before: .reserved, after: .teredo),
        Block("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved, after: .privateUse),
        Block(
            "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .privateUse, before: .reserved, after: .reserved),
        Block("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .linkLocal, before: .reserved, after: .siteLocal),
        Block("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .siteLocal, before: .linkLocal, after: .multicast),
        Block(
            "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .multicast, before: .siteLocal, after: nil),
    ]

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "151.101.1.1", "172.15.255.255", "2606:4700::1111", "2a00:1450::1", "2620:4f:8000::1",
        "64:ff9b::101:101", "64:ff9b::808:808",
    ])
    func publicAddressesArePublic(text: String) throws {
        #expect(AddressClass(try #require(IPAddress(text))) == .publicUse)
    }

    @Test func everyClassHasItsOwnWords() {
        let phrases = AddressClass.allCases.map(\.phrase)
        #expect(Set(phrases).count == phrases.count)
        #expect(phrases.allSatisfy { $0.hasPrefix("a ") || $0.hasPrefix("an ") || $0.hasPrefix("the ") })
    }
}

extension IPAddress {
    fileprivate func neighbour(_ distance: Int) -> IPAddress? {
        switch self {
        case .v4(let bits): UInt32(exactly: Int64(bits) + Int64(distance)).map { .v4($0) }
        case .v6(let bits):
            if distance < 0 { bits == 0 ? nil : .v6(bits - 1) } else { bits == .max ? nil : .v6(bits + 1) }
        }
    }
}

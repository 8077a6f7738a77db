// Source: the IANA registries of special-purpose addresses (iana-ipv4-special-registry, iana-ipv6-special-registry), of
// multicast and of the IPv6 address space (2000::/3 alone is given out for public use).

/// What an address is for.
enum AddressClass: Sendable, Hashable, CaseIterable {
    case publicUse
    case unspecified
    case loopback
    case privateUse
    case linkLocal
    case siteLocal
    case carrierShared
    case cloudPlatform
    case protocolAssignment
    case documentation
    case benchmarking
    case multicast
    case broadcast
    case discard
    case ipv4Mapped
    case ipv4Compatible
    case ipv4Translated
    case localTranslation
    case sixToFour
    case teredo
    case reserved

    init(_ address: IPAddress) {
        switch address {
        case .v4: self = Self.find(address, in: Self.ipv4) ?? .publicUse
        case .v6:
            // Behind a translator on the way, it is the IPv4 address that is reached.
            if AddressBlock.nat64.contains(address), let inner = address.embeddedIPv4 {
                self = Self.find(inner, in: Self.ipv4) ?? .publicUse
            } else {
                let isGivenOut = AddressBlock.v6(0x2000_0000_0000_0000, 3).contains(address)
                self = Self.find(address, in: Self.ipv6) ?? (isGivenOut ? .publicUse : .reserved)
            }
        }
    }

    private struct Row {
        let block: AddressBlock
        let kind: AddressClass

        init(_ block: AddressBlock, _ kind: AddressClass) {
            self.block = block
            self.kind = kind
        }
    }

    private static func find(_ address: IPAddress, in rows: [Row]) -> AddressClass? {
        rows.first { $0.block.contains(address) }?.kind
    }

    // The first row that fits counts.
    private static let ipv4: [Row] = [
        Row(.v4(0, 0, 0, 0, 8), .unspecified),
        Row(.v4(10, 0, 0, 0, 8), .privateUse),
        Row(.v4(100, 64, 0, 0, 10), .carrierShared),
        Row(.v4(127, 0, 0, 0, 8), .loopback),
        // Azure answers its guests here, outside every block that a registry lists.
        Row(.v4(168, 63, 129, 16, 32), .cloudPlatform),
        Row(.v4(169, 254, 0, 0, 16), .linkLocal),
        Row(.v4(172, 16, 0, 0, 12), .privateUse),
        Row(.v4(192, 0, 0, 0, 24), .protocolAssignment),
        Row(.v4(192, 0, 2, 0, 24), .documentation),
        Row(.v4(192, 88, 99, 0, 24), .sixToFour),
        Row(.v4(192, 168, 0, 0, 16), .privateUse),
        Row(.v4(198, 18, 0, 0, 15), .benchmarking),
        Row(.v4(198, 51, 100, 0, 24), .documentation),
        Row(.v4(203, 0, 113, 0, 24), .documentation),
        Row(.v4(224, 0, 0, 0, 4), .multicast),
        Row(.v4(255, 255, 255, 255, 32), .broadcast),
        Row(.v4(240, 0, 0, 0, 4), .reserved),
    ]

    private static let ipv6: [Row] = [
        Row(.v6(low: 0, 128), .unspecified),
        Row(.v6(low: 1, 128), .loopback),
        Row(.ipv4Mapped, .ipv4Mapped),
        Row(.ipv4Compatible, .ipv4Compatible),
        Row(.ipv4Translated, .ipv4Translated),
        Row(.v6(0x0064_ff9b_0001_0000, 48), .localTranslation),
        Row(.v6(0x0100_0000_0000_0000, 63), .discard),
        Row(.v6(0x2001_0000_0000_0000, 32), .teredo),
        Row(.v6(0x2001_0002_0000_0000, 48), .benchmarking),
        // The few parts of it that are public (anycast for protocols) serve no files.
        Row(.v6(0x2001_0000_0000_0000, 23), .protocolAssignment),
        Row(.v6(0x2001_0db8_0000_0000, 32), .documentation),
        Row(.sixToFour, .sixToFour),
        Row(.v6(0x3fff_0000_0000_0000, 20), .documentation),
        Row(.v6(0xfc00_0000_0000_0000, 7), .privateUse),
        Row(.v6(0xfe80_0000_0000_0000, 10), .linkLocal),
        Row(.v6(0xfec0_0000_0000_0000, 10), .siteLocal),
        Row(.v6(0xff00_0000_0000_0000, 8), .multicast),
    ]
}

extension AddressClass {
    /// With its article, to stand behind "is".
    var phrase: String {
        switch self {
        case .publicUse: "a public address"
        case .unspecified: "an address of this network (0.0.0.0/8 or ::)"
        case .loopback: "a loopback address"
        case .privateUse: "a private address"
        case .linkLocal: "a link-local address"
        case .siteLocal: "a site-local address"
        case .carrierShared: "an address shared by a carrier's customers (100.64.0.0/10)"
        case .cloudPlatform: "an address of a cloud's own services"
        case .protocolAssignment: "an address kept for protocols"
        case .documentation: "an address for documentation"
        case .benchmarking: "an address for benchmarks"
        case .multicast: "a multicast address"
        case .broadcast: "the broadcast address"
        case .discard: "an address that discards"
        case .ipv4Mapped: "an IPv4-mapped address"
        case .ipv4Compatible: "an IPv4-compatible address"
        case .ipv4Translated: "an IPv4-translated address"
        case .localTranslation: "an address for a translator of the local network (64:ff9b:1::/48)"
        case .sixToFour: "a 6to4 address"
        case .teredo: "a Teredo address"
        case .reserved: "a reserved address"
        }
    }
}

// Numbers, not text: an address has many spellings and one value.

import DaeCore

/// An IPv4 or IPv6 address, without a zone.
enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    case v6(UInt128)

    /// The bytes in network order: 4 or 16 of them.
    init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16: self = .v6(bytes.reduce(0) { $0 << 8 | UInt128($1) })
        default: return nil
        }
    }

    /// Takes the one form that RFC 4291 and four decimal numbers allow; no zone, no brackets.
    init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(bytes: withUnsafeBytes(of: v4) { Array($0) })
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(bytes: withUnsafeBytes(of: v6) { Array($0) })
        } else {
            return nil
        }
    }

    /// Takes what a resolver takes for an address and not for a name: brackets, a zone, and IPv4 in octal, in hexadecimal
    /// and with fewer than four numbers.
    init?(host: String) {
        var text = Substring(host)
        if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
        text = text.prefix { $0 != "%" }
        if let address = IPAddress(String(text)) {
            self = address
            return
        }
        var v4 = in_addr()
        guard text.utf8.allSatisfy(Self.standsInNumbers), inet_aton(String(text), &v4) != 0 else { return nil }
        self.init(bytes: withUnsafeBytes(of: v4) { Array($0) })
    }

    private static func standsInNumbers(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension IPAddress {
    var bytes: [UInt8] {
        switch self {
        case .v4(let bits): withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        case .v6(let bits): withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        }
    }

    /// The IPv4 address that this one leads to by a scheme of transition; `nil` where there is none.
    var embeddedIPv4: IPAddress? {
        switch self {
        case .v4: return nil
        case .v6(let bits):
            let inLowBits = [AddressBlock.ipv4Mapped, .ipv4Compatible, .ipv4Translated, .nat64]
            if inLowBits.contains(where: { $0.contains(self) }) { return .v4(UInt32(truncatingIfNeeded: bits)) }
            guard AddressBlock.sixToFour.contains(self) else { return nil }
            return .v4(UInt32(truncatingIfNeeded: bits >> 80))
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual text, the shortest for IPv6.
    var description: String {
        let family: Int32
        switch self {
        case .v4: family = AF_INET
        case .v6: family = AF_INET6
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// All addresses that begin with the same bits, such as `10.0.0.0/8`.
package struct AddressBlock: Sendable {
    let first: IPAddress
    /// Leading bits in common: 0...32 or 0...128.
    let length: Int

    /// Takes an address, or one with the number of its leading bits behind a slash (CIDR). All other bits must be zero.
    package init(_ text: String) throws(NetworkRuleError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else {
            throw NetworkRuleError(text, "expected an address, or one with a number of bits, such as 10.0.0.0/8")
        }
        let width = address.bytes.count * 8
        guard parts.count == 2 else {
            self.init(address, width)
            return
        }
        guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let length = Int(parts[1]), length <= width
        else { throw NetworkRuleError(text, "expected a number of bits from 0 to \(width) behind the slash") }
        self.init(address, length)
        guard address == first else {
            throw NetworkRuleError(text, "expected the block's first address, \(first)/\(length)")
        }
    }

    /// The block that `address` lies in.
    private init(_ address: IPAddress, _ length: Int) {
        self.length = length
        switch address {
        case .v4(let bits): first = .v4(bits & ~Self.rest32(length))
        case .v6(let bits): first = .v6(bits & ~Self.rest128(length))
        }
    }

    // A shift by the whole width gives zero in Swift.
    private static func rest32(_ length: Int) -> UInt32 { UInt32.max >> length }
    private static func rest128(_ length: Int) -> UInt128 { UInt128.max >> length }
}

extension AddressBlock {
    static func v4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ length: Int) -> AddressBlock {
        let high = UInt32(a) << 24 | UInt32(b) << 16
        return AddressBlock(.v4(high | UInt32(c) << 8 | UInt32(d)), length)
    }

    /// By its first 64 bits, the rest zero.
    static func v6(_ high: UInt64, _ length: Int) -> AddressBlock {
        AddressBlock(.v6(UInt128(high) << 64), length)
    }

    /// By its last 64 bits, zeros before them.
    static func v6(low: UInt64, _ length: Int) -> AddressBlock {
        AddressBlock(.v6(UInt128(low)), length)
    }

    static let ipv4Mapped = v6(low: 0xffff_0000_0000, 96)
    static let ipv4Compatible = v6(low: 0, 96)
    static let ipv4Translated = v6(low: 0xffff_0000_0000_0000, 96)
    static let nat64 = v6(0x0064_ff9b_0000_0000, 96)
    static let sixToFour = v6(0x2002_0000_0000_0000, 16)

    func contains(_ address: IPAddress) -> Bool {
        switch (first, address) {
        case (.v4(let mine), .v4(let other)): mine == other & ~Self.rest32(length)
        case (.v6(let mine), .v6(let other)): mine == other & ~Self.rest128(length)
        case (.v4, .v6), (.v6, .v4): false
        }
    }
}

extension AddressBlock {
    /// Whether a text is an IPv4 or an IPv6 address.
    package static func isAddress(_ text: String) -> Bool { IPAddress(text) != nil }

    /// Whether an address lies in it; one of IPv4 that is written as one of IPv6 (`::ffff:192.0.2.1`) counts as the former.
    package func contains(address text: String) -> Bool {
        guard let address = IPAddress(text) else { return false }
        if case .v6(let bits) = address, Self.ipv4Mapped.contains(address),
            contains(.v4(UInt32(truncatingIfNeeded: bits)))
        {
            return true
        }
        return contains(address)
    }
}

extension AddressBlock: CustomStringConvertible {
    /// As CIDR.
    package var description: String { "\(first)/\(length)" }
}

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

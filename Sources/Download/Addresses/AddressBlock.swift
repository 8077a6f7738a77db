/// All addresses that begin with the same bits, such as `10.0.0.0/8`.
public struct AddressBlock: Sendable {
    let first: IPAddress
    /// Leading bits in common: 0...32 or 0...128.
    let length: Int

    /// Takes an address, or one with the number of its leading bits behind a slash (CIDR). All other bits must be zero.
    public init(_ text: String) throws(NetworkRuleError) {
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
    public static func isAddress(_ text: String) -> Bool { IPAddress(text) != nil }

    /// Whether an address lies in it; one of IPv4 that is written as one of IPv6 (`::ffff:192.0.2.1`) counts as the former.
    public func contains(address text: String) -> Bool {
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
    public var description: String { "\(first)/\(length)" }
}

// Numbers, not text: an address has many spellings and one value.

import Glibc

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

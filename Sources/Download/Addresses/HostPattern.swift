/// Which hosts a rule is about: one by name, all below a name, one by address, or a block of addresses.
public struct HostPattern: Sendable {
    private enum Kind: Sendable {
        case name(String)
        /// The name itself too.
        case below(String)
        case block(AddressBlock)
    }

    private let kind: Kind

    /// Takes `example.org` for that name alone, `.example.org` for it and all names below it, `192.0.2.7`, `2001:db8::7`
    /// or `10.0.0.0/8`. A name may stand in any case and with letters beyond ASCII.
    public init(_ text: String) throws(NetworkRuleError) {
        if text.contains("/") || text.contains(":") {
            kind = .block(try AddressBlock(text))
            return
        }
        let isBelow = text.hasPrefix(".")
        let name = isBelow ? String(text.dropFirst()) : text
        guard !name.contains(where: { "*?#@[]\\%".contains($0) || $0.isWhitespace }),
            let address = try? WebAddress("http://\(name)/"), address.hostName != ""
        else {
            throw NetworkRuleError(
                text, "expected a host's name, .name for all below it, an address or a block of them")
        }
        switch address.literal {
        case let literal? where !isBelow: kind = .block(try AddressBlock(literal.description))
        case .some:
            throw NetworkRuleError(text, "expected a block such as 10.0.0.0/8: there is nothing below an address")
        case nil: kind = isBelow ? .below(address.hostName) : .name(address.hostName)
        }
    }

    /// Whether it is about a host as an address names it, before it is looked up.
    func matches(_ address: WebAddress) -> Bool {
        switch kind {
        case .name(let name): address.hostName == name
        case .below(let name): address.hostName == name || address.hostName.hasSuffix("." + name)
        case .block: address.literal.map { matches($0) } ?? false
        }
    }

    /// Whether it is about an address that a connection is to be made to, or about the one that this leads on to.
    func matches(_ address: IPAddress) -> Bool {
        switch kind {
        case .name, .below: false
        case .block(let block): block.contains(address) || (address.embeddedIPv4.map { block.contains($0) } ?? false)
        }
    }
}

import DaeCore

/// Where downloads may go.
public enum NetworkPolicy: Sendable {
    /// Anywhere by http and https; a proxy that the environment names is used. For a person who chose the address.
    case open
    /// Where the rules lead alone. For a service that takes addresses from strangers.
    case closed(NetworkRules)

    /// The closed policy with the rules as they are by themselves.
    public static var closed: NetworkPolicy { .closed(NetworkRules()) }
}

// MARK: - Before anything is looked up

extension NetworkPolicy {
    /// Refuses an address by what is written in it.
    func check(_ address: WebAddress) throws(DownloadFailure) {
        switch self {
        case .open: return
        case .closed(let rules):
            try rules.checkWords(address)
            if let literal = address.literal {
                try check(literal)
            } else if address.isLocalName, rules.refusal(of: .v4(0x7f00_0001)) != nil, rules.refusal(of: .v6(1)) != nil
            {
                throw .blocked(
                    reason: "\(address.host) names a loopback address", expected: rules.addresses.expectation)
            }
        }
    }

    /// Refuses to follow a redirect to where nothing is encrypted.
    func checkRedirect(from address: WebAddress, to target: WebAddress) throws(DownloadFailure) {
        switch self {
        case .open: return
        case .closed:
            guard address.scheme == .https, target.scheme == .http else { return }
            throw .blocked(
                reason: "redirected from https to http",
                expected: "expected encryption to be kept (network policy: closed)")
        }
    }
}

// MARK: - At the moment of connecting

extension NetworkPolicy {
    /// Refuses an address that a name led to.
    func check(_ address: IPAddress) throws(DownloadFailure) {
        switch self {
        case .open: return
        case .closed(let rules): if let refusal = rules.refusal(of: address) { throw refusal }
        }
    }

    /// The same for a connection, which may be one to the operator's proxy.
    func checkConnection(to address: IPAddress) throws(DownloadFailure) {
        switch self {
        case .open: return
        case .closed(let rules): if rules.proxy == nil { try check(address) }
        }
    }
}

extension NetworkRules {
    fileprivate func checkWords(_ address: WebAddress) throws(DownloadFailure) {
        switch (schemes, address.scheme) {
        case (.httpAndHTTPS, _), (.httpsOnly, .https): break
        case (.httpsOnly, .http):
            throw .blocked(reason: "http is not allowed", expected: "expected https (network policy: closed)")
        }
        switch ports {
        case .only(let allowed) where !allowed.contains(address.port):
            let list = allowed.sorted().map { "\($0)" }.joined(separator: ", ")
            throw .blocked(
                reason: "port \(address.port) is not allowed",
                expected: "expected one of \(list) (network policy: closed)")
        case .any, .only: break
        }
        if deniedHosts.contains(where: { $0.matches(address) }) { throw Self.denied(address.host) }
        switch hosts {
        case .only(let allowed) where !allowed.contains(where: { $0.matches(address) }):
            throw .blocked(
                reason: "the host \(address.host) is not among those allowed",
                expected: "expected a host on the list (network policy: closed)")
        case .any, .only: break
        }
    }

    fileprivate func refusal(of address: IPAddress) -> DownloadFailure? {
        if deniedHosts.contains(where: { $0.matches(address) }) { return Self.denied(address.description) }
        let kind = AddressClass(address)
        guard kind != .publicUse else { return nil }
        switch addresses {
        case .any: return nil
        case .publicOnly(let exceptions):
            guard !exceptions.contains(where: { $0.contains(address) }) else { return nil }
            return .blocked(reason: "\(address) is \(kind.phrase)", expected: addresses.expectation)
        }
    }

    private static func denied(_ host: String) -> DownloadFailure {
        .blocked(reason: "the host \(host) is denied", expected: "expected another host (network policy: closed)")
    }
}

extension NetworkRules.Addresses {
    fileprivate var expectation: String { "expected a public address (network policy: closed)" }
}

/// What a closed ``NetworkPolicy`` lets through. By itself: http and https at their own ports, on public addresses.
///
/// Schemes, ports and hosts are checked before anything is looked up; addresses at the moment of connecting, so that no
/// spelling of an address and no change of a name's answer gets around them.
public struct NetworkRules: Sendable {
    /// Schemes that may be asked for.
    package enum Schemes: Sendable {
        case httpAndHTTPS
        case httpsOnly
    }

    /// Ports that may be asked for.
    package enum Ports: Sendable {
        case any
        case only(Set<UInt16>)
    }

    /// Hosts that may be asked for, as the address names them: an address or a block matches only a host that is written
    /// as one, in whatever spelling.
    package enum Hosts: Sendable {
        case any
        case only([HostPattern])
    }

    /// Addresses that a connection may be made to.
    package enum Addresses: Sendable {
        /// All that no registry keeps for a special purpose, and the exceptions.
        case publicOnly(except: [AddressBlock])
        /// Private ones, loopback and all others too.
        case any
    }

    package var schemes = Schemes.httpAndHTTPS
    package var ports = Ports.only([80, 443])
    package var hosts = Hosts.any
    /// Hosts that may not, whatever ``hosts`` says. An address or a block also stands for every name that leads there.
    package var deniedHosts: [HostPattern] = []
    package var addresses = Addresses.publicOnly(except: [])
    /// The operator's proxy, such as `http://proxy.example.org:3128`; `nil` for none, whatever the environment says.
    ///
    /// Behind one it is the proxy that looks names up and connects: `privateAddresses`, and blocks in `deniedHosts`, then hold
    /// for hosts written as addresses alone. The proxy itself may have any address.
    public var proxy: String?

    /// http and https at their own ports, on public addresses.
    public init() {}

    /// Rules as an operator writes them.
    ///
    /// - Parameters:
    ///   - hosts: The only hosts that may be asked for: `example.org` for that name alone, `.example.org` for it and all
    ///     below it, an address, or a block such as `192.0.2.0/24`; `nil` for all.
    ///   - deniedHosts: Hosts that may not, whatever `hosts` says, in the same form.
    ///   - privateAddresses: Blocks to which connections may be made although they are not public, such as `10.0.0.0/8`.
    ///   - ports: `nil` for all of them.
    ///   - requiresTLS: Whether only https may be asked for.
    public init(
        hosts: [String]? = nil, deniedHosts: [String] = [], privateAddresses: [String] = [],
        ports: Set<UInt16>? = [80, 443], requiresTLS: Bool = false
    ) throws(NetworkRuleError) {
        self.hosts = try hosts.map { hosts throws(NetworkRuleError) in .only(try hosts.map(HostPattern.init)) } ?? .any
        self.deniedHosts = try deniedHosts.map(HostPattern.init)
        addresses = .publicOnly(except: try privateAddresses.map(AddressBlock.init))
        self.ports = ports.map { .only($0) } ?? .any
        schemes = requiresTLS ? .httpsOnly : .httpAndHTTPS
    }
}

/// Which hosts a rule is about: one by name, all below a name, one by address, or a block of addresses.
package struct HostPattern: Sendable {
    private enum Kind: Sendable {
        case name(String)
        /// The name itself too.
        case below(String)
        case block(AddressBlock)
    }

    private let kind: Kind

    /// Takes `example.org` for that name alone, `.example.org` for it and all names below it, `192.0.2.7`, `2001:db8::7`
    /// or `10.0.0.0/8`. A name may stand in any case and with letters beyond ASCII.
    package init(_ text: String) throws(NetworkRuleError) {
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

/// A rule that cannot be understood, so that no list of rules silently lacks one.
public struct NetworkRuleError: Error, Sendable, CustomStringConvertible {
    /// As it was given, cut to 300 characters.
    package let text: String
    /// What was expected instead.
    package let reason: String

    init(_ text: String, _ reason: String) {
        self.text = text.printable()
        self.reason = reason
    }

    public var description: String { "\(text): \(reason)" }
}

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

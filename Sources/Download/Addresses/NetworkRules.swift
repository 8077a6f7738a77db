/// What a closed ``NetworkPolicy`` lets through. By itself: http and https at their own ports, on public addresses.
///
/// Schemes, ports and hosts are checked before anything is looked up; addresses at the moment of connecting, so that no
/// spelling of an address and no change of a name's answer gets around them.
public struct NetworkRules: Sendable {
    /// Schemes that may be asked for.
    public enum Schemes: Sendable {
        case httpAndHTTPS
        case httpsOnly
    }

    /// Ports that may be asked for.
    public enum Ports: Sendable {
        case any
        case only(Set<UInt16>)
    }

    /// Hosts that may be asked for, as the address names them: an address or a block matches only a host that is written
    /// as one, in whatever spelling.
    public enum Hosts: Sendable {
        case any
        case only([HostPattern])
    }

    /// Addresses that a connection may be made to.
    public enum Addresses: Sendable {
        /// All that no registry keeps for a special purpose, and the exceptions.
        case publicOnly(except: [AddressBlock])
        /// Private ones, loopback and all others too.
        case any
    }

    public var schemes = Schemes.httpAndHTTPS
    public var ports = Ports.only([80, 443])
    public var hosts = Hosts.any
    /// Hosts that may not, whatever ``hosts`` says. An address or a block also stands for every name that leads there.
    public var deniedHosts: [HostPattern] = []
    public var addresses = Addresses.publicOnly(except: [])
    /// The operator's proxy, such as `http://proxy.example.org:3128`; `nil` for none, whatever the environment says.
    ///
    /// Behind one it is the proxy that looks names up and connects: ``addresses``, and blocks in ``deniedHosts``, then hold
    /// for hosts written as addresses alone. The proxy itself may have any address.
    public var proxy: String?

    public init() {}
}

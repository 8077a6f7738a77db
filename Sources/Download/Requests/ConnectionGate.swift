/// Decides at the moment of connecting, and keeps what it decided: libcurl only says that it could not connect.
struct ConnectionGate {
    private enum Record {
        case untouched
        case refused(DownloadFailure)
        case opened
    }

    private let policy: NetworkPolicy
    private var record = Record.untouched

    init(_ policy: NetworkPolicy) {
        self.policy = policy
    }

    /// Why there was no connection; `nil` where one was tried, since a name may lead to several addresses.
    var refusal: DownloadFailure? {
        switch record {
        case .refused(let failure): failure
        case .untouched, .opened: nil
        }
    }

    /// Whether a connection to an address (its bytes in network order) may be tried.
    mutating func admits(_ bytes: [UInt8]) -> Bool {
        do throws(DownloadFailure) {
            guard let address = IPAddress(bytes: bytes) else {
                throw .blocked(
                    reason: "the host leads to a socket that is none of the internet's",
                    expected: "expected an IPv4 or IPv6 address")
            }
            try policy.checkConnection(to: address)
            record = .opened
            return true
        } catch {
            switch record {
            case .untouched: record = .refused(error)
            case .refused, .opened: break
            }
            return false
        }
    }
}

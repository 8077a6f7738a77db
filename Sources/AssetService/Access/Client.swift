import Daedalus
import Glibc

/// Who sent a request.
enum Client: Sendable {
    /// Nobody asks for tokens here.
    case anyone
    case token(id: String, name: String, Scope)
    /// Whoever holds a signed link, or asks what everybody may.
    case stranger

    func allows(_ scope: Scope) -> Bool {
        switch self {
        case .anyone: true
        case .token(_, _, let own): scope <= own
        case .stranger: false
        }
    }

    /// Under which its requests are counted.
    func name(address: String?) -> String {
        switch self {
        case .token(let id, _, _): "token \(id)"
        case .anyone, .stranger: ClientAddress.group(address ?? "")
        }
    }

    /// Whose request keys are its own.
    var owner: String {
        switch self {
        case .token(let id, _, _): id
        case .anyone, .stranger: ""
        }
    }

    /// As the log names it.
    var logged: String {
        switch self {
        case .token(_, let name, _): name
        case .anyone, .stranger: "-"
        }
    }
}

enum ClientAddress {
    /// The address; of IPv6 the first 64 bits, since one client has all that begin so.
    static func group(_ text: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard text.contains(":"), inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        if bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
            return bytes.suffix(4).map { String($0) }.joined(separator: ".")
        }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}

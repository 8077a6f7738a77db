/// What a token allows; each case allows what those before it do.
enum Scope: String, Sendable, Comparable {
    /// To see all that there is, and to make signed links to it.
    case read
    /// To add assets, act on them and remove them.
    case write
    /// To see and revoke tokens.
    case admin

    private var rank: Int {
        switch self {
        case .read: 0
        case .write: 1
        case .admin: 2
        }
    }

    static func < (first: Scope, second: Scope) -> Bool { first.rank < second.rank }
}

/// Whether files of this machine may stand for what a bundle lacks.
public enum LocatorPolicy: Sendable, Hashable {
    /// Nothing outside the bundle is ever looked at.
    case bundleOnly
    /// Files below these folders may be used, and a lone document's `../` may leave its root. For a command line,
    /// whose user owns both.
    case hostPaths([HostRoot])

    var roots: [HostRoot] {
        switch self {
        case .bundleOnly: []
        case .hostPaths(let roots): roots
        }
    }

    /// Whether `../` of a lone document may lead above its root.
    var mayLeaveRoot: Bool {
        switch self {
        case .bundleOnly: false
        case .hostPaths: true
        }
    }
}

/// Whether files of this machine may stand for what a bundle lacks.
public enum LocatorPolicy: Sendable, Hashable {
    /// Nothing outside the bundle is ever looked at.
    case bundleOnly
    /// Files below these folders may be used, and what a lone document means may lie outside its root, by `../` or by a
    /// symbolic link. For a command line, whose user owns both.
    case hostPaths([HostRoot])

    var roots: [HostRoot] {
        switch self {
        case .bundleOnly: []
        case .hostPaths(let roots): roots
        }
    }

    /// The links beside a lone document that are followed.
    var links: HostFolder.Links { mayLeaveRoot ? .files : .none }

    /// Whether `../` of a lone document may lead above its root.
    var mayLeaveRoot: Bool {
        switch self {
        case .bundleOnly: false
        case .hostPaths: true
        }
    }
}

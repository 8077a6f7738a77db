import ByteSource
import Glibc
import URIReference

/// What lies at a path.
public enum ResourcePresence: Sendable, Hashable {
    case file
    case none
    /// A link, there or on the way, that is not followed.
    case link
    /// A link that was followed to a file outside.
    case linked(LinkTarget)
    case folder
    /// A pipe, a device or the like.
    case special
    /// Something in an archive that cannot be opened.
    case unreadable
}

extension Resolution.Candidate.Result {
    /// - Parameter meansPath: A person meant that path; a folder at one that was only guessed is a plain miss.
    init(_ presence: ResourcePresence, meansPath: Bool) {
        switch presence {
        case .file, .linked: self = .hit
        case .none: self = .miss
        case .link: self = .link
        case .folder: self = meansPath ? .folder : .miss
        case .special: self = .special
        case .unreadable: self = .unreadable
        }
    }
}

/// A file of this machine that a link led to.
public struct LinkTarget: Sendable, Hashable {
    /// Absolute, without links.
    let folder: String
    let name: String

    /// Follows all links of an absolute path; `nil` where nothing is there.
    init?(following path: String) {
        guard !path.utf8.contains(0), let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        let text = String(cString: real)
        folder = text.utf8.dropFirst().contains(UInt8(ascii: "/")) ? BundlePath.folder(of: text) : "/"
        name = BundlePath.baseName(of: text)
    }

    var path: String { folder == "/" ? "/" + name : folder + "/" + name }

    /// Its path below a folder, absolute and without links itself; `nil` where it lies elsewhere.
    func path(below root: String) -> String? {
        let prefix = root == "/" ? "/" : root + "/"
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// What lies there.
    var presence: ResourcePresence {
        guard let opened = HostFolder(path: folder) else { return .none }
        switch opened.presence(of: name) {
        case .file, .linked: return .linked(self)
        case .folder: return .folder
        case .special: return .special
        // Something was changed in the meantime.
        case .link, .none, .unreadable: return .none
        }
    }
}

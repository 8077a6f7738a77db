// A .dae among other files: its textures lie around it, often a folder up, and nothing says where its bundle ends.

package import DaeCore

/// Where a document that is no part of an archive lies in the folder taken for its bundle.
package struct LoneDocument: Sendable, Hashable {
    /// The bundle's folder: absolute, without links.
    package let root: String
    /// The document's path below it.
    package let path: String
    /// Whether this is where a link led that bears the document's name.
    package let isLinkTarget: Bool

    /// - Parameters:
    ///   - root: An absolute path without links.
    ///   - path: Below it, without dots.
    package init(root: String, path: String, isLinkTarget: Bool = false) {
        self.root = root
        self.path = path
        self.isLinkTarget = isLinkTarget
    }

    /// Why no root was found.
    package enum Failure: Error, Sendable, Hashable {
        /// The document, or the folder given as root, does not exist.
        case missing(ByteSourceError)
        /// The document does not lie below the root given.
        case notBelow(root: String)
    }

    /// What marks the folder that belongs to a document, beside it or around it.
    package static let markers = ["model.config", "package.xml", "manifest.xml", "doc.kml"]
    /// Folders looked at above the document's own.
    package static let ancestors = 6

    /// Finds the root of the document at a path of this machine.
    ///
    /// A link to a file of the same name stands for that file: an installation made of links has the rest of a model
    /// where its links lead. A link by another name, as stores of files by their digests make them, stays where it is.
    ///
    /// - Parameter root: The folder that a person named; else the nearest of the document's own folder and six around
    ///   it that holds a marker, else its own folder.
    package static func locate(_ path: String, root: String? = nil) throws(Failure) -> LoneDocument {
        let own = try real(path.contains("/") ? BundlePath.folder(of: path) + "/" : ".")
        let name = BundlePath.baseName(of: path)
        let target = LinkTarget(following: own + "/" + name)
        let linked = target.flatMap { $0.name.utf8.elementsEqual(name.utf8) && $0.folder != own ? $0.folder : nil }
        guard let root else {
            return marked(linked ?? own, name, isLinkTarget: linked != nil)
        }
        let realRoot = try real(root)
        if let linked, let below = relative(linked, to: realRoot) {
            return LoneDocument(root: realRoot, path: BundlePath.join(below, name), isLinkTarget: true)
        }
        guard let below = relative(own, to: realRoot) else { throw .notBelow(root: root) }
        return LoneDocument(root: realRoot, path: BundlePath.join(below, name))
    }

    /// The document in a folder, below the nearest folder that holds a marker.
    private static func marked(_ own: String, _ name: String, isLinkTarget: Bool) -> LoneDocument {
        var folder = own
        for _ in 0...ancestors {
            if let below = relative(own, to: folder),
                markers.contains(where: { FileMetadata(folder + "/" + $0)?.kind == .file })
            {
                return LoneDocument(root: folder, path: BundlePath.join(below, name), isLinkTarget: isLinkTarget)
            }
            guard folder != "/", !folder.isEmpty else { break }
            folder = BundlePath.folder(of: folder)
            if folder.isEmpty { folder = "/" }
        }
        return LoneDocument(root: own, path: name, isLinkTarget: isLinkTarget)
    }

    /// A folder's path below another; both absolute, without links.
    private static func relative(_ folder: String, to root: String) -> String? {
        if folder == root { return "" }
        let prefix = root == "/" ? "/" : root + "/"
        guard folder.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: folder.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    private static func real(_ path: String) throws(Failure) -> String {
        do throws(SystemError) { return try RealPath.of(path) } catch {
            throw .missing(ByteSourceError(operation: "open", error))
        }
    }

    /// The folder so many levels above the root; `nil` where there is none.
    func ancestor(_ levels: Int) -> String? {
        let parts = root.split(separator: "/")
        guard levels <= parts.count else { return nil }
        return "/" + parts.dropLast(levels).joined(separator: "/")
    }
}

/// The folder around a lone document as a container.
///
/// Its files are listed only when a name has to be searched for, and then near ones first and not without end: a
/// document may lie in a folder of a million downloads.
final class LoneFolder: ResourceContainer {
    private let root: String
    private let folder: HostFolder
    private let links: HostFolder.Links
    private let walk: Lazy<(paths: [String], isComplete: Bool)>

    /// Levels of folders listed, the document's root being the first.
    static let depth = 6
    /// Files and folders listed.
    static let most = 20_000

    /// - Parameter links: Which are followed; where one leads out of the root, its file is one outside.
    init?(_ document: LoneDocument, links: HostFolder.Links) {
        guard let folder = HostFolder(path: document.root) else { return nil }
        root = document.root
        self.folder = folder
        self.links = links
        walk = Lazy { folder.walk(depth: Self.depth, most: Self.most, links: links) }
    }

    var paths: [String] { walk.value.paths }
    /// Hidden folders are not listed, and files come and go.
    var isListComplete: Bool { false }

    func contains(_ path: String) -> Bool { presence(of: path) == .file }

    func presence(of path: String) -> ResourcePresence {
        let presence = folder.presence(of: path)
        guard presence == .link, let target = target(of: path) else { return presence }
        return target.path(below: root).map(folder.presence) ?? target.presence
    }

    /// A file of the root itself, or one that a link leads to within it.
    func file(at path: String, shown: String) throws(ByteSourceError) -> FileByteSource {
        let isLink = folder.presence(of: path) == .link
        let inside = isLink ? target(of: path)?.path(below: root) : nil
        return try folder.file(at: inside ?? path, shown: shown)
    }

    private func target(of path: String) -> LinkTarget? {
        switch links {
        case .none: nil
        case .files: LinkTarget(following: root + "/" + path)
        }
    }

    func bytes(at path: String, limit: Int) -> [UInt8]? {
        guard let file = try? file(at: path, shown: path), file.size <= Int64(limit) else { return nil }
        return try? file.bytes(at: 0, count: limit)
    }
}

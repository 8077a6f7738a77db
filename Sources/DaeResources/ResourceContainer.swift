public import DaeArchive
import DaeCore

/// Holds files under names: an archive, a folder, a list in memory.
package protocol ResourceContainer: Sendable {
    /// Whether a file (no folder) has exactly this path; upper and lower case differ.
    func contains(_ path: String) -> Bool
    /// What lies at a path.
    func presence(of path: String) -> ResourcePresence
    /// Every file's path in any order; one that occurs twice counts once.
    var paths: [String] { get }
    /// Whether ``paths`` holds every file that ``contains(_:)`` knows.
    var isListComplete: Bool { get }
    /// The bytes of a small file; `nil` where they cannot be had, or are more than `limit`.
    func bytes(at path: String, limit: Int) -> [UInt8]?
    /// What lies in the archive at a path; `nil` where there is none that could be opened.
    func container(at archive: String) -> (any ResourceContainer)?
}

extension ResourceContainer {
    package func presence(of path: String) -> ResourcePresence { contains(path) ? .file : .none }
    package var isListComplete: Bool { true }
    package func bytes(at path: String, limit: Int) -> [UInt8]? { nil }
    package func container(at archive: String) -> (any ResourceContainer)? { nil }
}

/// Paths in memory, with small files' bytes where they matter.
package struct ResourceList: ResourceContainer {
    package let paths: [String]
    private let names: Set<ExactName>
    private let contents: [String: [UInt8]]

    /// - Parameter contents: By path; what is not there has no bytes.
    package init(_ paths: [String], contents: [String: [UInt8]] = [:]) {
        self.paths = paths
        self.names = Set(paths.map(ExactName.init))
        self.contents = contents
    }

    package func contains(_ path: String) -> Bool { names.contains(ExactName(path)) }

    package func bytes(at path: String, limit: Int) -> [UInt8]? {
        contents[path].flatMap { $0.count <= limit ? $0 : nil }
    }
}

/// A name that equals another byte for byte only; a plain `String` takes composed and decomposed letters for equal.
struct ExactName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.hasBytes(of: right.text) }

    func hash(into hasher: inout Hasher) {
        let hashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if hashed == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

extension Bundle: ResourceContainer {
    package func contains(_ path: String) -> Bool { entry(at: path) != nil }
    package func presence(of path: String) -> ResourcePresence {
        if entry(at: path) != nil { return .file }
        switch obstacle(at: path) {
        case .link: return .link
        case .special: return .special
        case nil: return leadsIntoUnreadable(path) ? .unreadable : .none
        }
    }

    package var paths: [String] { entries.map(\.path) }

    /// A lone document has files beside it that are no entries.
    package var isListComplete: Bool {
        switch kind {
        case .dae: false
        case .zip, .zae, .kmz, .folder: true
        }
    }

    package func container(at archive: String) -> (any ResourceContainer)? { self.archive(at: archive) }

    package func bytes(at path: String, limit: Int) -> [UInt8]? {
        entry(at: path).flatMap { try? bytes(of: $0, limit: limit) }
    }
}

/// What lies at a path.
package enum ResourcePresence: Sendable, Hashable {
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
package struct LinkTarget: Sendable, Hashable {
    /// Absolute, without links.
    let folder: String
    let name: String

    /// Follows all links of an absolute path; `nil` where nothing is there.
    init?(following path: String) {
        guard let text = try? RealPath.of(path) else { return nil }
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

// Apple's tools and SwiftPM move a target's files into `X.bundle/`, `X.bundle/Contents/Resources/` or
// `Package_Target.resources/`, below it the translated ones into `en.lproj/`, and add `@2x` for finer displays. A
// reference is written as if none of it were there.

/// Files in folders of resources, by the path that a reference to them has.
struct ResourceBundleIndex: Sendable {
    private let index: NameIndex

    init(_ paths: [String]) {
        var best: [String: (path: String, rank: Rank)] = [:]
        for path in paths where Self.mayBePacked(path) {
            guard let plain = PlainPath(path) else { continue }
            if let other = best[plain.place], other.rank <= plain.rank { continue }
            best[plain.place] = (path, plain.rank)
        }
        let chosen = Set(best.values.map { ExactName($0.path) })
        index = NameIndex(paths.filter { chosen.contains(ExactName($0)) }) { PlainPath($0)?.inside }
    }

    var isEmpty: Bool { index.isEmpty }

    func match(_ path: String, near folder: String) -> NameIndex.Match { index.match(path, near: folder) }

    /// A quick look, since most bundles have nothing of the kind.
    private static func mayBePacked(_ path: String) -> Bool {
        var name = path.utf8[...]
        while let byte = name.popFirst() {
            if byte == UInt8(ascii: "@") { return true }
            guard byte == UInt8(ascii: ".") else { continue }
            let ending = name.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
            if ending.endIndex != name.endIndex, endings.contains(where: { ending.elementsEqual($0.utf8) }) {
                return true
            }
        }
        return false
    }

    private static let endings = ["bundle", "scnassets", "resources", "lproj"]

    /// Which of several variants of one file is meant: the language comes first, then the scale.
    private struct Rank: Comparable {
        let language: String
        let scale: Int

        static func < (left: Rank, right: Rank) -> Bool {
            left.language == right.language ? left.scale < right.scale : left.language < right.language
        }
    }

    /// A path without what packing added.
    private struct PlainPath {
        /// With the bundle's own folder: two files of one place are variants of each other.
        let place: String
        /// From the bundle's folder on.
        let inside: String
        let rank: Rank

        /// `nil` where packing added nothing.
        init?(_ path: String) {
            var parts = path.split(separator: "/")
            guard var name = parts.popLast() else { return nil }
            var language = ""
            var isPacked = false
            var inside = 0
            var plain: [Substring] = []
            for part in parts {
                if part.hasSuffix(".lproj") {
                    language = part == "Base.lproj" ? " 0" : part == "en.lproj" ? " 1" : String(part)
                    isPacked = true
                    continue
                }
                plain.append(part)
                let isBundle = [".bundle", ".scnassets", ".resources"].contains { part.hasSuffix($0) }
                let isLayout = part == "Contents" || part == "Resources"
                if isBundle || (isLayout && isPacked && inside == plain.count - 1) {
                    isPacked = true
                    inside = plain.count
                }
            }
            var scale = 1
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            let (stem, ending) = (name[..<dot], name[dot...])
            for (mark, factor) in [("@2x", 2), ("@3x", 3)] where stem.hasSuffix(mark) {
                name = stem.dropLast(mark.count) + ending
                scale = factor
                isPacked = true
            }
            guard isPacked else { return nil }
            place = (plain + [name]).joined(separator: "/")
            self.inside = (plain.dropFirst(inside) + [name]).joined(separator: "/")
            rank = Rank(language: language, scale: scale)
        }
    }
}

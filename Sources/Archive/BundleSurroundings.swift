// Archives within archives: what lies in one has a path that goes through it, and what lies around one belongs to the
// bundle, too.

import Synchronization

extension Bundle {
    /// The bundle in which an archive lies, and where.
    public struct Surroundings: Sendable {
        public let bundle: Bundle
        /// The archive's path there.
        public let path: String
    }

    /// The file at a path: an entry, or else one of the bundle around this archive, by its path there.
    public func file(at path: String) -> Entry? {
        if let entry = entry(at: path) { return entry }
        guard let bundle = surroundings?.bundle, let outer = bundle.file(at: path) else { return nil }
        return Entry(path: path, Entry.Inner(bundle: bundle, entry: outer, archive: nil))
    }

    /// Opens the archives that an entry of this bundle lies in, one after the other.
    ///
    /// - Returns: The innermost, the entry there, and the archives' paths, each in the one before.
    public func innermost(
        of entry: Entry
    ) throws(ArchiveError) -> (bundle: Bundle, entry: Entry, archives: [String]) {
        var found = (bundle: self, entry: entry, archives: [String]())
        while case .inner(let inner) = found.entry.location, let archive = inner.archive {
            found.archives.append(archive.path)
            found.bundle = try found.bundle.open(nested: archive)
            guard let next = found.bundle.entry(at: inner.entry.path) else {
                throw .missing(entry: inner.entry.path, in: found.bundle.name)
            }
            found.entry = next
        }
        return found
    }

    /// A file in an archive that is an entry, by a path that goes through it.
    func entryWithin(_ path: String) -> Entry? {
        let slash = UInt8(ascii: "/")
        var start = path.utf8.startIndex
        while let end = path.utf8[start...].firstIndex(of: slash) {
            start = path.utf8.index(after: end)
            guard path.utf8[..<end].endsAsArchive, let archive = ownEntry(at: String(path[..<end])) else { continue }
            guard let bundle = archives.bundle(of: archive, in: self),
                let entry = bundle.entry(at: String(path[start...]))
            else { continue }
            return Entry(path: path, Entry.Inner(bundle: bundle, entry: entry, archive: archive))
        }
        return nil
    }
}

extension Bundle.Entry {
    /// An entry of another bundle. A class since a value cannot hold another of its own kind.
    final class Inner: Sendable, Hashable {
        let bundle: Bundle
        let entry: Bundle.Entry
        /// What was opened for it; `nil` for what lies around.
        let archive: Bundle.Entry?

        init(bundle: Bundle, entry: Bundle.Entry, archive: Bundle.Entry?) {
            self.bundle = bundle
            self.entry = entry
            self.archive = archive
        }

        static func == (one: Inner, other: Inner) -> Bool { one.bundle === other.bundle && one.entry == other.entry }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(bundle))
            hasher.combine(entry)
        }
    }

    /// Whether it lies in an archive within the bundle that gave it.
    public var isWithinArchive: Bool {
        switch location {
        case .inner(let inner): inner.archive != nil
        case .archived, .file, .whole: false
        }
    }
}

/// The archives within a bundle that paths led into, each opened once. A class since all who ask share them.
final class OpenedArchives: Sendable {
    private enum Opened {
        case bundle(Bundle)
        case unreadable
    }

    private let opened = Mutex<[String: Opened]>([:])

    /// Archives that are opened for one bundle.
    private static let most = 64

    /// `nil` where it cannot be read, or too many were opened.
    func bundle(of archive: Bundle.Entry, in outer: Bundle) -> Bundle? {
        let known = opened.withLock { ($0[archive.path], $0.count) }
        switch known {
        case (.bundle(let bundle), _): return bundle
        case (.unreadable, _): return nil
        case (nil, let count):
            guard count < Self.most else { return nil }
            // Without what is around it: each would hold the other.
            let bundle = try? outer.open(nested: archive, in: nil)
            opened.withLock { $0[archive.path] = bundle.map { .bundle($0) } ?? .unreadable }
            return bundle
        }
    }
}

extension Substring.UTF8View {
    /// Whether it is the path of a `.zip`, `.zae` or `.kmz`.
    fileprivate var endsAsArchive: Bool {
        let ending = suffix(4).map { $0 | 0x20 }
        return [".zip", ".zae", ".kmz"].contains { ending.elementsEqual($0.utf8) }
    }
}

// Archives within archives: what lies in one has a path that goes through it, and what lies around one belongs to the
// bundle, too.

import DaeCore
package import DaeDiagnostics
import Synchronization

extension Bundle {
    /// The bundle in which an archive lies, and where.
    package struct Surroundings: Sendable {
        package let bundle: Bundle
        /// The archive's path there.
        package let path: String
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
    package func innermost(
        of entry: Entry
    ) throws(CodedFailure) -> (bundle: Bundle, entry: Entry, archives: [String]) {
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
        for (outer, within) in Self.archives(in: path) {
            guard let archive = ownEntry(at: outer), let bundle = archives.bundle(of: archive, in: self),
                let entry = bundle.entry(at: within)
            else { continue }
            return Entry(path: path, Entry.Inner(bundle: bundle, entry: entry, archive: archive))
        }
        return nil
    }

    /// The archive at a path, opened; `nil` where none is there.
    package func archive(at path: String) -> Bundle? {
        ownEntry(at: path).flatMap { archives.bundle(of: $0, in: self) }
    }

    /// Whether a path leads into an archive that could not be opened.
    package func leadsIntoUnreadable(_ path: String) -> Bool {
        Self.archives(in: path).contains { outer, within in
            guard let archive = ownEntry(at: outer) else { return false }
            return archives.bundle(of: archive, in: self)?.leadsIntoUnreadable(within) ?? true
        }
    }

    /// Parts of a path that may be archives' names.
    private static let mostArchives = 16

    /// Where a path may lead into an archive by the archive's name: its path, and the one within it.
    package static func archives(in path: String) -> [(archive: String, within: String)] {
        let slash = UInt8(ascii: "/")
        var found: [(archive: String, within: String)] = []
        var start = path.utf8.startIndex
        while found.count < mostArchives, let end = path.utf8[start...].firstIndex(of: slash) {
            start = path.utf8.index(after: end)
            let outer = path.utf8[..<end]
            guard outer.suffix(4).first == UInt8(ascii: "."), Kind(ending: outer.suffix(3))?.isArchive == true
            else { continue }
            found.append((String(path[..<end]), String(path[start...])))
        }
        return found
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
    private let opened = Mutex<[Bundle.Entry: Result<Bundle, CodedFailure>]>([:])

    /// What was opened before.
    func known(_ archive: Bundle.Entry) -> Bundle? { opened.withLock { try? $0[archive]?.get() } }

    /// `nil` where it cannot be read, which is told.
    func bundle(of archive: Bundle.Entry, in outer: Bundle) -> Bundle? {
        if let known = opened.withLock({ $0[archive] }) { return try? known.get() }
        let result: Result<Bundle, CodedFailure>
        // Without what is around it: each would hold the other.
        do { result = .success(try outer.open(nested: archive, in: nil)) } catch { result = .failure(error) }
        let (kept, isNew) = opened.withLock { opened in
            if let other = opened[archive] { return (other, false) }
            opened[archive] = result
            return (result, true)
        }
        if isNew, case .failure(let error) = kept {
            outer.nesting.account.tell(error, at: outer.nesting.path + archive.path)
        }
        return try? kept.get()
    }
}

/// The folder in which a lone document lies, opened when the first file in it is asked for: most documents ask for none.
/// What a relative path leads to may be another folder by then, so that one is opened at once.
final class FolderBeside: Sendable {
    private enum State {
        case unopened
        /// `nil` where it cannot be opened.
        case opened(FolderTree?)
    }

    private let document: String
    private let state: Mutex<State>

    /// - Parameter document: Its path.
    init(_ document: String) {
        self.document = document
        let isAbsolute = document.utf8.first == UInt8(ascii: "/")
        state = Mutex(isAbsolute ? .unopened : .opened(Self.folder(of: document)))
    }

    var tree: FolderTree? {
        state.withLock { state in
            switch state {
            case .opened(let tree): return tree
            case .unopened:
                let tree = Self.folder(of: document)
                state = .opened(tree)
                return tree
            }
        }
    }

    private static func folder(of document: String) -> FolderTree? {
        try? FolderTree(path: FolderReading.folder(of: document))
    }
}

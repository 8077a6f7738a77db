package import DaeCore
package import DaeDiagnostics
import Synchronization

/// What parts the path of an archive's entry from a path within that entry.
private let nestingMark = "!/"

extension Bundle {
    /// Where an address within a bundle leads: `models/a.dae`, or `inner.zae!/a.dae` through archives in archives.
    package struct Destination: Sendable {
        /// The bundle itself, or the innermost archive that the address names.
        package let bundle: Bundle
        /// `nil` where the address ends with an archive's own mark, and for the empty address.
        package let entry: Entry?
    }

    /// Opens an archive or document that lies in this bundle.
    ///
    /// What is stored is read where it lies; all else is spooled, for its bytes have to be sought. What its entries
    /// declare counts, while it is open, against what the budget of the outermost bundle has left.
    package func open(nested entry: Entry) throws(CodedFailure) -> Bundle {
        try open(nested: entry, in: Surroundings(bundle: self, path: entry.path))
    }

    func open(nested entry: Entry, in surroundings: Surroundings?) throws(CodedFailure) -> Bundle {
        if case .inner(let inner) = entry.location { return try inner.bundle.open(nested: inner.entry) }
        if let known = archives.known(entry) { return Bundle(known, in: surroundings) }
        guard limits.nestingDepth > 0 else { throw .tooDeep(entry: entry.path) }
        let account = nesting.account
        guard let claim = account.claim() else { throw .tooManyArchives(limits.nestedArchives, entry: entry.path) }
        var inner = limits
        inner.nestingDepth -= 1
        let left = account.amount
        inner.inflatedBytes = inner.inflatedBytes.capped(at: left.bytes)
        inner.entryCount = min(inner.entryCount, left.entries)
        let password: String? =
            switch store {
            case .archive(let archive): archive.password
            case .document, .folder: nil
            }
        let opening = BundleOpening(
            source: try content(of: entry, for: claim), path: entry.path, limits: inner, password: password,
            in: surroundings,
            nesting: Nesting(account: account, path: nesting.path + entry.path + "/", claim: claim))
        let bundle = try opening.bundle { nil }
        guard claim.take(.init(bytes: bundle.declaredBytes, entries: bundle.entries.count)) else {
            throw .tooManyBytes(left.bytes, entry: entry.path)
        }
        return bundle
    }

    /// Takes no more memory than the archives within a bundle may together.
    private func content(of entry: Entry, for claim: NestingAccount.Claim) throws(CodedFailure) -> any ByteSource {
        if let open = try openContent(of: entry) { return open }
        let isKept =
            entry.size <= Int64(SpooledByteSource.defaultMemoryLimit) && claim.take(.init(memory: entry.size))
        return try spool(entry, memory: isKept ? SpooledByteSource.defaultMemoryLimit : 0)
    }

    /// What an address means that ends with the name of an archive, without a mark behind it.
    package enum Ending: Sendable {
        /// The archive's own bytes.
        case file
        /// What is in it.
        case content
    }

    /// Follows an address, byte by byte: a path that the bundle has wins over one that would open an archive.
    package func destination(of address: String, ending: Ending = .file) throws(CodedFailure) -> Destination {
        var bundle = self
        var rest = Substring(address)
        while !rest.isEmpty {
            if let entry = bundle.entry(at: String(rest)) {
                switch ending {
                case .content where bundle.holdsArchive(entry):
                    return Destination(bundle: try bundle.open(nested: entry), entry: nil)
                case .file, .content: return Destination(bundle: bundle, entry: entry)
                }
            }
            guard let (inner, within) = bundle.nested(in: rest) else {
                throw .missing(entry: String(rest), in: bundle.name)
            }
            bundle = try bundle.open(nested: inner)
            rest = within
        }
        return Destination(bundle: bundle, entry: nil)
    }

    /// Whether the entry is an archive by its first bytes; no where these cannot be read.
    package func holdsArchive(_ entry: Entry) -> Bool {
        guard entry.location != .whole, let start = try? prefix(of: entry, count: Content.probedBytes) else {
            return false
        }
        return switch Content(start: start) {
        case .archive: true
        // It may begin behind other bytes.
        case .unknown: entry.role == .archive
        case .empty, .document, .foreign: false
        }
    }

    /// The first entry that stands before a mark, and what stands behind the mark.
    private func nested(in address: Substring) -> (Entry, Substring)? {
        var start = address.startIndex
        while let mark = address[start...].firstRange(of: nestingMark) {
            if let entry = entry(at: String(address[..<mark.lowerBound])) {
                return (entry, address[mark.upperBound...])
            }
            start = mark.upperBound
        }
        return nil
    }

    /// The entry's bytes, to be read at any place.
    ///
    /// Stored entries and files lie open as they are, without a look at their CRC-32; others are spooled and checked.
    package func content(of entry: Entry) throws(CodedFailure) -> any ByteSource {
        if let open = try openContent(of: entry) { return open }
        return try spool(entry)
    }

    /// `nil` for what has to be spooled.
    private func openContent(of entry: Entry) throws(CodedFailure) -> (any ByteSource)? {
        switch (entry.location, store) {
        case (.archived(let place), .archive(let archive))
        where entry.method == .stored && !entry.isEncrypted && entry.size == entry.compressedSize:
            return SlicedByteSource(archive.bytes, from: try archive.dataStart(of: place), size: entry.size)
        case (.whole, .document(let source, _)): return source
        case (.file(let rawPath), .folder), (.file(let rawPath), .document):
            guard let tree = store.folder else { break }
            do { return try tree.file(at: rawPath ?? Array(entry.path.utf8)) } catch {
                throw .unreadable(error, entry: entry.path)
            }
        case (.inner(let inner), _): return try inner.bundle.content(of: inner.entry)
        case (.archived, _), (.whole, _), (.file, _): break
        }
        return nil
    }

    /// The whole entry inflated: up to so many bytes in memory, else in a file without a name.
    func spool(
        _ entry: Entry, memory: Int = SpooledByteSource.defaultMemoryLimit
    ) throws(CodedFailure) -> SpooledByteSource {
        let reader = try reader(for: entry)
        var failure: CodedFailure?
        do {
            return try SpooledByteSource(name: entry.path, limit: entry.size, memoryLimit: memory) {
                buffer throws(ByteSourceError) in
                do throws(CodedFailure) {
                    return try reader.read(into: buffer)
                } catch {
                    failure = error
                    throw ByteSourceError(operation: "read", subject: entry.path, reason: error.message)
                }
            }
        } catch { throw failure ?? .unreadable(error, entry: entry.path) }
    }
}

// Archives within archives: what lies in one has a path that goes through it, and what lies around one belongs to the
// bundle, too.

extension Bundle {
    /// The bundle in which an archive lies, and where.
    package struct Surroundings: Sendable {
        package let bundle: Bundle
        /// The archive's path there.
        package let path: String
    }

    /// The file at a path: an entry, or else one of the bundle around this archive, by its path there.
    package func file(at path: String) -> Entry? {
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
    package var isWithinArchive: Bool {
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

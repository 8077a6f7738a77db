package import DaeCore
public import DaeDiagnostics

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
    public func open(nested entry: Entry) throws(CodedFailure) -> Bundle {
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

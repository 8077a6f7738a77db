import DaeCore
package import DaeDiagnostics

extension Bundle {
    /// A new reader at the entry's first byte.
    package func reader(for entry: Entry) throws(CodedFailure) -> EntryReader {
        EntryReader(entry, try bytes(for: entry))
    }

    /// Why an entry cannot be read, whatever its bytes are: it is encrypted and there is no password, or packed in a way
    /// that nothing here unpacks; `nil` where reading can be tried.
    package func refusal(of entry: Entry) -> CodedFailure? {
        switch (entry.location, store) {
        case (.archived, .archive(let archive)):
            if !ZipHandle.decrypts(entry.encryption) { return .unknownEncryption(entry.path) }
            if entry.isEncrypted, archive.password == nil { return .encrypted(entry.path) }
            return ZipHandle.inflates(entry.method) ? nil : .unknownMethod(entry.path, entry.method)
        case (.inner(let inner), _): return inner.bundle.refusal(of: inner.entry)
        case (.archived, _), (.whole, _), (.file, _): return nil
        }
    }

    /// Whether there is a ``refusal(of:)`` of any of `entries`, before one of them is read.
    ///
    /// - Throws: The first, with the names of the others.
    package func check(readable entries: [Entry]) throws(CodedFailure) {
        let refusals = entries.lazy.compactMap(refusal)
        guard let first = refusals.first else { return }
        throw first.beside(refusals.dropFirst().compactMap(\.place.entry))
    }

    private func bytes(for entry: Entry) throws(CodedFailure) -> any EntryBytes {
        if let refusal = refusal(of: entry) { throw refusal }
        switch (entry.location, store) {
        case (.archived(let place), .archive(let archive)):
            #if canImport(CISAL)
                if let bytes = try InflatedBytes(entry, in: archive.bytes, at: archive.dataStart(of: place)) {
                    return bytes
                }
            #endif
            guard let zip = archive.zip else { throw .unknownMethod(entry.path, entry.method) }
            return try LibzipBytes(
                entry, in: zip, index: place.index, password: entry.isEncrypted ? archive.password : nil)
        case (.whole, .document(let source, _)):
            return PlainBytes(source, entry: entry.path)
        case (.file(let rawPath), .folder), (.file(let rawPath), .document):
            guard let tree = store.folder else { break }
            do {
                return PlainBytes(try tree.file(at: rawPath ?? Array(entry.path.utf8)), entry: entry.path)
            } catch { throw .unreadable(error, entry: entry.path) }
        case (.inner(let inner), _): return try inner.bundle.bytes(for: inner.entry)
        case (.archived, _), (.whole, _), (.file, _): break
        }
        throw .invalid("the entry belongs to another bundle", entry: entry.path)
    }

    /// Hands the entry's bytes to `body`, chunk by chunk, to the end.
    ///
    /// A large entry that is packed is unpacked on a thread of its own while `body` works on what came before.
    ///
    /// - Parameter body: Gets at least 1 and at most `chunkSize` bytes, valid during the call, on the caller's thread.
    /// - Throws: ``CodedFailure``, or what `body` throws.
    package func read(
        _ entry: Entry, chunkSize: Int = 65_536, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if unpacksAhead(entry), try read(ahead: .standard, entry, chunkSize: chunkSize, body) { return }
        let reader = try reader(for: entry)
        let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: max(1, chunkSize))
        defer { chunk.deallocate() }
        while case let count = try reader.read(into: chunk), count > 0 {
            try body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }

    /// Whether an entry is read on two threads.
    package func unpacksAhead(_ entry: Entry) -> Bool {
        entry.method != .stored && entry.size >= ReadAhead.leastBytes
    }

    /// How far unpacking may run ahead of what is done with the bytes.
    struct ReadAhead {
        var blockBytes: Int
        var blocks: Int

        static let standard = ReadAhead(blockBytes: 1 << 17, blocks: 4)
        /// Of an entry for which a thread pays.
        static let leastBytes: Int64 = 1 << 20
    }

    /// Whether there was a thread for it; if not, nothing was read.
    func read(
        ahead: ReadAhead, _ entry: Entry, chunkSize: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Bool {
        if let refusal = refusal(of: entry) { throw refusal }
        let ring = BlockRing(blockBytes: ahead.blockBytes, blocks: ahead.blocks)
        let read: Void? = try SideThread.run { [self] in
            ring.fill { () throws(CodedFailure) in try self.reader(for: entry) }
        } beside: {
            try ring.drain { block in
                for start in stride(from: 0, to: block.count, by: max(1, chunkSize)) {
                    let end = min(start + max(1, chunkSize), block.count)
                    try body(UnsafeRawBufferPointer(rebasing: block[start..<end]))
                }
            }
        }.map { _ in }
        return read != nil
    }

    /// The whole of a small entry, size and CRC checked.
    ///
    /// - Parameter limit: Bytes; an entry that declares more is an error.
    package func bytes(of entry: Entry, limit: Int) throws(CodedFailure) -> [UInt8] {
        guard entry.size <= Int64(limit) else { throw .aboveLimit(entry.path, size: entry.size, limit: limit) }
        return try bytes(of: entry, upTo: .max)
    }

    /// The first `count` bytes, fewer where the entry ends; size and CRC are checked only where it does.
    package func prefix(of entry: Entry, count: Int) throws(CodedFailure) -> [UInt8] {
        try bytes(of: entry, upTo: count)
    }

    /// Grows with what was really read, whatever size is declared.
    private func bytes(of entry: Entry, upTo limit: Int) throws(CodedFailure) -> [UInt8] {
        let reader = try reader(for: entry)
        let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: min(max(1, limit), 1 << 16))
        defer { chunk.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let wanted = min(chunk.count, limit - bytes.count)
            let count = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: chunk[..<wanted]))
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }
}

/// Reads one entry front to back. For one task at a time; several readers of one bundle may run at once.
///
/// A class because what it reads from has a place that moves.
package final class EntryReader {
    private enum State {
        case reading
        case finished
        case failed(CodedFailure)
    }

    package let entry: Bundle.Entry
    /// Bytes given out so far.
    package private(set) var position: Int64 = 0
    private let bytes: any EntryBytes
    private var state = State.reading

    init(_ entry: Bundle.Entry, _ bytes: any EntryBytes) {
        self.entry = entry
        self.bytes = bytes
    }

    /// Fills the front of `buffer` with the next bytes.
    ///
    /// - Returns: How many; 0 at the end, after size and CRC were found right, and for an empty buffer.
    /// - Throws: The same error again once one was thrown.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(CodedFailure) -> Int {
        guard !buffer.isEmpty else { return 0 }
        switch state {
        case .finished: return 0
        case .failed(let error): throw error
        case .reading: break
        }
        do throws(CodedFailure) {
            let rest = entry.size - position
            guard rest > 0 else {
                try finish()
                state = .finished
                return 0
            }
            let wanted = Int(min(Int64(buffer.count), rest))
            let count = try bytes.next(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            guard count > 0 else { throw .shorter(entry.path, declared: entry.size, real: position) }
            position += Int64(count)
            return count
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Goes on at a byte further on.
    ///
    /// - Returns: False, with nothing changed, where the entry is packed, so that all before that byte has to be read, and
    ///   where it has no such byte.
    package func skip(to offset: Int64) -> Bool {
        guard case .reading = state, offset >= position, offset <= entry.size, bytes.skip(to: offset) else {
            return false
        }
        position = offset
        return true
    }

    /// Reads one byte more than declared: there must be none, and the CRC is checked where the end is found.
    private func finish() throws(CodedFailure) {
        let extra = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { extra.deallocate() }
        let count = try bytes.next(into: extra)
        guard count == 0 else { throw .longer(entry.path, than: entry.size) }
    }
}

/// The inflated bytes of one entry, front to back, wherever they come from.
protocol EntryBytes: AnyObject {
    /// Fills the front of `buffer`, which is not empty; 0 at the end, where all that can be checked was found right.
    func next(into buffer: UnsafeMutableRawBufferPointer) throws(CodedFailure) -> Int
    /// Goes on at a byte further on; false, with nothing changed, where all before it would have to be read.
    func skip(to offset: Int64) -> Bool
}

extension EntryBytes {
    func skip(to offset: Int64) -> Bool { false }
}

/// A file that is not packed.
private final class PlainBytes: EntryBytes {
    private let source: any ByteSource
    private let entry: String
    private var position: Int64 = 0

    init(_ source: any ByteSource, entry: String) {
        self.source = source
        self.entry = entry
    }

    func skip(to offset: Int64) -> Bool {
        position = offset
        return true
    }

    func next(into buffer: UnsafeMutableRawBufferPointer) throws(CodedFailure) -> Int {
        do {
            let count = try source.read(at: position, into: buffer)
            position += Int64(count)
            return count
        } catch {
            throw .unreadable(error, entry: entry)
        }
    }
}

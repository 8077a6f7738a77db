/// A run of bytes of known size that can be read at any place: a file, memory, a spool, ranges of a web address.
///
/// Reading is safe from several threads at once.
package protocol ByteSource: Sendable {
    /// Bytes in all, at least 0.
    var size: Int64 { get }

    /// Copies bytes from `offset` (0...`size`) on into `buffer`.
    ///
    /// - Returns: How many were copied: at least 1 unless `offset` is at the end or `buffer` is empty, then 0.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int

    /// Says that these bytes, or a beginning of them, will be read from front to back. A source whose bytes come from
    /// far away fetches nothing behind them in advance; for others it means nothing.
    func willRead(_ range: Range<Int64>)

    /// How dear bytes are: what must not be read is better left where they come from far away.
    var distance: ByteDistance { get }
}

/// Where a source's bytes come from.
package enum ByteDistance: Sendable, Hashable {
    /// Memory or a file.
    case here
    /// The network: each place that is read costs a request.
    case far
}

extension ByteSource {
    package func willRead(_ range: Range<Int64>) {}

    package var distance: ByteDistance { .here }
}

extension ByteSource {
    /// Fills `buffer` from `offset` on, by as many reads as that takes.
    ///
    /// - Returns: How many bytes were copied: less than the buffer holds only where the source ends.
    package func readFully(
        at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ByteSourceError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(at: offset + Int64(filled), into: rest)
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// At most `count` bytes from `offset` on; fewer only where the source ends.
    package func bytes(at offset: Int64, count: Int) throws(ByteSourceError) -> [UInt8] {
        let available = max(0, min(Int64(count), size - max(0, offset)))
        // Room for none would be written to where all empty arrays lie.
        guard available > 0 else { return [] }
        var failure: ByteSourceError?
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(available)) { buffer, filled in
            do throws(ByteSourceError) {
                filled = try readFully(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// How many of `wanted` bytes lie in the source from `offset` on.
    func available(at offset: Int64, wanted: Int) -> Int {
        guard offset >= 0, offset < size else { return 0 }
        return Int(min(Int64(wanted), size - offset))
    }
}

/// Bytes held in memory.
package struct MemoryByteSource: ByteSource {
    package let contents: [UInt8]

    package init(_ contents: [UInt8]) {
        self.contents = contents
    }

    package var size: Int64 { Int64(contents.count) }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = available(at: offset, wanted: buffer.count)
        guard count > 0 else { return 0 }
        let start = Int(offset)
        contents.withUnsafeBytes { all in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<start + count]))
        }
        return count
    }
}

/// A window of another source, such as a stored entry of an archive.
package struct SlicedByteSource: ByteSource {
    private let base: any ByteSource
    private let start: Int64
    package let size: Int64

    /// The window of `size` bytes from `start` on; what lies outside `base` is cut off.
    package init(_ base: any ByteSource, from start: Int64, size: Int64) {
        self.base = base
        self.start = min(max(0, start), base.size)
        self.size = min(max(0, size), base.size - self.start)
    }

    package var distance: ByteDistance { base.distance }

    package func willRead(_ range: Range<Int64>) {
        let inside = range.clamped(to: 0..<size)
        base.willRead(start + inside.lowerBound..<start + inside.upperBound)
    }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let count = available(at: offset, wanted: buffer.count)
        guard count > 0 else { return 0 }
        return try base.read(at: start + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Room to read a source's bytes into, where it is large from the start of a page on; whoever asks for it deallocates
    /// it.
    ///
    /// Room of 128 KiB and more comes from the system, and 16 bytes behind a page's start is where it begins: to copy
    /// whole pages there takes AMD's processors five times as long as to anywhere else.
    package static func readBuffer(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        allocate(byteCount: byteCount, alignment: byteCount < 1 << 16 ? 16 : 4096)
    }
}

/// Why bytes could not be had.
package struct ByteSourceError: Error, Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        /// The thing to be read does not exist (as against being unreadable).
        case missing
        /// There are more bytes than the reader was allowed to take.
        case overLimit
        case failed
        /// The bytes lie on a server that did not give them.
        case remote(RemoteFailure)
    }

    /// What was tried, such as `open` or `read`.
    package let operation: String
    /// The name of the file or address, as it was given.
    package let subject: String
    /// The system's reason, such as "No such file or directory".
    package let reason: String
    package let cause: Cause

    package var isMissing: Bool { cause == .missing }

    package init(operation: String, subject: String, reason: String, cause: Cause) {
        self.operation = operation
        self.subject = subject
        self.reason = reason
        self.cause = cause
    }

    /// - Parameters:
    ///   - operation: What was tried, such as `read`.
    ///   - subject: The name of what was read.
    ///   - isMissing: Whether it does not exist, as against being unreadable.
    package init(operation: String, subject: String, reason: String, isMissing: Bool = false) {
        self.init(operation: operation, subject: subject, reason: reason, cause: isMissing ? .missing : .failed)
    }

    /// What the system said no with.
    package init(operation: String, _ error: SystemError) {
        let isMissing = error.code == ENOENT || error.code == ENOTDIR
        self.init(operation: operation, subject: error.subject, reason: error.reason, isMissing: isMissing)
    }
}

extension ByteSourceError: CustomStringConvertible {
    package var description: String { "\(subject): cannot \(operation): \(reason)" }
}

/// Why a server did not give bytes that were asked for, as far as a reader has to tell one reason from another.
package enum RemoteFailure: Sendable, Hashable {
    /// The file is another one than was opened.
    case changed
    /// It answered that it will not.
    case refused
    /// They ended too early, or are not those that were asked for.
    case wrongBytes
    /// They stopped coming, or no connection was made in time.
    case tooSlow
    case hostNotFound
    case noConnection
    case noEncryption
    /// The rules of whoever runs the program forbid the address.
    case forbidden
    case redirectedTooOften
    /// Somebody ended the reading.
    case cancelled
}

extension [UInt8] {
    /// The index at which `word` begins, the first at or behind `start`; `nil` where it does not, and for an empty word.
    package func firstIndex(of word: [UInt8], from start: Int) -> Int? {
        guard let byte = word.first else { return nil }
        var rest = self[Swift.min(start, count)...]
        while let found = rest.firstIndex(of: byte) {
            rest = self[found...]
            if rest.starts(with: word) { return found }
            rest = rest.dropFirst()
        }
        return nil
    }
}

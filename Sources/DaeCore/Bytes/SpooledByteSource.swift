/// What can be read only once (standard input, an inflating entry), drained so that it can be read at any place.
///
/// Up to `memoryLimit` bytes stay in memory; more go into one file without a name, gone with the process.
package struct SpooledByteSource: ByteSource {
    package static let defaultMemoryLimit = 8 << 20

    private enum Storage {
        case memory(MemoryByteSource)
        case file(FileByteSource)
    }

    private let storage: Storage

    /// Reads `descriptor` to its end; it stays open and the caller's.
    ///
    /// - Parameters:
    ///   - name: What errors call it.
    ///   - limit: Bytes; one more is an error with the cause `overLimit`.
    package init(
        draining descriptor: Int32, name: String, limit: Int64, memoryLimit: Int = defaultMemoryLimit
    ) throws(ByteSourceError) {
        let file = OpenFile(borrowing: descriptor, name: name)
        try self.init(name: name, limit: limit, memoryLimit: memoryLimit) { buffer throws(ByteSourceError) in
            do throws(SystemError) { return try file.read(into: buffer) } catch {
                throw ByteSourceError(operation: "read", error)
            }
        }
    }

    /// Calls `pull` until it gives 0.
    ///
    /// - Parameter pull: Fills the front of the buffer, gives the number of bytes it wrote there.
    package init(
        name: String, limit: Int64, memoryLimit: Int = defaultMemoryLimit,
        pull: (UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int
    ) throws(ByteSourceError) {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        var memory: [UInt8] = []
        var file: TemporaryFile?
        var total: Int64 = 0
        while true {
            let count = min(try pull(chunk), chunk.count)
            guard count > 0 else { break }
            total += Int64(count)
            guard total <= limit else {
                throw ByteSourceError(
                    operation: "read", subject: name, reason: "it has more than \(limit) bytes", cause: .overLimit)
            }
            let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
            if file == nil, memory.count + count > memoryLimit {
                let opened = try TemporaryFile()
                try memory.span.withUnsafeBytes { held throws(ByteSourceError) in try opened.append(held) }
                memory = []
                file = opened
            }
            if let file {
                try file.append(bytes)
            } else {
                memory.append(contentsOf: bytes)
            }
        }
        if let file {
            storage = .file(try file.source(name: name))
        } else {
            storage = .memory(MemoryByteSource(memory))
        }
    }

    /// Whether it lies in memory as a whole.
    package var isInMemory: Bool {
        switch storage {
        case .memory: true
        case .file: false
        }
    }

    package var size: Int64 {
        switch storage {
        case .memory(let memory): memory.size
        case .file(let file): file.size
        }
    }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        switch storage {
        case .memory(let memory): memory.read(at: offset, into: buffer)
        case .file(let file): try file.read(at: offset, into: buffer)
        }
    }
}

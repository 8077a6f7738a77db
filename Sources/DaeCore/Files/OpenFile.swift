import SystemPackage

/// What the system answered instead of doing what it was asked to.
package struct SystemError: Error, Sendable, Hashable {
    /// What it was asked about, mostly a file, as messages call it.
    package let subject: String
    /// As in `errno`.
    package let code: Int32

    /// - Parameter code: By default that of the last call.
    package init(_ subject: String, _ code: Int32 = errno) {
        self.subject = subject
        self.code = code
    }

    /// In the system's words, such as "No such file or directory".
    package var reason: String { Errno(rawValue: code).description }
}

extension SystemError: CustomStringConvertible {
    package var description: String { "\(subject): \(reason)" }
}

/// A file that is open, or a folder, pipe or device. It is closed with this value.
///
/// A call that a signal interrupted is made again. What somebody else made non-blocking is waited for. Reading and writing
/// at places is safe from several threads at once.
package struct OpenFile: ~Copyable, Sendable {
    /// What a file is opened for.
    package enum Mode: Sendable {
        /// To be read. Of a pipe the writer is not waited for.
        case reading
        /// To be written to as it is: a device or a pipe.
        case writing
        /// Nothing is there yet: an empty file is made, to be written and read.
        case creating
        /// To be written and read; one that is missing is made.
        case updating
    }

    private enum Ownership {
        case owned, borrowed
    }

    /// What errors call it.
    package let name: String
    private var file: FileDescriptor
    private var ownership: Ownership

    /// - Parameters:
    ///   - permissions: Of a file that is made, less what the process's mask forbids.
    ///   - name: What errors call it; by default its path.
    package init(
        _ path: String, _ mode: Mode, permissions: mode_t = 0o666, name: String? = nil
    ) throws(SystemError) {
        let flags =
            switch mode {
            case .reading: O_RDONLY | O_NONBLOCK | O_NOCTTY
            case .writing: O_WRONLY
            case .creating: O_RDWR | O_CREAT | O_EXCL
            case .updating: O_RDWR | O_CREAT
            }
        let name = name ?? path
        let descriptor = open(path, flags | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw SystemError(name) }
        self.init(adopting: descriptor, name: name)
    }

    /// A file without a name, to be written and read by this user alone: it is gone with the process, however that ends.
    package init(unnamedIn folder: String, name: String) throws(SystemError) {
        #if os(Linux)
            // O_TMPFILE, which Swift does not import; file systems without it answer with an error.
            let unnamed = O_DIRECTORY | 0o20_000_000
            let descriptor = open(folder, O_RDWR | O_CLOEXEC | O_EXCL | unnamed, 0o600)
            if descriptor >= 0 {
                self.init(adopting: descriptor, name: name)
                return
            }
        #endif
        let path = "\(folder)/.dae-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try self.init(path, .creating, permissions: 0o600, name: name)
        unlink(path)
    }

    /// Takes over a descriptor.
    package init(adopting descriptor: Int32, name: String) {
        self.init(descriptor, name, .owned)
    }

    /// Uses a descriptor that stays open, such as that of standard output.
    package init(borrowing descriptor: Int32, name: String) {
        self.init(descriptor, name, .borrowed)
    }

    private init(_ descriptor: Int32, _ name: String, _ ownership: Ownership) {
        self.name = name
        file = FileDescriptor(rawValue: descriptor)
        self.ownership = ownership
    }

    deinit {
        switch ownership {
        case .owned: _ = try? file.close()
        case .borrowed: break
        }
    }

    /// For calls that only C has; closed with this value.
    package var descriptor: Int32 { file.rawValue }

    /// The same open file once more: both share the place that is read or written next.
    package func copy(name: String) throws(SystemError) -> OpenFile {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError(name) }
        return OpenFile(adopting: copy, name: name)
    }

    /// Closes it. What a disk on the network did not take is said here at the latest.
    package consuming func close() throws(SystemError) {
        ownership = .borrowed
        let file = file
        try asked { try file.close() }
    }
}

// MARK: - Reading

extension OpenFile {
    /// Reads the next bytes, at most as many as the buffer holds, to its front.
    ///
    /// - Returns: How many they are; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let file = file
        return try asked(POLLIN) { try file.read(into: buffer) }
    }

    /// The same of the bytes from `offset` on.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        let file = file
        return try asked(POLLIN) { try file.read(fromAbsoluteOffset: offset, into: buffer) }
    }

    private func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
        var span = buffer.mutableSpan
        return try span.withUnsafeMutableBytes { bytes throws(SystemError) in try read(into: bytes) }
    }

    /// Hands over all bytes that follow, piece by piece.
    package func readPieces(
        size: Int = 1 << 16, _ take: (ArraySlice<UInt8>) throws(SystemError) -> Void
    ) throws(SystemError) {
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = try read(into: &buffer)
            guard count > 0 else { return }
            try take(buffer[..<count])
        }
    }

    /// The bytes that follow.
    ///
    /// - Returns: `nil` where they are more than `limit`.
    package func bytes(limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = try read(into: &buffer)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        return nil
    }
}

// MARK: - Writing

extension OpenFile {
    /// Writes all bytes where the last ones ended.
    package func write(_ bytes: RawSpan) throws(SystemError) {
        let file = file
        try whole(bytes) { rest, _ in try file.write(rest) }
    }

    package func write(_ bytes: [UInt8]) throws(SystemError) { try write(bytes.span.bytes) }

    package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) { try write(bytes.span.bytes) }

    /// Writes all bytes at a place, which may lie behind the end: what is between reads as zeros, and takes no space.
    package func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
        let file = file
        try whole(bytes) { rest, written in try file.write(toAbsoluteOffset: offset + Int64(written), rest) }
    }

    private func whole(
        _ bytes: RawSpan, _ write: (_ rest: UnsafeRawBufferPointer, _ written: Int) throws -> Int
    ) throws(SystemError) {
        try bytes.withUnsafeBytes { bytes throws(SystemError) in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = try asked(POLLOUT) { try write(rest, written) }
                // It gives no reason where it takes nothing.
                guard count > 0 else { throw SystemError(name, ENOSPC) }
                written += count
            }
        }
    }

    /// Cuts it, or fills it up with zeros.
    package func truncate(to size: Int64) throws(SystemError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemError(name) }
    }

    /// Makes its bytes, or a folder's names, last through a power cut.
    package func sync() throws(SystemError) {
        // EINVAL: what has nothing to be synced, as folders of some file systems.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemError(name) }
    }

    /// Sets who may do what, whatever the process's mask is.
    package func setPermissions(_ permissions: mode_t) throws(SystemError) {
        guard fchmod(descriptor, permissions) == 0 else { throw SystemError(name) }
    }
}

// MARK: - Asking

extension OpenFile {
    private func asked<Value>(_ call: () throws -> Value) throws(SystemError) -> Value {
        do { return try call() } catch { throw SystemError(name, (error as? Errno)?.rawValue ?? EIO) }
    }

    /// Where the descriptor does not block and is not ready, waits until it is.
    private func asked<Value>(_ event: Int32, _ call: () throws -> Value) throws(SystemError) -> Value {
        while true {
            do throws(SystemError) { return try asked(call) } catch {
                // Of one that blocks EAGAIN says that a time limit is over.
                guard error.code == EAGAIN, fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0 else { throw error }
                var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
                _ = poll(&ready, 1, -1)
            }
        }
    }
}

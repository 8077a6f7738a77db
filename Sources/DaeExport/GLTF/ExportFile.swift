import DaeCore
import DaeDiagnostics
import DaeMesh
import Glibc

/// A file that appears under its name when it is whole, or not at all.
///
/// A class because it owns what lies in the folder until then.
final class ExportFile {
    let path: String
    private let temporary: String
    private var state: State
    private var pending: [UInt8] = []

    private enum State {
        case open(descriptor: Int32)
        /// Under its name, or taken away.
        case ended
    }

    private static let blockSize = 1 << 18

    /// - Parameter path: Of the file to be; its folder must exist.
    init(_ path: String) throws(SceneExportError) {
        let file = try Self.made(path)
        self.path = path
        temporary = file.temporary
        state = .open(descriptor: file.descriptor)
    }

    /// A file that never gets a name: it is gone with the process, however that ends.
    init(unnamedBeside path: String) throws(SceneExportError) {
        let file = try Self.made(path)
        self.path = path
        temporary = file.temporary
        PartialFiles.remove(temporary)
        state = .open(descriptor: file.descriptor)
    }

    private static func made(_ path: String) throws(SceneExportError) -> (descriptor: Int32, temporary: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().map { $0 + "/" }.joined()
        let made = PartialFiles.create {
            var template = Array("\(folder).\(parts.last ?? "export").XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            return (template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }, descriptor)
        }
        guard made.descriptor >= 0 else { throw failure("cannot be created", path) }
        _ = fcntl(made.descriptor, F_SETFD, FD_CLOEXEC)
        return (made.descriptor, made.path)
    }

    deinit {
        switch state {
        case .open(let descriptor):
            close(descriptor)
            PartialFiles.remove(temporary)
        case .ended: break
        }
    }

    func write<Value: BitwiseCopyable>(_ values: [Value]) throws(SceneExportError) {
        let size = values.count * MemoryLayout<Value>.stride
        if pending.count + size <= Self.blockSize {
            values.withUnsafeBytes { pending.append(contentsOf: $0) }
            return
        }
        try flush()
        let code = values.withUnsafeBytes { send($0) }
        guard code == 0 else { throw Self.failure("cannot be written", path, code) }
    }

    /// What was written at some place.
    func bytes(_ range: Range<Int>) throws(SceneExportError) -> [UInt8] {
        try flush()
        guard case .open(let descriptor) = state else { return [] }
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(range.lowerBound + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot be read back", path) }
            done += count
        }
        return bytes
    }

    /// Appends all that another one holds.
    func write(contentsOf other: ExportFile) throws(SceneExportError) {
        try flush()
        try other.flush()
        guard case .open(let source) = other.state else { return }
        var offset: off_t = 0
        // Within the system where it can be had, else by way of memory.
        if case .open(let target) = state {
            while true {
                let count = sendfile(target, source, &offset, 1 << 30)
                if count == 0 { return }
                if count < 0, errno != EINTR { break }
            }
        }
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        while true {
            let count = pread(source, &block, block.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("cannot be read back", path) }
            if count == 0 { return }
            offset += off_t(count)
            let code = block.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            guard code == 0 else { throw Self.failure("cannot be written", path, code) }
        }
    }

    /// Gives files their names, all or none; what had a name before is replaced.
    static func commit(_ files: [ExportFile]) throws(SceneExportError) {
        // As other programs make files, not for the owner alone.
        let mask = umask(0)
        umask(mask)
        for file in files {
            try file.flush()
            if case .open(let descriptor) = file.state { fchmod(descriptor, 0o666 & ~mask) }
        }
        if let (failed, code) = PartialFiles.place(files.map { ($0.temporary, $0.path) }) {
            throw failure("cannot be put into place", files[failed].path, code)
        }
        for file in files {
            if case .open(let descriptor) = file.state { close(descriptor) }
            file.state = .ended
        }
    }

    private func flush() throws(SceneExportError) {
        guard !pending.isEmpty else { return }
        let code = pending.withUnsafeBytes { send($0) }
        pending.removeAll(keepingCapacity: true)
        guard code == 0 else { throw Self.failure("cannot be written", path, code) }
    }

    /// - Returns: 0, or the system's number of what went wrong.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard case .open(let descriptor) = state else { return EBADF }
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }

    private static func failure(_ what: String, _ path: String, _ code: Int32 = errno) -> SceneExportError {
        SceneExportError(.ioError, "\(path) \(what): \(String(cString: strerror(code)))")
    }
}

import DaeCore
import DaeDiagnostics
import DaeMesh

/// Where an export goes.
package enum ExportTarget {
    /// A file, and beside it whatever else the format has.
    case file(String)
    /// Whoever takes bytes, piece after piece, once the whole is there; of formats that are one file.
    case sink(([UInt8]) throws -> Void)

    /// Of the file to be; without one, where temporary files are.
    var path: String {
        switch self {
        case .file(let path): path
        case .sink: TemporaryFile.folder + "/model"
        }
    }
}

/// A file that an export writes: it appears under its name when it is whole, or not at all.
///
/// A class because it owns what lies in the folder until then.
final class ExportFile {
    let path: String
    private let file: OpenFile
    /// `nil` for one that never gets a name.
    private let named: AtomicFile?
    private var pending: [UInt8] = []

    private static let blockSize = 1 << 18

    /// - Parameter path: Of the file to be; its folder must exist.
    init(_ path: String) throws(SceneExportError) {
        let named: AtomicFile
        do throws(SystemError) { named = try AtomicFile(path) } catch { throw Self.failure("cannot be created", error) }
        self.path = path
        self.named = named
        file = OpenFile(borrowing: named.file.descriptor, name: path)
    }

    /// What becomes of it is said by ``deliver(to:)``.
    convenience init(for target: ExportTarget) throws(SceneExportError) {
        switch target {
        case .file(let path): try self.init(path)
        case .sink: try self.init(unnamedBeside: target.path)
        }
    }

    /// A file that never gets a name: it is gone with the process, however that ends.
    init(unnamedBeside path: String) throws(SceneExportError) {
        self.path = path
        named = nil
        do throws(SystemError) {
            file = try OpenFile(unnamedIn: FolderReading.folder(of: path), name: path)
        } catch { throw Self.failure("cannot be created", error) }
    }

    func write<Value: BitwiseCopyable>(_ values: [Value]) throws(SceneExportError) {
        let size = values.count * MemoryLayout<Value>.stride
        if pending.count + size <= Self.blockSize {
            values.withUnsafeBytes { pending.append(contentsOf: $0) }
            return
        }
        try flush()
        try send(values.span.bytes)
    }

    /// What was written at some place.
    func bytes(_ range: Range<Int>) throws(SceneExportError) -> [UInt8] {
        try flush()
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = try read(into: &bytes, from: done, at: Int64(range.lowerBound + done))
            guard count > 0 else { throw Self.failure("cannot be read back", SystemError(path, EIO)) }
            done += count
        }
        return bytes
    }

    /// Appends all that another one holds.
    func write(contentsOf other: ExportFile) throws(SceneExportError) {
        try flush()
        try other.flush()
        var offset: off_t = 0
        #if os(Linux)
            // Within the system where it can be had, else by way of memory.
            while true {
                let count = sendfile(file.descriptor, other.file.descriptor, &offset, 1 << 30)
                if count == 0 { return }
                if count < 0, errno != EINTR { break }
            }
        #endif
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        while case let count = try other.read(into: &block, at: Int64(offset)), count > 0 {
            offset += off_t(count)
            try send(block.span.bytes.extracting(0..<count))
        }
    }

    /// Gives files their names, all or none; what had a name before is replaced.
    static func commit(_ files: [ExportFile]) throws(SceneExportError) {
        for file in files { try file.flush() }
        do throws(SystemError) { try AtomicFile.place(files.compactMap(\.named), .none) } catch {
            throw failure("cannot be put into place", error)
        }
    }

    /// Gives a file its name, or its bytes to whoever takes them.
    func deliver(to target: ExportTarget) throws(SceneExportError) {
        switch target {
        case .file: try Self.commit([self])
        case .sink(let sink):
            try flush()
            var block = [UInt8](repeating: 0, count: Self.blockSize)
            var offset: Int64 = 0
            while case let count = try read(into: &block, at: offset), count > 0 {
                do { try sink(count == block.count ? block : Array(block[..<count])) } catch {
                    throw SceneExportError(.ioError, "the model was not taken: \(error)")
                }
                offset += Int64(count)
            }
        }
    }

    private func flush() throws(SceneExportError) {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try send(pending.span.bytes)
    }

    private func send(_ bytes: RawSpan) throws(SceneExportError) {
        do throws(SystemError) { try file.write(bytes) } catch { throw Self.failure("cannot be written", error) }
    }

    /// Reads bytes from `offset` on into the buffer behind its first `start` bytes; gives how many, 0 at the end.
    private func read(
        into buffer: inout [UInt8], from start: Int = 0, at offset: Int64
    ) throws(SceneExportError) -> Int {
        var span = buffer.mutableSpan
        do throws(SystemError) {
            return try span.withUnsafeMutableBytes { bytes throws(SystemError) in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), at: offset)
            }
        } catch { throw Self.failure("cannot be read back", error) }
    }

    private static func failure(_ what: String, _ error: SystemError) -> SceneExportError {
        SceneExportError(.ioError, "\(error.subject) \(what): \(error.reason)")
    }
}

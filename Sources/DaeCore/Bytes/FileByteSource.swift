/// A regular file, read by `pread`, so that no reader disturbs another.
///
/// A class because it owns a file descriptor. The size is the one at opening: what is appended later is not seen.
package final class FileByteSource: ByteSource {
    private let file: OpenFile
    package let size: Int64

    /// What a path leads to.
    package enum Found {
        case file(FileByteSource)
        case folder
    }

    /// Opens the file at `path`; a link is followed, anything but a regular file is refused.
    package convenience init(path: String) throws(ByteSourceError) {
        try self.init(Self.opened(path))
    }

    /// Of an open file; anything but a regular one is refused.
    package convenience init(_ file: consuming OpenFile) throws(ByteSourceError) {
        let metadata = try Self.metadata(of: file)
        try self.init(file, metadata)
    }

    private init(_ file: consuming OpenFile, _ metadata: FileMetadata) throws(ByteSourceError) {
        let kind: String? =
            switch metadata.kind {
            case .file: nil
            case .folder: "a folder"
            case .pipe: "a pipe"
            case .socket: "a socket"
            case .device: "a device"
            case .link, .other: "a special file"
            }
        if let kind {
            throw ByteSourceError(
                operation: "open", subject: file.name, reason: "it is \(kind), where a regular file was expected")
        }
        self.file = file
        self.size = metadata.size
    }

    /// Opens the file at `path` unless that is a folder; a link is followed, anything else is refused.
    // The system is asked once what it is: for a small file each question is a good part of all that reading takes.
    package static func find(path: String) throws(ByteSourceError) -> Found {
        let file = try opened(path)
        let metadata = try metadata(of: file)
        if metadata.kind == .folder { return .folder }
        return .file(try FileByteSource(file, metadata))
    }

    private static func opened(_ path: String) throws(ByteSourceError) -> OpenFile {
        guard !path.utf8.contains(0) else {
            throw ByteSourceError(operation: "open", subject: path, reason: "the path holds a NUL", isMissing: true)
        }
        do throws(SystemError) { return try OpenFile(path, .reading) } catch {
            throw ByteSourceError(operation: "open", error)
        }
    }

    private static func metadata(of file: borrowing OpenFile) throws(ByteSourceError) -> FileMetadata {
        guard let metadata = FileMetadata(file.descriptor) else {
            throw ByteSourceError(operation: "open", SystemError(file.name))
        }
        return metadata
    }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let wanted = available(at: offset, wanted: buffer.count)
        guard wanted > 0 else { return 0 }
        let count: Int
        do throws(SystemError) {
            count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        } catch { throw ByteSourceError(operation: "read", error) }
        guard count > 0 else {
            throw ByteSourceError(
                operation: "read", subject: file.name, reason: "it ended at byte \(offset) of \(size) while being read")
        }
        return count
    }
}

import Daedalus
import Glibc

/// Files that appear whole or not at all, also after the machine stopped.
enum WholeFile {
    /// - Parameter place: Where it lies until it is whole, on the same disk.
    static func write(_ bytes: [UInt8], to path: String, by place: String) throws(StorageError) {
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        do throws(StorageError) {
            try write(bytes[...], to: descriptor, path)
        } catch {
            close(descriptor)
            unlink(place)
            throw error
        }
        try publish(place, descriptor, as: path)
    }

    /// The same of a text that is made piece by piece; it ends with a line end.
    ///
    /// - Parameters:
    ///   - limit: Bytes that it may have; of a longer one nothing appears.
    ///   - make: Hands them on for as long as more are wanted.
    static func write(
        to path: String, by place: String, limit: Int, _ make: (_ take: ([UInt8]) -> Bool) -> Void
    ) throws {
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        do {
            var (count, fault): (Int, StorageError?) = (0, nil)
            func take(_ piece: [UInt8]) -> Bool {
                count += piece.count
                guard count <= limit, fault == nil else { return false }
                do throws(StorageError) { try write(piece[...], to: descriptor, path) } catch { fault = error }
                return fault == nil
            }
            make(take)
            _ = take([UInt8(ascii: "\n")])
            if let fault { throw fault }
            guard count <= limit else { throw TextTooLong(limit: limit) }
        } catch {
            close(descriptor)
            unlink(place)
            throw error
        }
        try publish(place, descriptor, as: path)
    }

    /// Gives a file that was written its name; the descriptor is closed, and on an error the file is gone.
    static func publish(_ place: String, _ descriptor: Int32, as path: String) throws(StorageError) {
        let isSynced = fsync(descriptor) == 0
        let code = errno
        guard close(descriptor) == 0, isSynced, rename(place, path) == 0 else {
            let code = isSynced ? errno : code
            unlink(place)
            throw StorageError(path, code)
        }
        try Durable.sync(folderOf: path)
    }

    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String) throws(StorageError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StorageError(path, errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// A result would have more bytes than may be written of its source.
struct TextTooLong: CodedError {
    let limit: Int

    var code: FindingCode { .outputTooLarge }
    var place: Place { Place() }
    var message: String { "the result would have more than \(limit) bytes, which is what may be written" }
}

/// What has to be on the disk before a row of the database names it.
enum Durable {
    /// Writes a file's bytes, or a folder's names, to the disk.
    static func sync(_ path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        defer { close(descriptor) }
        // A file system that knows no such thing for folders says so.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw StorageError(path, errno) }
    }

    /// Writes an open file's bytes to the disk, which may take long, on a thread of its own.
    static func sync(_ descriptor: Int32, _ path: String) async throws(StorageError) {
        try await Thread.run { () throws(StorageError) in
            guard fsync(descriptor) == 0 else { throw StorageError(path, errno) }
        }
    }

    static func sync(folderOf path: String) throws(StorageError) {
        try sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
    }
}

/// Reading of files that are longer than what should be in memory at once.
enum FilePieces {
    /// Hands over all of a file's bytes, piece by piece, in their order.
    static func read(
        _ path: String, size: Int = 1 << 16, _ take: (ArraySlice<UInt8>) throws(StorageError) -> Void
    ) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StorageError(path, errno) }
            if count == 0 { return }
            try take(buffer[..<count])
        }
    }
}

enum FileCopy {
    /// Copies bytes to a file that is not there yet; on an error nothing of it stays.
    static func copy(_ path: String, to target: String) throws(StorageError) {
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(target, errno) }
        defer { close(descriptor) }
        do throws(StorageError) {
            try FilePieces.read(path) { piece throws(StorageError) in
                try WholeFile.write(piece, to: descriptor, target)
            }
        } catch {
            unlink(target)
            throw error
        }
    }
}

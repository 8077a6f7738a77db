import Daedalus
import Glibc

/// Files that appear whole or not at all.
enum WholeFile {
    static func write(_ bytes: [UInt8], to path: String) throws(StorageError) {
        let place = path + "." + AssetID.random().text
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        do throws(StorageError) {
            try write(bytes[...], to: descriptor, path)
        } catch {
            close(descriptor)
            unlink(place)
            throw error
        }
        guard close(descriptor) == 0, rename(place, path) == 0 else {
            let code = errno
            unlink(place)
            throw StorageError(path, code)
        }
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

enum FileCopy {
    /// Copies bytes to a file that is not there yet; on an error nothing of it stays.
    static func copy(_ path: String, to target: String) throws(StorageError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw StorageError(path, errno) }
        defer { close(source) }
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(target, errno) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        do throws(StorageError) {
            while true {
                let count = read(source, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw StorageError(path, errno) }
                if count == 0 { return }
                try WholeFile.write(buffer[..<count], to: descriptor, target)
            }
        } catch {
            unlink(target)
            throw error
        }
    }
}

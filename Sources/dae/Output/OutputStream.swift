import ArgumentParser
import Daedalus
import Glibc

/// Where the result goes: standard output, a device or pipe, or a file that appears whole or not at all.
struct OutputStream: ~Copyable {
    private let descriptor: Int32
    private let target: Target

    private enum Target {
        case standardOutput
        /// What is no regular file is written to as it is, never replaced.
        case device(String)
        /// Written beside its path, then put in its place.
        case file(path: String, partial: String)

        var name: String {
            switch self {
            case .standardOutput: "standard output"
            case .device(let path), .file(let path, _): path
            }
        }
    }

    /// - Parameter path: `nil` or `-` for standard output.
    init(path: String?) throws(DaeExit) {
        // Both at once: a half-made value that cannot be copied was torn down wrongly by the optimizer.
        let opened = try Self.open(path)
        descriptor = opened.descriptor
        target = opened.target
    }

    private static func open(_ path: String?) throws(DaeExit) -> (descriptor: Int32, target: Target) {
        guard let path, path != "-" else { return (STDOUT_FILENO, .standardOutput) }
        let descriptor: Int32
        let target: Target
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT != S_IFREG {
            descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
            target = .device(path)
        } else {
            let place = Self.target(of: path)
            let partial = place + ".partial-\(getpid())"
            descriptor =
                PartialFiles.create {
                    (partial, Glibc.open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
                }.descriptor
            if exists && descriptor >= 0 { fchmod(descriptor, status.st_mode & 0o777) }
            target = .file(path: place, partial: partial)
        }
        if descriptor < 0 {
            complain("\(path): cannot be written: \(String(cString: strerror(errno)))")
            throw .cannotWrite
        }
        return (descriptor, target)
    }

    /// What is written for a path: a link stays one, and what it leads to is replaced.
    static func target(of path: String) -> String { resolved(path) }

    /// Says what keeps a file from being written, before anything else is.
    static func check(_ path: String) throws(DaeExit) {
        switch ControlFile.kind(path) {
        case nil, S_IFREG, S_IFDIR: _ = try OutputStream(path: path)
        // Who reads a pipe takes it for ended when it was opened and closed.
        default: return
        }
    }

    /// A file's path without links and detours, whether or not it is there.
    static func place(of path: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map { String($0) } ?? path
        let folder = String(path.dropLast(name.count))
        let place = resolved(path)
        return place == path ? resolved(folder.isEmpty ? "." : folder) + "/" + name : place
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    deinit {
        switch target {
        case .standardOutput: break
        case .device: close(descriptor)
        case .file(_, let partial):
            close(descriptor)
            // Still there only when `finish` was not reached.
            PartialFiles.remove(partial)
        }
    }

    func write(_ bytes: [UInt8]) throws(DaeExit) {
        var at = 0
        while at < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + at }, bytes.count - at)
            }
            if written >= 0 {
                at += written
            } else if errno == EAGAIN {
                // Somebody set it non-blocking: wait until it takes more.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                if errno == EPIPE { throw .closedPipe }
                complain("\(target.name): cannot be written: \(String(cString: strerror(errno)))")
                throw .cannotWrite
            }
        }
    }

    /// Puts a file in its place.
    consuming func finish() throws(DaeExit) {
        switch target {
        case .standardOutput, .device: return
        case .file(let path, let partial):
            guard fsync(descriptor) == 0, rename(partial, path) == 0 else {
                complain("\(path): cannot be written: \(String(cString: strerror(errno)))")
                throw .cannotWrite
            }
        }
    }
}

/// Says something on standard error.
func complain(_ text: String) {
    writeToStandardError("dae: \(text.withoutControls)\n")
}

/// What cannot be said there cannot be said anywhere, so failures are not looked at.
func writeToStandardError(_ text: String) {
    let bytes = Array(text.utf8)
    var at = 0
    while at < bytes.count {
        let written = bytes.withUnsafeBytes {
            Glibc.write(STDERR_FILENO, $0.baseAddress.map { $0 + at }, bytes.count - at)
        }
        guard written > 0 || errno == EINTR else { return }
        at += max(0, written)
    }
}

/// Keeps a result from being written over what it is made of.
enum OutputGuard {
    /// - Parameters:
    ///   - output: `nil` or `-` for standard output.
    ///   - sources: As they were given.
    ///   - files: Others that are read, by their paths.
    static func check(_ output: String?, option: String = "--output", sources: [String], files: [String] = []) throws {
        guard let output, output != "-", let target = FileIdentity(output) else { return }
        let inputs = sources.lazy.compactMap { source -> (String, FileIdentity?)? in
            switch AssetSource(source, exists: { ControlFile.kind($0) != nil }).location {
            case .path(let path): (source, FileIdentity(path))
            case .standardInput: (source, FileIdentity(STDIN_FILENO))
            case .url: nil
            }
        }
        for (name, identity) in inputs where identity == target {
            throw ValidationError(refusal(option, output, "the source \(AssetSource.display(name))"))
        }
        for file in files where FileIdentity(file) == target {
            throw ValidationError(refusal(option, output, file))
        }
    }

    private static func refusal(_ option: String, _ output: String, _ input: String) -> String {
        "\(option) is \(output), which is \(input); name another file.".withoutControls
    }
}

/// A regular file, whatever its path is.
private struct FileIdentity: Equatable {
    private let device: dev_t
    let number: ino_t

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}

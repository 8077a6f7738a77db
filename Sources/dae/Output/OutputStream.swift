import Glibc

/// Where the result goes: standard output, or a file that appears whole or not at all.
struct OutputStream: ~Copyable {
    private let descriptor: Int32
    private let file: Staged?

    private struct Staged {
        let path: String
        let partial: String
    }

    /// - Parameter path: `nil` or `-` for standard output.
    init(path: String?) throws(DaeExit) {
        guard let path, path != "-" else {
            descriptor = STDOUT_FILENO
            file = nil
            return
        }
        let partial = path + ".partial-\(getpid())"
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        file = Staged(path: path, partial: partial)
        if descriptor < 0 {
            complain("\(path): cannot be written: \(String(cString: strerror(errno)))")
            throw .cannotWrite
        }
    }

    deinit {
        // Still there only when `finish` was not reached.
        if let file {
            close(descriptor)
            unlink(file.partial)
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
            } else if errno != EINTR {
                if errno == EPIPE { throw .closedPipe }
                complain("\(file?.path ?? "standard output"): cannot be written: \(String(cString: strerror(errno)))")
                throw .cannotWrite
            }
        }
    }

    /// Puts a file in its place.
    consuming func finish() throws(DaeExit) {
        guard let file else { return }
        guard fsync(descriptor) == 0, rename(file.partial, file.path) == 0 else {
            complain("\(file.path): cannot be written: \(String(cString: strerror(errno)))")
            throw .cannotWrite
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

extension String {
    /// Without control characters, so that no name in a file can steer a terminal.
    var withoutControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    /// Control characters and those that turn the direction of text.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x2028, 0x2029: true
        default: false  // integers
        }
    }
}

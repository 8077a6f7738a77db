import ArgumentParser
import DaeCore
import Daedalus

/// Where the result goes: standard output, a device or pipe, or a file that appears whole or not at all.
struct OutputStream: ~Copyable {
    private let target: Target

    private enum Target: ~Copyable {
        /// What is no regular file is written to as it is, never replaced.
        case stream(OpenFile)
        case file(AtomicFile)
    }

    /// - Parameter path: `nil` or `-` for standard output.
    init(path: String?) throws(DaeExit) {
        do throws(SystemError) { target = try Self.open(path) } catch {
            // As a person wrote it, and not what a link leads to.
            throw Self.refusal(SystemError(path ?? error.subject, error.code))
        }
    }

    private static func open(_ path: String?) throws(SystemError) -> Target {
        guard let path, path != "-" else {
            return .stream(OpenFile(borrowing: STDOUT_FILENO, name: "standard output"))
        }
        let present = FileMetadata(following: path)
        if let present, present.kind != .file { return .stream(try OpenFile(path, .writing)) }
        let file = try AtomicFile(target(of: path))
        if let present { try? file.file.setPermissions(present.permissions) }
        return .file(file)
    }

    private static func refusal(_ error: SystemError) -> DaeExit {
        if error.code == EPIPE { return .closedPipe }
        complain("\(error.subject): cannot be written: \(error.reason)")
        return .cannotWrite
    }

    /// What is written for a path: a link stays one, and what it leads to is replaced.
    static func target(of path: String) -> String { (try? RealPath.of(path)) ?? path }

    /// Says what keeps a file from being written, before anything else is.
    static func check(_ path: String) throws(DaeExit) {
        switch ControlFile.kind(path) {
        case nil, .file, .folder: _ = try OutputStream(path: path)
        // Who reads a pipe takes it for ended when it was opened and closed.
        case .link, .pipe, .socket, .device, .other: return
        }
    }

    /// A file's path without links and detours, whether or not it is there.
    static func place(of path: String) -> String {
        if let real = try? RealPath.of(path) { return real }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map { String($0) } ?? path
        let folder = FolderReading.folder(of: path)
        return target(of: folder) + "/" + name
    }

    func write(_ bytes: [UInt8]) throws(DaeExit) {
        do throws(SystemError) {
            switch target {
            case .stream(let file): try file.write(bytes)
            case .file(let file): try file.file.write(bytes)
            }
        } catch { throw Self.refusal(error) }
    }

    /// Puts a file in its place.
    consuming func finish() throws(DaeExit) {
        switch target {
        case .stream: return
        case .file(let file): do throws(SystemError) { try file.place(.bytes) } catch { throw Self.refusal(error) }
        }
    }
}

/// Says something on standard error.
func complain(_ text: String) {
    writeToStandardError("dae: \(text.withoutControls)\n")
}

/// What cannot be said there cannot be said anywhere, so failures are not looked at.
func writeToStandardError(_ text: String) {
    try? OpenFile(borrowing: STDERR_FILENO, name: "standard error").write(Array(text.utf8))
}

/// Keeps a result from being written over what it is made of.
enum OutputGuard {
    /// - Parameters:
    ///   - output: `nil` or `-` for standard output.
    ///   - sources: As they were given.
    ///   - files: Others that are read, by their paths.
    static func check(_ output: String?, option: String = "--output", sources: [String], files: [String] = []) throws {
        guard let output, output != "-", let target = Self.identity(FileMetadata(following: output)) else { return }
        let inputs = sources.lazy.compactMap { source -> (String, FileMetadata.Identity?)? in
            switch SourceAddress(source, exists: { ControlFile.kind($0) != nil }).location {
            case .path(let path): (source, Self.identity(FileMetadata(following: path)))
            case .standardInput: (source, Self.identity(FileMetadata(STDIN_FILENO)))
            case .url: nil
            }
        }
        for (name, identity) in inputs where identity == target {
            throw ValidationError(refusal(option, output, "the source \(SourceAddress.display(name))"))
        }
        for file in files where Self.identity(FileMetadata(following: file)) == target {
            throw ValidationError(refusal(option, output, file))
        }
    }

    /// Of a regular file, whatever its path is.
    private static func identity(_ metadata: FileMetadata?) -> FileMetadata.Identity? {
        metadata?.kind == .file ? metadata?.identity : nil
    }

    private static func refusal(_ option: String, _ output: String, _ input: String) -> String {
        "\(option) is \(output), which is \(input); name another file.".withoutControls
    }
}

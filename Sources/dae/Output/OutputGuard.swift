import ArgumentParser
import Daedalus
import Glibc

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
    let device: dev_t
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

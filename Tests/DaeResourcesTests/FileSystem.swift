import Glibc
import Testing

/// What `TemporaryFolder` does not make.
enum FileSystem {
    static func link(_ path: String, to target: String) throws { try #require(symlink(target, path) == 0) }
    static func pipe(_ path: String) throws { try #require(mkfifo(path, 0o600) == 0) }
    static func folder(_ path: String) throws { try #require(mkdir(path, 0o700) == 0) }
}

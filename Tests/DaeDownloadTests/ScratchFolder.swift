import FoundationEssentials
import Glibc
import TestSupport

/// A new empty folder, in memory where the system has such a place, for tests that make thousands of files. Removed with
/// all it holds when the value goes.
final class ScratchFolder: Sendable {
    let path: String
    private let folder: TemporaryFolder?

    init() throws {
        let memory = "/dev/shm"
        if access(memory, W_OK) == 0 {
            folder = nil
            path = "\(memory)/daedalus-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } else {
            let made = try TemporaryFolder()
            folder = made
            path = made.path
        }
    }

    deinit { if folder == nil { try? FileManager.default.removeItem(atPath: path) } }
}

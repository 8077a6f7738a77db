import Glibc
import Synchronization

@testable import DaeDownload

/// A disk that takes no more from some write on.
final class FullDisk: Sendable {
    /// Writes and syncs that still succeed.
    private let left: Mutex<Int>

    init(after count: Int) { left = Mutex(count) }

    func free() { left.withLock { $0 = .max } }

    var files: FileSystem {
        var calls = FileSystem.Calls.kernel
        calls.write = { descriptor, bytes in
            guard self.hasRoom() else {
                // A part fits often.
                if bytes.count > 1 { return Glibc.write(descriptor, bytes.baseAddress, 1) }
                errno = ENOSPC
                return -1
            }
            return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
        calls.sync = { _ in
            guard !self.hasRoom() else { return 0 }
            errno = ENOSPC
            return -1
        }
        return FileSystem(calls: calls)
    }

    private func hasRoom() -> Bool {
        left.withLock { left in
            if left > 0, left < .max { left -= 1 }
            return left > 0
        }
    }
}

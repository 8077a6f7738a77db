// Between finding a blob and marking it as used, another process could remove it as the one unused for longest. So
// finding and marking is done under a shared lock of one file, looking again and removing under its exclusive one. Both
// last for a few system calls, never for a transfer.

import Glibc

extension DownloadCache {
    /// Runs what finds or makes things visible; nothing is removed from `blobs` and `refs` meanwhile.
    func whileUsing<Value>(_ body: () throws(DownloadFailure) -> Value) throws(DownloadFailure) -> Value {
        try withGate(LOCK_SH, body)
    }

    /// Runs what removes; nobody is about to use what it finds.
    func whileRemoving<Value>(_ body: () throws(DownloadFailure) -> Value) throws(DownloadFailure) -> Value {
        try withGate(LOCK_EX, body)
    }

    private func withGate<Value>(
        _ kind: Int32, _ body: () throws(DownloadFailure) -> Value
    ) throws(DownloadFailure) -> Value {
        // Without the file there is no cache yet, or one that nobody can remove from.
        let file = (try? files.openForWriting(gatePath)) ?? (try? files.openForReading(gatePath))
        if let file { while flock(file.descriptor, kind) != 0, errno == EINTR {} }
        defer { withExtendedLifetime(file) {} }
        return try body()
    }
}

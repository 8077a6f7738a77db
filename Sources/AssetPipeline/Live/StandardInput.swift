import ByteSource
import Glibc

/// Standard input, drained in a way that can be stopped while nothing comes.
enum StandardInput {
    /// How often it is asked whether to stop, in milliseconds.
    private static let patience: Int32 = 50

    /// - Parameter progress: Called with the bytes read so far.
    static func spool(
        limit: Int64, progress: (Int64) -> Void, isCancelled: () -> Bool
    ) throws -> SpooledByteSource {
        var total: Int64 = 0
        do {
            return try SpooledByteSource(name: "standard input", limit: limit) { buffer throws(ByteSourceError) in
                let count = try read(into: buffer, isCancelled)
                total += Int64(count)
                progress(total)
                return count
            }
        } catch {
            if isCancelled() { throw CancellationError() }
            throw error
        }
    }

    private static func read(
        into buffer: UnsafeMutableRawBufferPointer, _ isCancelled: () -> Bool
    ) throws(ByteSourceError) -> Int {
        while true {
            var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, patience)
            if isCancelled() {
                throw ByteSourceError(operation: "read", subject: "standard input", reason: "stopped on request")
            }
            guard events != 0 else { continue }
            let count = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else {
                throw ByteSourceError(operation: "read", subject: "standard input", errno: errno)
            }
        }
    }
}

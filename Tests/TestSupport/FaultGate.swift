// Sockets rather than a lock, so that a server's thread can wait for the gate and for its client's end at once.

import Glibc
import Synchronization

/// Holds a server's answer until a test lets it go on. A class because it owns the sockets.
public final class FaultGate: Sendable {
    private let permits: Int32
    /// `nil` once the gate is open: an end of file lets everyone pass.
    private let permitting: Mutex<Int32?>
    private let arrivals: (reading: Int32, writing: Int32)

    public init() {
        let first = Self.pipe()
        permits = first.reading
        permitting = Mutex(first.writing)
        // Two may see the same permit; who comes late waits on.
        _ = fcntl(permits, F_SETFL, O_NONBLOCK)
        arrivals = Self.pipe()
    }

    deinit {
        open()
        close(permits)
        close(arrivals.reading)
        close(arrivals.writing)
    }

    /// Lets so many pass that wait or will come.
    public func letPass(_ count: Int = 1) {
        permitting.withLock { writing in
            guard let writing else { return }
            for _ in 0..<count { _ = write(writing, "x", 1) }
        }
    }

    /// Lets everyone pass from now on.
    public func open() {
        permitting.withLock { writing in
            if let descriptor = writing { close(descriptor) }
            writing = nil
        }
    }

    /// Blocks until an answer has come to the gate; each arrival is told once.
    public func waitForArrival() {
        var byte: UInt8 = 0
        while read(arrivals.reading, &byte, 1) < 0, errno == EINTR {}
    }

    /// Stands still before the gate. Whether it opened; `false` when the connection ended first.
    func pass(_ connection: Int32) -> Bool {
        _ = write(arrivals.writing, "x", 1)
        var watched = connection
        while true {
            var both = [
                pollfd(fd: permits, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watched, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&both, 2, -1) < 0 { if errno == EINTR { continue } else { return false } }
            var byte: UInt8 = 0
            if both[1].revents != 0 {
                let peeked = recv(connection, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
                if peeked <= 0 { return false }
                watched = -1  // a request that came early hides the end
            }
            if both[0].revents != 0, read(permits, &byte, 1) >= 0 { return true }
        }
    }

    private static func pipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let status = socketpair(AF_UNIX, kind, 0, &ends)
        precondition(status == 0, "no pipe for a test")
        return (ends[0], ends[1])
    }
}

import Glibc

/// A bare connection to a server on 127.0.0.1 or at a socket of this machine, to see what it really sends. A class because
/// it owns the socket.
public final class LoopbackClient: Sendable {
    /// How the server ended the connection.
    public enum End: Sendable, Equatable {
        case closed
        case reset
        /// Nothing came for twenty seconds.
        case silent
    }

    public struct Answer: Sendable {
        public let bytes: [UInt8]
        public let end: End

        public var text: String { String(decoding: bytes, as: UTF8.self) }
        /// What follows the first empty line.
        public var body: [UInt8] { LoopbackClient.parts(of: bytes).body }
        public var head: String { LoopbackClient.parts(of: bytes).head }
    }

    private let descriptor: Int32

    public init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Listener.Failure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = port.bigEndian
        let descriptor = descriptor
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Listener.Failure(call: "connect", code: errno) }
        bound()
    }

    /// - Parameter path: Of the socket's file.
    public init(socket path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Listener.Failure(call: "socket", code: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let descriptor = descriptor
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Listener.Failure(call: "connect", code: errno) }
        bound()
    }

    /// So long it waits for a server that says nothing.
    private func bound() {
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends bytes and reads until the server ends the connection.
    @discardableResult
    public func exchange(_ text: String) -> Answer {
        send(text)
        return rest()
    }

    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Whether the server's side still took all of it.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool { LoopbackConnection(descriptor: descriptor).send(bytes) }

    /// Exactly so many bytes, fewer where the server ends the connection before.
    public func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, case .bytes(let more) = receive(atMost: count - bytes.count) { bytes += more }
        return bytes
    }

    /// One answer by its `Content-Length`; the connection stays.
    public func readAnswer() -> Answer {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), case .bytes(let byte) = receive(atMost: 1) {
            head += byte
        }
        let lines = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        return Answer(bytes: head + read(length), end: .closed)
    }

    /// All bytes until the server ends the connection.
    public func rest(atMost limit: Int = .max) -> Answer {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            switch receive(atMost: 1 << 16) {
            case .bytes(let more): bytes += more
            case .end(let end): return Answer(bytes: bytes, end: end)
            }
        }
        return Answer(bytes: bytes, end: .closed)
    }

    private enum Received {
        case bytes([UInt8])
        case end(End)
    }

    private func receive(atMost limit: Int) -> Received {
        var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end(.closed) }
            if errno != EINTR { return .end(errno == ECONNRESET ? .reset : .silent) }
        }
    }

    private static func parts(of bytes: [UInt8]) -> (head: String, body: [UInt8]) {
        let mark = Array("\r\n\r\n".utf8)
        let places = bytes.indices.dropLast(3)
        guard let end = places.first(where: { bytes[$0..<$0 + 4].elementsEqual(mark) }) else {
            return (String(decoding: bytes, as: UTF8.self), [])
        }
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 4)...]))
    }
}

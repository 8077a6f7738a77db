// Routes write raw bytes, so that a server can be told to break any rule of HTTP.

import Glibc
import Synchronization

/// A real HTTP server on 127.0.0.1, a thread a connection, one request a connection. Ends by itself, with all its
/// connections, when the value goes.
public final class LoopbackServer: Sendable {
    /// Answers one request; the connection is closed when it returns.
    public typealias Route = @Sendable (LoopbackRequest, LoopbackConnection) -> Void

    public let port: UInt16
    private let core: Core

    /// `route` gets every request.
    public init(_ route: @escaping Route) throws {
        Self.keepProxiesOut
        let listener = try Listener()
        port = listener.port
        core = Core(listener: listener.descriptor, route: route)
        core.start()
    }

    /// Routes by the target without its query; any other target is answered 404.
    public convenience init(_ routes: [String: Route]) throws {
        try self.init { request, connection in
            let path = String(request.target.prefix { $0 != "?" })
            guard let route = routes[path] else { return connection.respond("404 Not Found") }
            route(request, connection)
        }
    }

    deinit { core.stop() }

    /// All requests so far, in the order they came.
    public var requests: [LoopbackRequest] { core.requests }

    public func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// A proxy named by the environment would be asked for loopback addresses too.
    static let keepProxiesOut: Void = {
        setenv("no_proxy", "*", 1)
        setenv("NO_PROXY", "*", 1)
    }()
}

extension LoopbackServer {
    /// What the threads share; outlives the server's value until the last of them is done.
    private final class Core: Sendable {
        private struct State {
            var isStopped = false
            var connections: Set<Int32> = []
            var requests: [LoopbackRequest] = []
        }

        private let listener: Int32
        private let route: Route
        private let state = Mutex(State())

        init(listener: Int32, route: @escaping Route) {
            self.listener = listener
            self.route = route
        }

        var requests: [LoopbackRequest] { state.withLock { $0.requests } }

        func start() {
            BackgroundThread.start { [self] in
                while let descriptor = accepted() {
                    BackgroundThread.start { [self] in serve(descriptor) }
                }
                close(listener)
            }
        }

        /// Wakes every thread: their calls fail from now on.
        func stop() {
            state.withLock { state in
                state.isStopped = true
                shutdown(listener, Int32(SHUT_RDWR))
                for descriptor in state.connections { shutdown(descriptor, Int32(SHUT_RDWR)) }
            }
        }

        private func accepted() -> Int32? {
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
                guard descriptor >= 0 else { return nil }
                let isWelcome = state.withLock { state in
                    if !state.isStopped { state.connections.insert(descriptor) }
                    return !state.isStopped
                }
                if isWelcome { return descriptor }
                close(descriptor)
            }
        }

        private func serve(_ descriptor: Int32) {
            let connection = LoopbackConnection(descriptor: descriptor)
            if let request = connection.readRequest() {
                state.withLock { $0.requests.append(request) }
                route(request, connection)
            }
            // Taken out first, so that `stop` never touches a number that was given away again.
            state.withLock { _ = $0.connections.remove(descriptor) }
            close(descriptor)
        }
    }
}

/// A socket that listens on 127.0.0.1 at a port the system picks.
public struct Listener: Sendable {
    public struct Failure: Error {
        public let call: String
        public let code: Int32
    }

    public let descriptor: Int32
    public let port: UInt16

    /// Whether nobody has a port now.
    static func isFree(_ port: UInt16) -> Bool {
        guard let listener = try? Listener(at: port) else { return false }
        close(listener.descriptor)
        return true
    }

    /// The descriptor is the caller's to close. One that does not accept holds its port, where connections are refused.
    ///
    /// - Parameter wanted: A port of one's own choice; 0 for any.
    public init(accepts: Bool = true, at wanted: UInt16 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = wanted.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && (!accepts || listen(descriptor, 64) == 0)
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard status else {
            let failure = Failure(call: "bind", code: errno)
            close(descriptor)
            throw failure
        }
        port = UInt16(bigEndian: address.sin_port)
    }
}

// LoopbackServer leaves each answer to its test; this one knows HTTP, and a test says only what goes wrong.

import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 that keeps connections, serves resources by ranges and conditions, and breaks those
/// answers it was told to break. A thread a connection. Ends by itself, with all its connections, when the value goes.
///
/// A client that begins TLS has its first record read and is then sent away, so an `https` address of this server is
/// one where the handshake breaks.
public final class FaultServer: Sendable {
    public let port: UInt16
    private let core: FaultServerCore

    /// - Parameter handshake: How a client that begins TLS is sent away.
    public init(_ resources: [String: FaultResource] = [:], handshake: FaultEnd = .close) throws {
        LoopbackServer.keepProxiesOut
        let listener = try Listener()
        port = listener.port
        core = FaultServerCore(listener, resources, handshake: handshake)
        core.start()
    }

    deinit { core.stop() }

    /// Puts a resource at a path, in place of one that was there.
    public func serve(_ resource: FaultResource, at path: String) {
        core.state.withLock { $0.resources[path] = resource }
    }

    /// What goes wrong with the next requests to a path, one fault a request; then `after` with every later one.
    public func play(_ faults: [Fault], then after: Fault = .none, at path: String) {
        core.state.withLock { $0.scripts[path] = FaultServerCore.Script(faults: faults[...], after: after) }
    }

    /// Makes one path another name of a second: the same resource, and one script for both.
    public func alias(_ path: String, of other: String) {
        core.state.withLock { $0.aliases[path] = other }
    }

    /// All requests so far, in the order they came.
    public var requests: [FaultRequest] { core.state.withLock(\.requests) }

    /// All bytes of all answers so far, heads included.
    public var bytesOnTheWire: Int { requests.reduce(0) { $0 + $1.bytesSent } }

    /// Connections accepted so far.
    public var connections: Int { core.state.withLock(\.connections) }

    /// Connections that began with TLS.
    public var handshakes: Int { core.state.withLock(\.handshakes) }

    public func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }
}

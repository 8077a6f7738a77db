import Glibc
import Synchronization

/// What a server's threads share; outlives the server's value until the last of them is done.
final class FaultServerCore: Sendable {
    struct Script {
        var faults: ArraySlice<Fault>
        var after: Fault
    }

    struct State {
        var resources: [String: FaultResource]
        var scripts: [String: Script] = [:]
        var aliases: [String: String] = [:]
        var requests: [FaultRequest] = []
        var connections = 0
        var handshakes = 0
        /// `nil` once the server has ended.
        var open: Set<Int32>? = []
    }

    let state: Mutex<State>
    let port: UInt16
    private let listener: Int32
    private let handshake: FaultEnd

    init(_ listener: Listener, _ resources: [String: FaultResource], handshake: FaultEnd) {
        self.listener = listener.descriptor
        port = listener.port
        self.handshake = handshake
        state = Mutex(State(resources: resources))
    }

    func start() {
        BackgroundThread.start { [self] in
            while let (descriptor, number) = accepted() {
                BackgroundThread.start { [self] in serve(descriptor, number) }
            }
            close(listener)
        }
    }

    /// Wakes every thread: their calls fail from now on.
    func stop() {
        state.withLock { state in
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.open ?? [] { shutdown(descriptor, Int32(SHUT_RDWR)) }
            state.open = nil
        }
    }

    private func accepted() -> (descriptor: Int32, number: Int)? {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            // Small pieces shall be seen when they were sent.
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            let number = state.withLock { state -> Int? in
                guard state.open?.insert(descriptor) != nil else { return nil }
                state.connections += 1
                return state.connections
            }
            if let number { return (descriptor, number) }
            close(descriptor)
        }
    }

    private func serve(_ descriptor: Int32, _ number: Int) {
        let connection = LoopbackConnection(descriptor: descriptor)
        var end = FaultEnd.close
        if connection.beginsWithHandshake() {
            connection.readHandshake()
            state.withLock { $0.handshakes += 1 }
            end = handshake
        } else {
            end = answerAll(connection, number)
        }
        switch end {
        case .close: shutdown(descriptor, Int32(SHUT_WR))  // a child process may hold the socket too
        case .reset:
            connection.waitUntilTaken()
            connection.resetAtEnd()
        }
        // Taken out first, so that `stop` never touches a number that was given away again.
        state.withLock { _ = $0.open?.remove(descriptor) }
        close(descriptor)
    }

    private func answerAll(_ connection: LoopbackConnection, _ number: Int) -> FaultEnd {
        var count = 0
        while let request = connection.readRequest() {
            count += 1
            let (index, fault, resource) = begin(request, number, count)
            let exchange = FaultExchange(
                request: request, resource: resource, port: port,
                wire: FaultWire(connection: connection, core: self, index: index))
            switch exchange.play(fault) {
            case .keepOpen: continue
            case .end(let end): return end
            }
        }
        return .close
    }

    /// Writes the request into the log and takes what is due to it from the script.
    private func begin(
        _ request: LoopbackRequest, _ connection: Int, _ count: Int
    ) -> (index: Int, fault: Fault, resource: FaultResource?) {
        state.withLock { state in
            let entry = FaultRequest(
                method: request.method, target: request.target, headers: request.headers, connection: connection,
                requestOfConnection: count)
            state.requests.append(entry)
            let path = state.aliases[entry.path] ?? entry.path
            let script = state.scripts[path]
            let fault = script.map { $0.faults.first ?? $0.after } ?? .none
            state.scripts[path]?.faults = script?.faults.dropFirst() ?? []
            if let resource = fault.newResource { state.resources[path] = resource }
            return (state.requests.count - 1, fault, state.resources[path])
        }
    }
}

extension Fault {
    /// What lies at the address from this request on.
    fileprivate var newResource: FaultResource? {
        if case .replaced(let resource) = self { return resource }
        if case .replacedUnnoticed(let resource) = self { return resource }
        return nil
    }
}

/// One answer's way to the client; every byte is counted before it goes, so that none that a client has is uncounted.
struct FaultWire: Sendable {
    let connection: LoopbackConnection
    let core: FaultServerCore
    let index: Int

    /// Whether all bytes could be handed to the system; `false` once the client has gone.
    @discardableResult
    func send(head: String) -> Bool { send(Array(head.utf8), ofBody: 0) }

    @discardableResult
    func send(body: some Collection<UInt8>) -> Bool {
        var rest = Array(body)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 << 16))
            guard send(piece, ofBody: piece.count) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    @discardableResult
    func send(chunk bytes: some Collection<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        return send(head: String(bytes.count, radix: 16) + "\r\n") && send(body: bytes) && send(head: "\r\n")
    }

    private func send(_ bytes: [UInt8], ofBody count: Int) -> Bool {
        core.state.withLock { state in
            state.requests[index].bytesSent += bytes.count
            state.requests[index].bodyBytesSent += count
        }
        return connection.send(bytes)
    }
}

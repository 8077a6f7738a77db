// Hummingbird listens at addresses and paths that it opens itself. A socket that is there already, or whose file has to
// appear with its permissions, is served here by the same parts.

import DaeCore
import Daedalus
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Serves at a socket of this machine, or at one that whoever started the service opened.
struct SocketServer<Responder: HTTPResponder>: Service where Responder.Context == ServiceContext {
    enum Place: Sendable {
        case path(String)
        case inherited(InheritedSocket)
    }

    let responder: Responder
    let place: Place
    let limits: ClientLimits
    let log: Logger

    func run() async throws {
        switch place {
        case .inherited(let socket):
            try await serve(socket.descriptor, ["host": "\(socket.host)", "port": .stringConvertible(socket.port)])
        case .path(let path):
            let descriptor = try UnixSocket.listener(at: path)
            let file = FileMetadata(path)?.identity
            defer { UnixSocket.remove(path, file) }
            try await serve(descriptor, ["host": "unix:\(path)"])
        }
    }

    private func serve(_ descriptor: Int32, _ metadata: Logger.Metadata) async throws {
        let http = HTTP1Channel(
            responder: { request, writer, channel in
                let response = await answer(request, channel)
                try await writer.write(response: response.head, body: response.body)
            }, configuration: limits.channel)
        let group = MultiThreadedEventLoopGroup.singleton
        let (quiescing, limit) = (ServerQuiescingHelper(group: group), limits.connections)
        let server = try await ServerBootstrap(group: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        AvailableConnectionsChannelHandler(
                            delegate: MaximumAvailableConnections(limit, logger: log)))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .bind(descriptor) { http.setup(channel: $0, logger: log) }
        log.info("listening", metadata: metadata)
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { tasks in
                try await server.executeThenClose { inbound in
                    for try await connection in inbound {
                        tasks.addTask { await http.handle(value: connection, logger: log) }
                    }
                }
            }
        } onGracefulShutdown: {
            quiescing.initiateShutdown(promise: nil)
        }
    }

    private func answer(_ request: Request, _ channel: any Channel) async -> Response {
        let context = ServiceContext(source: .init(channel: channel, logger: log))
        var response: Response
        // Whatever goes wrong became an answer before it comes here.
        do { response = try await responder.respond(to: request, context: context) } catch {
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = HTTPTime.text(AssetOperations.Instant.systemTime())
        response.headers[.server] = "daed"
        return response
    }
}

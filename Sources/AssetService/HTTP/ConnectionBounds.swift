// A client that sends nothing, too slowly or too much, or that does not take its answer, holds a connection and what is
// made ready for it: each of these ends here, and no other client notices.

import Hummingbird
import NIOCore
import NIOHTTPTypes

/// What one client may take of the service.
struct ClientLimits: Sendable {
    /// Open at once, of all clients; more of them wait to be accepted.
    var connections = 1000
    /// Seconds that a connection may stand still: without a request, within one, or with an answer that is not taken.
    var seconds = 60

    /// Bytes a second of a request's body, as a mean over ``seconds``.
    static let slowestRate = 100
    /// Bytes of a body that are read after its answer, so that the client comes to read that.
    static let drained = 1 << 20
    /// Seconds that a client has to take an answer that came before its request had ended.
    static let linger = 2
}

/// Ends connections that stand still or go on sending what was refused. A class because a channel calls it back; used on
/// its channel's event loop alone.
final class ConnectionBounds: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Body {
        case none
        /// With the bytes of the present span of time.
        case arriving(since: NIODeadline, bytes: Int)
        /// It was answered before it had ended; with the bytes since then.
        case answered(drained: Int)
    }

    private let patience: TimeAmount
    /// Of the last request that began.
    private var body = Body.none
    /// Requests that began, and answers that ended: a client may send the next request before it has an answer.
    private var (requests, answers) = (0, 0)
    /// Parts of answers that the system has not taken yet.
    private var waiting = 0
    private var lastTaken = NIODeadline.now()
    private var watch: RepeatedTask?

    init(_ limits: ClientLimits) { patience = .seconds(Int64(limits.seconds)) }

    // MARK: - The connection

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pause = TimeAmount.nanoseconds(patience.nanoseconds / 2)
        watch = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            let (handler, context) = bound.value
            handler.look(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        watch?.cancel()
        watch = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch?.cancel()
        watch = nil
        context.fireChannelInactive()
    }

    private func look(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if waiting > 0, now - lastTaken >= patience { return context.close(promise: nil) }
        guard case .arriving(let since, let bytes) = body else { return }
        guard now - since >= patience else { return }
        let seconds = (now - since).nanoseconds / 1_000_000_000
        if Int64(bytes) < seconds * Int64(ClientLimits.slowestRate) { return context.close(promise: nil) }
        body = .arriving(since: now, bytes: 0)
    }

    // MARK: - What the client sends

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            requests += 1
            body = .arriving(since: .now(), bytes: 0)
            if answers + 1 == requests, head.headerFields[.expect]?.lowercased() == "100-continue" {
                // Past `write`, which counts answers: this is none yet.
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body(let buffer):
            switch body {
            case .none: break
            case .arriving(let since, let bytes): body = .arriving(since: since, bytes: bytes + buffer.readableBytes)
            case .answered(let drained): body = .answered(drained: drained + buffer.readableBytes)
            }
        case .end: body = .none
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        // To close now would reset the connection, and with it the answer that is on its way. A client whose bytes are
        // not taken comes to read it.
        if case .answered(let drained) = body, drained > ClientLimits.drained { return }
        context.read()
    }

    // MARK: - What it is answered

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        switch (part, body) {
        case (.head(var head), .arriving) where answers + 1 == requests && head.status.code >= 400:
            // The rest of the request will not be read.
            head.headerFields[.connection] = "close"
            part = .head(head)
        case (.end, .arriving) where answers + 1 == requests:
            answers += 1
            body = .answered(drained: 0)
            closeSoon(context)
        case (.end, _): answers += 1
        case (.head, _), (.body, _): break
        }
        let written = promise ?? context.eventLoop.makePromise()
        if waiting == 0 { lastTaken = .now() }
        waiting += 1
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            bound.value.waiting -= 1
            bound.value.lastTaken = .now()
        }
        context.write(wrapOutboundOut(part), promise: written)
    }

    private func closeSoon(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .seconds(Int64(ClientLimits.linger))) {
            let (handler, context) = bound.value
            if case .answered = handler.body { context.close(promise: nil) }
        }
    }
}

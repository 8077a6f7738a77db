// A client that sends nothing, too slowly or too much, or that does not take its answer, holds a connection and what is
// made ready for it: each of these ends here, and no other client notices.

import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// What one client may take of the service.
struct ClientLimits: Sendable {
    /// Open at once, of all clients; more of them wait to be accepted.
    var connections = 1000
    /// Requests open at once, of one client; 0 for any number.
    var requests = 200
    /// Streams of events open at once, of one client; 0 for any number.
    var streams = 100
    /// Seconds that a connection may stand still: without a request, within one, or with an answer that is not taken.
    var seconds = 60

    /// How connections are set up.
    var channel: HTTP1Channel.Configuration {
        let limits = self
        return .init(
            additionalChannelHandlers: [ConnectionBounds(limits)], idleTimeout: .seconds(Int64(seconds)))
    }

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

    /// The request may go on: whoever sent it waits to be told so (`Expect: 100-continue`).
    struct Welcome: Sendable {}

    private enum Body {
        case none
        /// Its sender waits to be told to send it.
        case announced(since: NIODeadline)
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
    /// What becomes of the connection behind the answer that is being written.
    private var ending = Ending.stays

    private enum Ending {
        case stays, closes
    }

    init(_ limits: ClientLimits) { patience = .seconds(Int64(limits.seconds)) }

    // MARK: - The connection

    func handlerAdded(context: ChannelHandlerContext) {
        do { try OldRequests.add(to: context.pipeline.syncOperations) } catch { context.fireErrorCaught(error) }
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
        let (since, bytes): (NIODeadline, Int)
        switch body {
        case .arriving(let start, let count): (since, bytes) = (start, count)
        case .announced(let start): (since, bytes) = (start, 0)
        case .none, .answered: return
        }
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
            let isAnnounced = head.headerFields[.expect]?.lowercased() == "100-continue"
            body = isAnnounced ? .announced(since: .now()) : .arriving(since: .now(), bytes: 0)
        case .body(let buffer):
            switch body {
            case .none: break
            case .announced: body = .arriving(since: .now(), bytes: buffer.readableBytes)
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
        let written = promise ?? context.eventLoop.makePromise()
        switch part {
        case .head(var head):
            // The rest of the request will not be read.
            if isAhead, head.status.code >= 400 { head.headerFields[.connection] = "close" }
            ending = head.headerFields[.connection] == "close" ? .closes : .stays
            part = .head(head)
        case .body: break
        case .end:
            switch (isAhead, ending) {
            case (true, _):
                body = .answered(drained: 0)
                closeSoon(context)
            case (false, .closes):
                let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
            case (false, .stays): break
            }
            answers += 1
        }
        if waiting == 0 { lastTaken = .now() }
        waiting += 1
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            bound.value.waiting -= 1
            bound.value.lastTaken = .now()
        }
        context.write(wrapOutboundOut(part), promise: written)
    }

    /// Whether the last request is answered before it has ended.
    private var isAhead: Bool {
        switch body {
        case .announced, .arriving: answers + 1 == requests
        case .none, .answered: false
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Welcome else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard case .announced(let since) = body, isAhead else { return }
        body = .arriving(since: since, bytes: 0)
        // Past `write`, which counts answers: this is none yet.
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }

    private func closeSoon(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .seconds(Int64(ClientLimits.linger))) {
            let (handler, context) = bound.value
            if case .answered = handler.body { context.close(promise: nil) }
        }
    }
}

// The conversion to HTTP's common types drops a request's version and the host of its target: both count before it.

/// Answers HTTP/1.0 in its own way, and takes the host of an absolute target for the one that is meant (RFC 9112, 3.2.2).
/// A class because a channel calls it back; used on its channel's event loop alone.
private final class OldRequests: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Of the last request; one before HTTP/1.1 is the last of its connection.
    private var age = Age.present

    private enum Age {
        case old, present
    }

    /// Puts one right before the conversion.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let conversion = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(OldRequests(), position: .before(conversion))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            age = head.version == .http1_1 ? .present : .old
            if age == .old { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            Self.direct(&head)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body, .end: context.fireChannelRead(data)
        }
    }

    /// A target that names its host stands above the header, of which there still has to be just one.
    private static func direct(_ head: inout HTTPRequestHead) {
        guard let scheme = ["http://", "https://"].first(where: { head.uri.lowercased().hasPrefix($0) }),
            head.headers["Host"].count == 1
        else { return }
        let target = head.uri.dropFirst(scheme.utf8.count)
        let host = target.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = target.dropFirst(host.count)
        head.headers.replaceOrAdd(name: "Host", value: String(host))
        head.uri = path.hasPrefix("/") ? String(path) : "/" + path
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where age == .old && head.status != .continue:
            // Whose answer has no pieces: it ends where the connection does.
            head.version = .http1_0
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body, .end: context.write(data, promise: promise)
        }
    }
}

// The conversion to HTTP's common types drops a request's version and the host of its target: both count before it.

import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Answers HTTP/1.0 in its own way, and takes the host of an absolute target for the one that is meant (RFC 9112, 3.2.2).
/// A class because a channel calls it back; used on its channel's event loop alone.
final class OldRequests: ChannelDuplexHandler, RemovableChannelHandler {
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

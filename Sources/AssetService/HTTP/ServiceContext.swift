import Daedalus
import Hummingbird
import NIOCore
import Synchronization

/// What is known of one request beside the request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where it comes from.
    var address: String?
    /// Names it in its answer and in the log.
    var requestID = ""
    /// Under which what it asks for is done once; `nil` where it bears no key.
    var once: OnceID?
    /// Of the connection.
    let channel: any Channel
    private let known = KnownClient()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress
    }

    /// Known to those who handed the request on, too.
    var client: Client {
        get { known.client.withLock { $0 } }
        nonmutating set { known.client.withLock { $0 = newValue } }
    }
}

/// A class because all copies of a context share it.
private final class KnownClient: Sendable {
    let client = Mutex(Client.stranger)
}

enum RequestID {
    /// The client's own where it is well formed, else a new one.
    static func of(_ request: Request) -> String {
        guard let name = HeaderName("x-request-id"), let text = request.headers[name],
            (8...128).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed)
        else { return AssetID.random().text }
        return text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

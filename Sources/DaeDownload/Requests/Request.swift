package import DaeCore
import Synchronization

/// What is asked for.
package enum RequestMethod: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
}

/// One request to be made, as ``Hops`` or an ``HTTPExchange`` makes it.
struct Request: Sendable {
    /// Whether what the user gave to show who asks goes along.
    enum Credentials: Sendable {
        case sent
        case dropped
    }

    /// A header of one request; those that go with all of a user's requests are not among these.
    enum Field: Sendable {
        /// From the first byte, counted from 0, to the last one or to the end.
        case range(from: Int64, through: Int64?)
        case ifRange(String)
        case ifNoneMatch(String)
        case ifModifiedSince(String)
        case accept(String)
        case contentType(String)
        case lastEventID(String)
        case given(RequestHeader)

        var name: String {
            switch self {
            case .range: "Range"
            case .ifRange: "If-Range"
            case .ifNoneMatch: "If-None-Match"
            case .ifModifiedSince: "If-Modified-Since"
            case .accept: "Accept"
            case .contentType: "Content-Type"
            case .lastEventID: "Last-Event-ID"
            case .given(let header): header.name
            }
        }

        var value: String {
            switch self {
            case .range(let first, let last): "bytes=\(first)-\(last.map { "\($0)" } ?? "")"
            case .ifRange(let text), .ifNoneMatch(let text), .ifModifiedSince(let text), .accept(let text),
                .contentType(let text), .lastEventID(let text):
                text
            case .given(let header): header.value
            }
        }
    }

    let address: WebAddress
    let method: RequestMethod
    let fields: [Field]
    let credentials: Credentials
    /// Sent with ``RequestMethod/post`` and ``RequestMethod/put``; `nil` for an empty one.
    var body: RequestBody?
}

/// What a request sends; read on the transfer's own thread. A class since the transfer and its readers share the place.
package final class RequestBody: Sendable {
    private let source: any ByteSource
    private let at = Mutex<Int64>(0)
    private let progress: @Sendable (Int64) -> Void

    package convenience init(_ bytes: [UInt8]) { self.init(MemoryByteSource(bytes)) }

    package init(_ source: any ByteSource) {
        self.source = source
        progress = { _ in }
    }

    /// A file as long as it is now; one that becomes shorter ends the transfer.
    ///
    /// - Parameter progress: Told the bytes that were handed over so far.
    /// - Throws: ``DownloadError`` for what is no file that can be read.
    package init(
        file path: String, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) throws(DownloadError) {
        self.progress = progress
        do throws(ByteSourceError) { source = try FileByteSource(path: path) } catch {
            let shown = path.printable()
            throw DownloadError(
                error.isMissing ? .noFile(shown) : .io(operation: "read", subject: shown, reason: error.reason),
                url: shown)
        }
    }

    /// In bytes.
    package var size: Int64 { source.size }

    /// How many of the next bytes were written, 0 at the end; `nil` where they cannot be had.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let given: (count: Int, end: Int64)? = at.withLock { at in
            guard let count = try? source.read(at: at, into: buffer) else { return nil }
            at += Int64(count)
            return (count, at)
        }
        guard let given else { return nil }
        if given.count > 0 { progress(given.end) }
        return given.count
    }

    /// Goes on from another byte, where a connection that was used again turns out to be dead.
    func go(to offset: Int64) -> Bool {
        guard (0...size).contains(offset) else { return false }
        at.withLock { $0 = offset }
        return true
    }
}

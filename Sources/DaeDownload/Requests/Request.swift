import DaeCore
import Glibc
import Synchronization

/// One request to be made, as ``Hops`` or an ``HTTPExchange`` makes it.
struct Request: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case delete = "DELETE"
    }

    /// Whether what the user gave to show who asks goes along.
    enum Credentials: Sendable {
        case sent
        case dropped
    }

    /// A header of our own; none of the user's is among these.
    enum Field: Sendable {
        /// From the first byte, counted from 0, to the last one or to the end.
        case range(from: Int64, through: Int64?)
        case ifRange(String)
        case ifNoneMatch(String)
        case ifModifiedSince(String)
        case accept(String)
        case contentType(String)
        case lastEventID(String)

        var name: String {
            switch self {
            case .range: "Range"
            case .ifRange: "If-Range"
            case .ifNoneMatch: "If-None-Match"
            case .ifModifiedSince: "If-Modified-Since"
            case .accept: "Accept"
            case .contentType: "Content-Type"
            case .lastEventID: "Last-Event-ID"
            }
        }

        var value: String {
            switch self {
            case .range(let first, let last): "bytes=\(first)-\(last.map { "\($0)" } ?? "")"
            case .ifRange(let text), .ifNoneMatch(let text), .ifModifiedSince(let text), .accept(let text),
                .contentType(let text), .lastEventID(let text):
                text
            }
        }
    }

    let address: WebAddress
    let method: Method
    let fields: [Field]
    let credentials: Credentials
    /// Sent with ``Method/post``; `nil` for an empty one.
    var body: RequestBody?
}

/// What a request sends; read on the transfer's own thread. A class because it owns a file's descriptor.
package final class RequestBody: Sendable {
    /// Where the bytes come from.
    private enum Source {
        case bytes([UInt8])
        case file(Int32)
    }

    /// In bytes.
    package let size: Int64
    private let source: Source
    private let at = Mutex<Int64>(0)
    private let progress: @Sendable (Int64) -> Void

    package init(_ bytes: [UInt8]) {
        source = .bytes(bytes)
        size = Int64(bytes.count)
        progress = { _ in }
    }

    /// A file as long as it is now; one that becomes shorter ends the transfer.
    ///
    /// - Parameter progress: Told the bytes that were handed over so far.
    /// - Throws: ``DownloadError`` for what is no file that can be read.
    package init(
        file path: String, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) throws(DownloadError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.refusal(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.refusal(path, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        source = .file(descriptor)
        size = Int64(status.st_size)
        self.progress = progress
    }

    deinit {
        if case .file(let descriptor) = source { close(descriptor) }
    }

    private static func refusal(_ path: String, _ code: Int32) -> DownloadError {
        let shown = path.printable()
        if code == ENOENT { return DownloadError(.noFile(shown), url: shown) }
        return DownloadError(
            .io(operation: "read", subject: shown, reason: String(cString: strerror(code))), url: shown)
    }

    /// How many of the next bytes were written, 0 at the end; `nil` where they cannot be had.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        let given: (count: Int, end: Int64)? = at.withLock { at in
            guard at < size, let start = room.baseAddress else { return (0, at) }
            let wanted = Int(min(Int64(room.count), size - at))
            let count =
                switch source {
                case .bytes(let bytes):
                    bytes.withUnsafeBytes { all in
                        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[Int(at)..<Int(at) + wanted]))
                        return wanted
                    }
                case .file(let descriptor): pread(descriptor, start, wanted, off_t(at))
                }
            guard count > 0 else { return nil }
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

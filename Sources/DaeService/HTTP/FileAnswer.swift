import DaeCore
import Daedalus
import Hummingbird

/// A file as an answer: whole or in part, or only the word that the client has it already.
struct FileAnswer {
    let file: any ObjectReading
    let type: String
    /// Names the bytes: two files of one tag are equal.
    let tag: String
    /// Under which a browser saves it; `nil` for what it may show.
    var attachment: String?
    /// Whether a stranger's bytes are in it as they were sent.
    var trust = Trust.own

    /// Whether a client may ask for a part of it.
    var ranges = Ranges.answered

    enum Trust {
        case own, stranger
    }

    enum Ranges {
        case answered
        /// What is asked for in part comes whole.
        case ignored
    }

    func response(to request: Request) async throws -> Response {
        var headers: HTTPFields = [
            .contentType: type, .eTag: "\"\(tag)\"", .cacheControl: "private, no-cache",
        ]
        if ranges == .answered { headers[.acceptRanges] = "bytes" }
        if let attachment { headers[.contentDisposition] = Self.disposition(attachment) }
        if trust == .stranger, let name = HeaderName("content-security-policy") {
            headers[name] = "sandbox; default-src 'none'"
        }
        if let known = request.headers[.ifNoneMatch], Self.matches(known, tag) {
            return Response(status: .notModified, headers: headers)
        }
        if try mayLeadOn(request),
            let place = try await file.address(type: type, disposition: headers[.contentDisposition])
        {
            return Response(status: .temporaryRedirect, headers: [.location: place, .cacheControl: "no-store"])
        }
        // A client that holds a part of other bytes gets the whole.
        let isOld = request.headers[.ifRange].map { $0 != "\"\(tag)\"" } ?? false
        // RFC 9110, 14.2: of methods other than GET no range is known.
        let isWhole = isOld || ranges == .ignored || request.method != .get
        switch isWhole ? .whole : ByteRange(request.headers[.range], of: file.size) {
        case .whole: return Response(status: .ok, headers: headers, body: body(0..<file.size))
        case .unsatisfiable:
            var problem = Problem(.rangeNotSatisfiable, nil, "There are \(file.size) bytes.")
            problem.headers[.contentRange] = "bytes */\(file.size)"
            throw problem
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            return Response(status: .partialContent, headers: headers, body: body(range))
        }
    }

    /// Whether the client may be sent elsewhere: not for HEAD, not who goes on with bytes that are named here, no page of
    /// another site, which the store would not let read them, and nobody who does not want it.
    private func mayLeadOn(_ request: Request) throws(Problem) -> Bool {
        let wish = request.uri.queryParameters["redirect"]
        guard wish == nil || wish == "off" else { throw .parameter("redirect", wish ?? "", expected: "off") }
        return wish == nil && request.method == .get && request.headers[.origin] == nil
            && request.headers[.ifRange] == nil
    }

    private func body(_ range: Range<Int64>) -> ResponseBody {
        let file = file
        return ResponseBody(contentLength: Int(range.count)) { writer in
            // What became shorter the client sees by the length.
            try await file.read(range) { try await writer.write(ByteBuffer(bytes: $0)) }
            try await writer.finish(nil)
        }
    }

    /// Whether `If-None-Match` names a tag.
    static func matches(_ known: String, _ tag: String) -> Bool {
        let listed = known.split(separator: ",").map { text in
            // White space on both sides of each.
            let rest = text.drop { $0 == " " || $0 == "\t" }
            return Substring(rest.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
        return listed == ["*"] || listed.contains { ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == "\"\(tag)\"" }
    }

    /// RFC 6266: a plain name for old clients, and all of it in UTF-8.
    static func disposition(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                scalar.isASCII && scalar.value >= 0x20 && scalar != "\"" && scalar != "\\" && scalar != "%"
                    ? Character(scalar) : "_"
            })
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
    }
}

/// A file that is being sent; a class because it owns the descriptor: what is sent stays whole when the file is removed.
final class OpenedFile: Sendable {
    let size: Int64
    private let descriptor: Int32

    init(_ path: String) throws(StorageError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        guard let metadata = FileMetadata(descriptor) else { throw StorageError(path, errno) }
        guard metadata.kind != .folder else { throw StorageError(path, EISDIR) }
        size = metadata.size
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func read(at offset: Int64, count: Int) throws(StorageError) -> [UInt8] {
        let descriptor = descriptor
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            if got < 0 { code = errno }
            filled = max(0, got)
        }
        guard code == 0 else { throw StorageError("file", code) }
        return bytes
    }
}

extension OpenedFile: ObjectReading {
    /// Bytes that are read at once, each time on a thread: a disk that is busy or asleep answers late.
    private static let chunk = 1 << 18

    func read(_ range: Range<Int64>, _ take: ([UInt8]) async throws -> Void) async throws {
        var at = range.lowerBound
        while at < range.upperBound {
            let (from, count) = (at, Int(min(Int64(Self.chunk), range.upperBound - at)))
            let bytes = try await Thread.run { [self] () throws(StorageError) in try read(at: from, count: count) }
            // It became shorter.
            guard !bytes.isEmpty else { throw StorageError("file", EIO) }
            at += Int64(bytes.count)
            try await take(bytes)
        }
    }
}

/// What strangers' files are called: a fixed table, none of whose types a browser runs.
enum ContentTypes {
    static func type(of name: String) -> String {
        let ending = name.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
        return table[ending] ?? unknown
    }

    static let unknown = "application/octet-stream"

    /// Whether files of some name have this type.
    static func isKnown(_ type: String) -> Bool { table.values.contains { $0.prefix { $0 != ";" } == type } }

    private static let table = [
        "dae": "model/vnd.collada+xml", "zip": "application/zip", "zae": "application/zip",
        "kmz": "application/vnd.google-earth.kmz", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        "txt": "text/plain; charset=utf-8", "glb": "model/gltf-binary",
    ]
}

// A result may be hundreds of MB long: the name is put into it piece by piece, on the way to the client.

/// A result as an answer, with the asset's name in it.
struct TextAnswer: Sendable {
    let file: any ObjectReading
    /// `nil` where it is answered as it lies.
    let text: NamedText?

    /// Bytes up to which it comes with its length.
    private static let whole: Int64 = 1 << 20
    func response() async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-cache"],
            body: try await body())
    }

    private func body() async throws -> ResponseBody {
        guard file.size > Self.whole else {
            var bytes: [UInt8] = []
            try await file.read(0..<file.size) { bytes += $0 }
            let (read, present) = (bytes, text)
            let named = await Thread.run {
                guard var text = present else { return read }
                return text.take(read) + text.end()
            }
            return ResponseBody(byteBuffer: ByteBuffer(bytes: named))
        }
        let (file, text) = (file, text)
        return ResponseBody { writer in
            var text = text
            try await file.read(0..<file.size) { piece in
                // It ends with the client.
                try Task.checkCancellation()
                let present = text
                // On a thread of its own: no other client waits for it.
                let (named, next) = await Thread.run {
                    var text = present
                    return (text?.take(piece) ?? piece, text)
                }
                text = next
                try await writer.write(ByteBuffer(bytes: named))
            }
            if let end = text?.end() { try await writer.write(ByteBuffer(bytes: end)) }
            try await writer.finish(nil)
        }
    }
}

import DaeCore
import Daedalus
import Hummingbird

/// A file as an answer: whole or in part, or only the word that the client has it already.
struct FileAnswer {
    let path: String
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

    /// Bytes that are read at once, each time on a thread: a disk that is busy or asleep answers late.
    private static let chunk = 1 << 18

    func response(to request: Request) throws -> Response {
        let file = try OpenedFile(path)
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
        // A client that holds a part of other bytes gets the whole.
        let isOld = request.headers[.ifRange].map { $0 != "\"\(tag)\"" } ?? false
        // RFC 9110, 14.2: of methods other than GET no range is known.
        let isWhole = isOld || ranges == .ignored || request.method != .get
        switch isWhole ? .whole : ByteRange(request.headers[.range], of: file.size) {
        case .whole: return Response(status: .ok, headers: headers, body: Self.body(file, 0..<file.size))
        case .unsatisfiable:
            var problem = Problem(.rangeNotSatisfiable, nil, "There are \(file.size) bytes.")
            problem.headers[.contentRange] = "bytes */\(file.size)"
            throw problem
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            return Response(status: .partialContent, headers: headers, body: Self.body(file, range))
        }
    }

    private static func body(_ file: OpenedFile, _ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var at = range.lowerBound
            while at < range.upperBound {
                let (from, count) = (at, min(chunk, Int(range.upperBound - at)))
                let bytes = try await Thread.run { () throws(StorageError) in try file.read(at: from, count: count) }
                // It became shorter; the client sees it by the length.
                guard !bytes.isEmpty else { throw StorageError("file", EIO) }
                at += Int64(bytes.count)
                try await writer.write(ByteBuffer(bytes: bytes))
            }
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
        size = Int64(lseek(descriptor, 0, SEEK_END))
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
    let file: OpenedFile
    /// `nil` where it is answered as it lies.
    let text: NamedText?

    /// Bytes up to which it comes with its length.
    private static let whole: Int64 = 1 << 20
    /// Bytes that are taken at once, each time on a thread of its own: no other client waits for them.
    private static let chunk = 1 << 18

    func response() async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-cache"],
            body: try await body())
    }

    private func body() async throws -> ResponseBody {
        guard file.size > Self.whole else {
            let (file, text) = (file, text)
            let bytes = try await Thread.run { () throws(StorageError) in
                var (text, bytes, at): (NamedText?, [UInt8], Int64) = (text, [], 0)
                while case let piece = try file.read(at: at, count: Self.chunk), !piece.isEmpty {
                    bytes += text?.take(piece) ?? piece
                    at += Int64(piece.count)
                }
                return bytes + (text?.end() ?? [])
            }
            return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        return ResponseBody { writer in
            var (text, at) = (text, Int64(0))
            while true {
                // It ends with the client.
                try Task.checkCancellation()
                let (file, present, from) = (file, text, at)
                let (piece, named, next) = try await Thread.run { () throws(StorageError) in
                    var text = present
                    let piece = try file.read(at: from, count: Self.chunk)
                    let named = piece.isEmpty ? text?.end() : text?.take(piece)
                    return (piece.count, named ?? piece, text)
                }
                text = next
                at += Int64(piece)
                try await writer.write(ByteBuffer(bytes: named))
                if piece == 0 { break }
            }
            try await writer.finish(nil)
        }
    }
}

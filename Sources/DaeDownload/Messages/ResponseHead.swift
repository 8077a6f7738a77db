import DaeCore

/// The status line and headers of one answer, collected a line at a time.
struct ResponseHead: Hashable {
    private(set) var status = 0
    /// The server's own words, else the usual ones.
    private(set) var phrase = ""
    private(set) var contentLength: Int64?
    private(set) var contentType: String?
    private(set) var contentDisposition: [UInt8]?
    private(set) var location: [UInt8]?
    /// Whether nobody can tell how long the body is: a length that is no number, or several. Source: RFC 9112, 6.3.
    private(set) var contradicts = false
    private(set) var isChunked = false
    private(set) var contentRange: ContentRange?
    /// How the bytes are packed for the way, such as `gzip`; `nil` where they come as they are.
    private(set) var contentCoding: String?
    private(set) var validators = Validators()
    private(set) var cacheControl = CacheControl()
    /// As written; ``HTTPDate`` reads them.
    private(set) var date: String?
    private(set) var expires: String?
    private(set) var retryAfter: String?
    /// Seconds that caches on the way have held it.
    private(set) var age: Int64?
    private(set) var variesByAnything = false
    private(set) var digests = DigestFields()
    /// As an S3 store says it.
    private(set) var bucketRegion: String?

    /// What an answer asks for.
    enum Kind: Hashable {
        case interim
        case redirect(to: [UInt8])
        /// The whole file.
        case file
        /// A part of the file, as its `Content-Range` says; `nil` where it has none that can be read.
        case part(ContentRange?)
        /// Nothing newer than what was named in the request.
        case notModified
        /// No such part; the total where the server says it.
        case notSatisfiable(total: Int64?)
        case refusal
    }

    var kind: Kind {
        switch (status, location) {
        case (100...199, _): .interim
        case (301...303, let location?), (307...308, let location?): .redirect(to: location)
        case (200, _), (203, _): .file
        case (206, _): .part(contentRange)
        case (304, _): .notModified
        case (416, _): .notSatisfiable(total: contentRange?.total)
        default: .refusal
        }
    }

    /// Bytes the body will have once it is unpacked; `nil` where that is not known. A chunked body ends by its own mark.
    var bodyLength: Int64? { isChunked || contentCoding != nil ? nil : contentLength }

    /// Digests of the whole file that hold for the bytes as they are written here.
    var wholeDigests: [SHA256Digest] {
        guard contentCoding == nil else { return [] }
        switch kind {
        case .file: return digests.whole + digests.content
        case .part: return digests.whole
        case .interim, .redirect, .notModified, .notSatisfiable, .refusal: return []
        }
    }

    /// Takes one line with its line end; whether it was the empty one that ends the head.
    mutating func read(_ line: some Collection<UInt8>) -> Bool {
        let text = Self.trimmed(Array(line))
        guard !text.isEmpty else { return true }
        if text.starts(with: "HTTP/".utf8) {
            self = ResponseHead()
            readStatus(text)
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            readField(Array(text[..<colon]), Self.trimmed(Array(text[(colon + 1)...])))
        }
        return false
    }

    private mutating func readStatus(_ line: [UInt8]) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count > 1 else { return }
        status = Int(String(decoding: parts[1], as: UTF8.self)) ?? 0
        phrase = parts.count > 2 ? HeaderText.decode(parts[2]).printable(limit: 80) : ""
        if phrase.isEmpty { phrase = HTTPStatus.phrase(status) }
    }

    private mutating func readField(_ name: [UInt8], _ value: [UInt8]) {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        switch name {
        case "content-length":
            let length = Self.length(value)
            if length == nil || contentLength ?? length != length { contradicts = true }
            contentLength = length ?? contentLength
        case "content-type": contentType = HeaderText.decode(value).printable(limit: 200)
        case "content-disposition": contentDisposition = value
        case "content-range": contentRange = ContentRange(value)
        case "location": location = value
        case "transfer-encoding": isChunked = true
        default: readText(name, HeaderText.decode(value))
        }
    }

    private mutating func readText(_ name: String, _ value: String) {
        switch name {
        case "content-encoding": contentCoding = value.lowercased() == "identity" ? nil : value
        case "etag": validators.etag = Self.tag(value)
        case "last-modified": validators.lastModified = HTTPDate.seconds(value) == nil ? nil : value
        case "cache-control": cacheControl.read(value)
        case "date": date = value
        case "expires": expires = value
        case "age": age = DecimalDigits.value(value)
        case "retry-after": retryAfter = value
        case "vary": variesByAnything = variesByAnything || value.contains("*")
        case "repr-digest": digests.readRepresentation(value)
        case "content-digest": digests.readContent(value)
        case "digest": digests.readInstance(value)
        case "x-amz-bucket-region": bucketRegion = value.printable(limit: 40)
        default: break
        }
    }

    /// A tag in quotes, which is sent back as it is; anything else is none.
    private static func tag(_ value: String) -> String? {
        let opaque = value.hasPrefix("W/") ? value.dropFirst(2) : value[...]
        guard opaque.count >= 2, opaque.first == "\"", opaque.last == "\"", value.utf8.count <= 1024,
            !opaque.dropFirst().dropLast().contains("\"")
        else { return nil }
        return value
    }

    /// Digits only; one too large for any file is the largest there is.
    private static func length(_ value: [UInt8]) -> Int64? {
        guard !value.isEmpty, value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(String(decoding: value, as: UTF8.self)) ?? .max
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d || $0 == 0x0a }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(bytes[first...last])
    }
}

/// The usual words for a status, for HTTP/2 answers, which have none of their own. Source: RFC 9110, chapter 15.
private enum HTTPStatus {
    static func phrase(_ status: Int) -> String {
        switch status {
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 300: "Multiple Choices"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 451: "Unavailable For Legal Reasons"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: ""
        }
    }
}

/// Which bytes of the whole an answer holds. Source: RFC 9110, 14.4.
enum ContentRange: Sendable, Hashable {
    /// Bytes `first...last` of `total`, which is `nil` where the server does not know it.
    case part(first: Int64, last: Int64, total: Int64?)
    /// None, since the whole has `total` bytes and fewer than were asked for.
    case unsatisfied(total: Int64)

    /// Reads `bytes 0-99/200`, `bytes 0-99/*` and `bytes */200`; `nil` for other units and for what contradicts itself.
    init?(_ field: some Collection<UInt8>) {
        let text = String(decoding: field, as: UTF8.self)
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = parts[1] == "*" ? nil : DecimalDigits.value(parts[1])
        guard parts[1] == "*" || total != nil else { return nil }
        if parts[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = DecimalDigits.value(ends[0]), let last = DecimalDigits.value(ends[1]),
            first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    /// Bytes of the whole; `nil` where the server does not know.
    var total: Int64? {
        switch self {
        case .part(_, _, let total): total
        case .unsatisfied(let total): total
        }
    }
}

/// Counts as headers write them.
enum DecimalDigits {
    /// Digits alone, below 2^62, so that a sum of two cannot overflow.
    static func value(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int64(text), value < 1 << 62
        else { return nil }
        return value
    }
}

/// SHA-256 values that a server sends beside the bytes; other algorithms count for nothing.
struct DigestFields: Sendable, Hashable {
    /// Of the whole file, whatever part of it this answer holds: `Repr-Digest` (RFC 9530), `Digest` (RFC 3230).
    private(set) var whole: [SHA256Digest] = []
    /// Of this answer's own bytes: `Content-Digest` (RFC 9530).
    private(set) var content: [SHA256Digest] = []

    /// `sha-256=:base64:`, a list by commas.
    mutating func readRepresentation(_ field: some StringProtocol) { whole += Self.structured(field) }

    mutating func readContent(_ field: some StringProtocol) { content += Self.structured(field) }

    /// `SHA-256=base64`, a list by commas.
    mutating func readInstance(_ field: some StringProtocol) {
        whole += Self.members(field).compactMap { $0.name == "sha-256" ? Base64.digest($0.value) : nil }
    }

    private static func structured(_ field: some StringProtocol) -> [SHA256Digest] {
        members(field).compactMap { name, value in
            guard name == "sha-256", value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":") else {
                return nil
            }
            return Base64.digest(value[..<end].dropFirst())
        }
    }

    private static func members(_ field: some StringProtocol) -> [(name: String, value: Substring)] {
        Substring(field).split(separator: ",").compactMap { member in
            let trimmed = member.drop { $0 == " " || $0 == "\t" }
            guard let mark = trimmed.firstIndex(of: "=") else { return nil }
            return (trimmed[..<mark].lowercased(), trimmed[trimmed.index(after: mark)...])
        }
    }
}

enum Base64 {
    /// The 32 bytes that 43 digits and a `=` stand for.
    static func digest(_ text: Substring) -> SHA256Digest? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: " ") }
        guard digits.count == 43 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return SHA256Digest(bytes: bytes)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// By what a server tells one version of a file from another, as it wrote it. Source: RFC 9110, 8.8.
struct Validators: Sendable, Hashable {
    /// With its quotes, and `W/` where it is weak.
    var etag: String?
    var lastModified: String?

    /// What a request for the rest of a file names, so that a changed file comes whole instead: a strong tag, else the
    /// date; `nil` where equal validators do not mean equal bytes.
    var strong: String? {
        if let etag { return etag.hasPrefix("W/") ? nil : etag }
        return lastModified
    }

    var isEmpty: Bool { etag == nil && lastModified == nil }

    /// Whether another answer is of the same version, as far as both say.
    func contradict(_ other: Validators) -> Bool {
        if let etag, let tag = other.etag { return Self.opaque(etag) != Self.opaque(tag) }
        if let lastModified, let date = other.lastModified { return lastModified != date }
        return false
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}

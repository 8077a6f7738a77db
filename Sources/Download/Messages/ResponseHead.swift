import ContentHash

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
        phrase = parts.count > 2 ? PrintableText.clean(PrintableText.decode(parts[2]), limit: 80) : ""
        if phrase.isEmpty { phrase = HTTPStatus.phrase(status) }
    }

    private mutating func readField(_ name: [UInt8], _ value: [UInt8]) {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        switch name {
        case "content-length":
            let length = Self.length(value)
            if length == nil || contentLength ?? length != length { contradicts = true }
            contentLength = length ?? contentLength
        case "content-type": contentType = PrintableText.clean(PrintableText.decode(value), limit: 200)
        case "content-disposition": contentDisposition = value
        case "content-range": contentRange = ContentRange(value)
        case "location": location = value
        case "transfer-encoding": isChunked = true
        default: readText(name, PrintableText.decode(value))
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

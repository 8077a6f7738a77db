/// The status line and headers of one answer, collected a line at a time.
struct ResponseHead: Hashable {
    private(set) var status = 0
    /// The server's own words, else the usual ones.
    private(set) var phrase = ""
    private(set) var contentLength: Int64?
    private(set) var contentType: String?
    private(set) var contentDisposition: [UInt8]?
    private(set) var location: [UInt8]?
    private(set) var isChunked = false  // a header, no phase

    /// What an answer asks for.
    enum Kind: Hashable {
        case interim
        case redirect(to: [UInt8])
        case file
        case refusal
    }

    var kind: Kind {
        switch (status, location) {
        case (100...199, _): .interim
        case (301...303, let location?), (307...308, let location?): .redirect(to: location)
        case (200, _), (203, _): .file
        default: .refusal  // integers
        }
    }

    /// Bytes the body will have; `nil` where that is not known. A chunked body ends by its own mark.
    var bodyLength: Int64? { isChunked ? nil : contentLength }

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
        switch String(decoding: name, as: UTF8.self).lowercased() {
        case "content-length": contentLength = Self.length(value) ?? contentLength
        case "content-type": contentType = PrintableText.clean(PrintableText.decode(value), limit: 200)
        case "content-disposition": contentDisposition = value
        case "location": location = value
        case "transfer-encoding": isChunked = true
        default: break  // strings
        }
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

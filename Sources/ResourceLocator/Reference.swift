// References are URIs by the specification and file names in practice: nothing here may rely on either.

import URIReference

/// What kind of thing a reference is, before any file is looked for.
enum Reference {
    case empty
    /// A text to be read as a path; `isFileURI` when it stood behind `file:`, which is taken off.
    case local(String, isFileURI: Bool)
    case remote(String)
    case embedded(mediaType: String?)
    case blocked(Resolution.BlockedReason)

    /// No name in a zip archive is longer, in bytes.
    private static let longest = 65_535

    init(_ written: String) {
        let text = Self.trimmed(written)
        let bytes = ByteSet(text)
        let address = bytes.contains(":") ? URIReference(text) : nil
        if text.isEmpty {
            self = .empty
        } else if let address, address.hasScheme("data") {
            self = .embedded(mediaType: Self.mediaType(address.path))
        } else if text.utf8.count > Self.longest {
            self = .blocked(.tooLong)
        } else if bytes.hasControl || (bytes.contains("%") && Self.encodesControl(text)) {
            self = .blocked(.controlCharacter)
        } else if let address, address.authority != nil, address.hasScheme("http") || address.hasScheme("https") {
            self = .remote(text)
        } else if let address, address.hasScheme("file") {
            self = .local(Self.path(ofFile: address), isFileURI: true)
        } else {
            self = .local(text, isFileURI: false)
        }
    }

    /// What stands behind `file:`, whose host means nothing in a bundle when it is none or this machine.
    private static func path(ofFile uri: URIReference) -> String {
        var local = uri
        local.scheme = nil
        local.authority = nil
        guard let host = uri.authority, host.lowercased() != "localhost" || !uri.path.hasPrefix("/") else {
            return local.text
        }
        return host + local.text
    }

    /// XML's white space around a text is layout, not name.
    private static func trimmed(_ text: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let bytes = text.utf8.span
        if !bytes.isEmpty, !isSpace(bytes[0]), !isSpace(bytes[bytes.count - 1]) { return text }
        let front = text.utf8.drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(front[...last]))
    }

    private static func hasControl(_ text: String) -> Bool { text.utf8.contains(where: isControl) }

    private static func encodesControl(_ text: String) -> Bool {
        PercentEncoding.decodedBytes(text)?.contains(where: isControl) == true
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// The type at the head of a data URI; `nil` when none is given there.
    private static func mediaType(_ data: String) -> String? {
        let head = data.utf8.prefix(128)
        guard let end = head.firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }),
            end != head.startIndex, !hasControl(String(Substring(head[..<end])))
        else { return nil }
        return String(Substring(head[..<end]))
    }
}

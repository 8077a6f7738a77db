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
        let uri = URIReference(text)
        if text.isEmpty {
            self = .empty
        } else if uri.hasScheme("data") {
            self = .embedded(mediaType: Self.mediaType(uri.path))
        } else if text.utf8.count > Self.longest {
            self = .blocked(.tooLong)
        } else if Self.hasControl(text) || PercentEncoding.decodedBytes(text)?.contains(where: Self.isControl) == true {
            self = .blocked(.controlCharacter)
        } else if uri.authority != nil, uri.hasScheme("http") || uri.hasScheme("https") {
            self = .remote(text)
        } else if uri.hasScheme("file") {
            self = .local(Self.path(ofFile: uri), isFileURI: true)
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
        func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let front = text.utf8.drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(front[...last]))
    }

    private static func hasControl(_ text: String) -> Bool { text.utf8.contains(where: isControl) }

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

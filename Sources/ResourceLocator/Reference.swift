// References are URIs by the specification and file names in practice: nothing here may rely on either.

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
        if text.isEmpty {
            self = .empty
        } else if let data = Self.rest(of: text, behind: "data:") {
            self = .embedded(mediaType: Self.mediaType(data))
        } else if text.utf8.count > Self.longest {
            self = .blocked(.tooLong)
        } else if Self.hasControl(text) || PercentEncoding.decode(text).map(Self.hasControl) == true {
            self = .blocked(.controlCharacter)
        } else if Self.rest(of: text, behind: "http://") != nil || Self.rest(of: text, behind: "https://") != nil {
            self = .remote(text)
        } else if let path = Self.rest(of: text, behind: "file://localhost/") {
            self = .local("/" + path, isFileURI: true)
        } else if let path = Self.rest(of: text, behind: "file://") ?? Self.rest(of: text, behind: "file:") {
            self = .local(String(path), isFileURI: true)
        } else {
            self = .local(text, isFileURI: false)
        }
    }

    /// XML's white space around a text is layout, not name.
    private static func trimmed(_ text: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let front = text.utf8.drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(front[...last]))
    }

    /// What follows a prefix, whose ASCII letters may be of either case and are given in lower case.
    private static func rest(of text: String, behind prefix: String) -> Substring? {
        var rest = text.utf8[...]
        for expected in prefix.utf8 {
            guard let byte = rest.popFirst() else { return nil }
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            guard (isUpper ? byte | 0x20 : byte) == expected else { return nil }
        }
        return Substring(rest)
    }

    private static func hasControl(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }

    /// The type at the head of a data URI; `nil` when none is given there.
    private static func mediaType(_ data: Substring) -> String? {
        let head = data.utf8.prefix(128)
        guard let end = head.firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }),
            end != head.startIndex, !hasControl(String(Substring(head[..<end])))
        else { return nil }
        return String(Substring(head[..<end]))
    }
}

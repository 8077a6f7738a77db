// What documents write as addresses is seldom all that RFC 3986 asks for: there are spaces, back-slashes and drives in
// it. So any text is taken apart, and nothing in it is decoded or put right on the way.

/// An address in its five parts, absolute or relative.
///
/// - Source: RFC 3986.
package struct URIReference: Sendable, Hashable {
    /// Without its colon, as written; upper and lower case mean the same.
    package var scheme: String?
    /// Between `//` and the path; `nil` where there is no `//`, empty in `file:///x`.
    package var authority: String?
    package var path: String
    /// Without its question mark.
    package var query: String?
    /// Without its number sign; `nil` where there is none, empty in `a#`.
    package var fragment: String?

    package init(
        scheme: String? = nil, authority: String? = nil, path: String, query: String? = nil, fragment: String? = nil
    ) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// Takes a text apart; every text is some reference.
    ///
    /// A single letter before a colon is a drive and stays in the path: no scheme is as short.
    ///
    /// - Complexity: O(length).
    package init(_ text: String) {
        var rest = text.utf8[...]
        if let length = Self.schemeLength(rest) {
            scheme = String(Substring(rest.prefix(length)))
            rest = rest.dropFirst(length + 1)
        }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(Substring(rest[hash...].dropFirst()))
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(rest[mark...].dropFirst()))
            rest = rest[..<mark]
        }
        if rest.starts(with: Self.slashes) {
            let behind = rest.dropFirst(2)
            let end = behind.firstIndex(of: UInt8(ascii: "/")) ?? behind.endIndex
            authority = String(Substring(behind[..<end]))
            rest = behind[end...]
        }
        path = String(Substring(rest))
    }

    /// What is followed, or known to be on the web or in the document itself.
    package static let followedSchemes: Set<String> = ["data", "file", "http", "https", "model", "package"]

    /// A scheme that is not followed, as written; `nil` where there is none, or one that is.
    package var unknownScheme: String? {
        scheme.flatMap { Self.followedSchemes.contains($0.lowercased()) ? nil : $0 }
    }

    /// The same of a text, of which nothing else is taken apart.
    package static func unknownScheme(of text: String) -> String? {
        guard let length = schemeLength(text.utf8[...]) else { return nil }
        return URIReference(scheme: String(Substring(text.utf8.prefix(length))), path: "").unknownScheme
    }

    private static let slashes = [UInt8(ascii: "/"), UInt8(ascii: "/")]

    /// Bytes of the scheme at the head of a text, its colon left out; `nil` where there is none.
    private static func schemeLength(_ text: Substring.UTF8View) -> Int? {
        guard let first = text.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
            return nil
        }
        var length = 0
        for byte in text {
            guard isSchemeByte(byte) else { return byte == UInt8(ascii: ":") && length > 1 ? length : nil }
            length += 1
        }
        return nil
    }

    /// Whether a scheme may hold this byte behind its first letter.
    package static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension URIReference {
    /// The parts put together again; what was taken apart by ``init(_:)`` comes out as it was.
    package var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// All but the fragment: what is to be fetched. Empty for a reference within its own document.
    package var document: String {
        var whole = self
        whole.fragment = nil
        return whole.text
    }

    /// The authority without name and password; a port is part of it.
    package var host: String? {
        authority.map { authority in
            authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? authority
        }
    }

    /// Whether it has this scheme, given in lower case.
    package func hasScheme(_ name: String) -> Bool { scheme?.lowercased() == name }
}

extension URIReference {
    /// What this reference means where it stands in `base`, dot segments taken.
    ///
    /// - Parameter base: Usually an absolute address; against a relative one the result stays relative.
    /// - Source: RFC 3986, 5.2.2, the strict form.
    package func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == Self.slash {
            target.path = Self.removingDotSegments(path)
        } else {
            target.path = Self.removingDotSegments(Self.merge(path, into: base))
        }
        return target
    }

    private static let slash = UInt8(ascii: "/")

    /// RFC 3986, 5.2.3.
    private static func merge(_ path: String, into base: URIReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let end = base.path.utf8.lastIndex(of: slash) else { return path }
        return String(base.path[...end]) + path
    }

    /// A path without its `.` and `..`; those that rise above its top are dropped.
    ///
    /// - Source: RFC 3986, 5.2.4.
    /// - Complexity: O(length).
    package static func removingDotSegments(_ path: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(path.utf8.count)
        var rest = path.utf8[...]
        let isRooted = rest.first == slash
        if isRooted { rest = rest.dropFirst() }
        var isFirst = true
        while true {
            let end = rest.firstIndex(of: slash)
            let segment = rest[..<(end ?? rest.endIndex)]
            let isLast = end == nil
            if segment.elementsEqual(Self.up) {
                output.removeSubrange((output.lastIndex(of: slash) ?? 0)...)
                if isLast, isRooted || !output.isEmpty { output.append(slash) }
                if output.isEmpty { isFirst = true }
            } else if segment.elementsEqual(Self.here) {
                if isLast, isRooted || !output.isEmpty { output.append(slash) }
            } else {
                if isRooted || !isFirst { output.append(slash) }
                output.append(contentsOf: segment)
                isFirst = false
            }
            guard let end else { return String(decoding: output, as: UTF8.self) }
            rest = rest[end...].dropFirst()
        }
    }

    private static let here = [UInt8(ascii: ".")]
    private static let up = here + here
}

/// Percent-encoding as in RFC 3986, 2.1.
package enum PercentEncoding {
    /// The text with every `%` and two hexadecimal digits undone, once; other `%` stay.
    ///
    /// `nil` where there is nothing to undo, or where what comes out is no UTF-8.
    package static func decode(_ text: String) -> String? {
        decodedBytes(text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The same, whatever the bytes are; `nil` where there is nothing to undo.
    package static func decodedBytes(_ text: String) -> [UInt8]? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return nil }
        let (bytes, found) = decoded(text.utf8)
        return found.encoded > 0 ? bytes : nil
    }

    /// Every `%` and two hexadecimal digits undone; other `%` stay.
    package static func decodedBytes(_ bytes: [UInt8]) -> [UInt8] { decoded(bytes).bytes }

    /// A text in which each `%` stands for a byte; `nil` for a `%` without two hexadecimal digits, and where what comes
    /// out is no UTF-8.
    package static func decodeStrictly(_ text: some StringProtocol) -> String? {
        let (bytes, found) = decoded(text.utf8)
        return found.others == 0 ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// All but letters, digits, `-._~` and what is kept as `%` and two digits. Source: RFC 3986, 2.1 and 2.3.
    ///
    /// - Parameter kept: ASCII characters beside those.
    package static func encode(_ text: String, keeping kept: String = "") -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            default:
                if "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
                    bytes.append(byte)
                } else {
                    bytes += "%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: How many `%` were undone, and how many stayed.
    private static func decoded(_ text: some Collection<UInt8>) -> (bytes: [UInt8], found: (encoded: Int, others: Int))
    {
        let percent = UInt8(ascii: "%")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        var found = (encoded: 0, others: 0)
        while let byte = rest.popFirst() {
            var ahead = rest
            if byte == percent, let high = digit(ahead.popFirst()), let low = digit(ahead.popFirst()) {
                bytes.append(high << 4 | low)
                rest = ahead
                found.encoded += 1
            } else {
                bytes.append(byte)
                if byte == percent { found.others += 1 }
            }
        }
        return (bytes, found)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte else { return nil }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): return byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): return byte - UInt8(ascii: "A") + 10
        default: return nil
        }
    }
}

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

// Text of a server or of an address ends up on terminals and in logs: nothing of it may steer them.

/// Makes text of strangers fit to print.
enum PrintableText {
    /// `text` without control, format and separator characters but the space, cut to `limit` characters.
    static func clean(_ text: String, limit: Int = 300) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // Four scalars a character is more than any script needs.
            guard result.count < 4 * limit else { break }
            if isPrintable(scalar) { result.append(scalar) }
        }
        let whole = String(result)
        let cut = whole.prefix(limit)
        return cut.endIndex == whole.endIndex ? whole : cut + "…"
    }

    /// UTF-8 where the bytes are that, else Latin-1, the former default of HTTP.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// An address that could not be parsed, without anything that could be a user name or password: all up to its last
    /// `@` but the scheme.
    static func addressWithoutUser(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return text }
        let host = text[text.index(after: at)...]
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"), colon < at else {
            return String(host)
        }
        return text[..<colon] + "://" + host
    }

    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        default: true  // allowed: Unicode's categories
        }
    }
}

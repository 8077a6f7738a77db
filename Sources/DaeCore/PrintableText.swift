// Names and messages of files, servers and addresses end up on terminals, in logs and in reports: nothing of them may
// steer those.

extension Unicode.Scalar {
    /// Whether it is no character that is shown, but one that terminals heed (C0, C1) or that breaks the line or turns the
    /// direction of what is read: `exe.png` can be `gnp.exe`. Joiners are none of these, for scripts need them.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The same with U+FFFD in the place of each control character.
    package var withoutControls: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
    }

    /// ``withoutControls``, cut behind `limit` characters.
    package func printable(limit: Int = 300) -> String {
        // Four scalars a character is more than any script needs.
        let shown = String(String.UnicodeScalarView(unicodeScalars.prefix(4 * limit))).withoutControls
        guard shown.count > limit || unicodeScalars.count > 4 * limit else { return shown }
        return shown.prefix(limit) + "…"
    }
}

extension Unicode.Scalar {
    /// The reference that stands for the scalar in HTML and XML, where it would be read as markup by itself: in text as in
    /// an attribute, whatever its quotes; `nil` where it can stand as it is.
    package var markupReference: String? {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&apos;"
        default: nil
        }
    }
}

extension String {
    /// The text for HTML, in which it marks up nothing: between tags, and as an attribute's value.
    package var escapedForHTML: String {
        var result = ""
        for scalar in unicodeScalars {
            if let reference = scalar.markupReference {
                result += reference
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

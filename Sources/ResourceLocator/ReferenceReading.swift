import URIReference

/// A way to read a reference's text as a path.
enum ReferenceReading: CaseIterable {
    case asWritten, percentDecoded, backslashes

    /// The texts that this reading makes of a reference, most literal first; none where it changes nothing.
    ///
    /// A query or fragment is part of the name first, and cut off second: `tex#1.png` is a file's name more often than
    /// a file `tex`.
    func texts(of reference: String) -> [String] {
        let literal = [reference] + Self.withoutQueryOrFragment(reference)
        switch self {
        case .asWritten:
            return literal
        case .percentDecoded:
            return literal.compactMap(PercentEncoding.decode)
        case .backslashes:
            return (literal + literal.compactMap(PercentEncoding.decode)).compactMap(Self.withSlashes)
        }
    }

    private static func withoutQueryOrFragment(_ text: String) -> [String] {
        guard let end = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") }),
            end != text.startIndex
        else { return [] }
        return [String(text[..<end])]
    }

    private static func withSlashes(_ text: String) -> String? {
        let backslash = UInt8(ascii: "\\")
        guard text.utf8.contains(backslash) else { return nil }
        return String(decoding: text.utf8.map { $0 == backslash ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }
}

/// What a person means by the text they gave as a source.
public struct AssetSource: Sendable, Hashable {
    public enum Location: Sendable, Hashable {
        /// A file or folder.
        case path(String)
        case standardInput
        /// An http or https address.
        case url(String)
    }
    public let location: Location
    /// The entry within, of `bundle.zip!/models/a.dae`.
    public let entry: String?

    /// What parts a source from the entry within it.
    static let mark = "!/"

    /// Reads `-`, an address, a path, or any of them with `!/entry`: a path that exists wins over the split, which is at
    /// the last `!/` whose left part exists; at the first of an http or https address. A `file://` address is the path
    /// that it names.
    ///
    /// - Parameter exists: Whether there is a file or folder at a path.
    public init(_ text: String, exists: (String) -> Bool) {
        if text == "-" {
            (location, entry) = (.standardInput, nil)
            return
        }
        if Self.isURL(text) {
            let split = text.firstRange(of: Self.mark)
            location = .url(split.map { String(text[..<$0.lowerBound]) } ?? text)
            entry = split.map { String(text[$0.upperBound...]) }
            return
        }
        if exists(text) {
            (location, entry) = (.path(text), nil)
        } else if let path = FilePath(text) {
            (location, entry) = path.source(where: exists)
        } else if let split = text.lastSplit(at: Self.mark, where: exists) {
            (location, entry) = (.path(split.left), split.right)
        } else if text.hasPrefix("-" + Self.mark) {
            (location, entry) = (.standardInput, String(text.dropFirst(1 + Self.mark.count)))
        } else {
            (location, entry) = (.path(text), nil)
        }
    }

    /// How an entry of a source is named, which may itself be in an archive.
    public static func address(of entry: String, in source: String) -> String {
        source.hasSuffix(mark) ? source + entry : source + mark + entry
    }

    /// A source as it is shown to people and written to JSON: an address without user name and password.
    ///
    /// Of any scheme, for an address that is not understood is shown as well.
    public static func display(_ text: String) -> String {
        guard let mark = text.firstRange(of: "://"), isScheme(text[..<mark.lowerBound]) else { return text }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // A password that was not encoded may hold a slash; then what looks like the port is no number.
        let user = authority.contains("@") || !hasBadPort(authority) ? authority : rest
        guard let at = user.lastIndex(of: "@") else { return text }
        return String(text[..<mark.upperBound] + rest[rest.index(after: at)...])
    }

    /// `ftp` of `ftp://…`; `nil` for what is no address.
    static func scheme(of text: String) -> String? {
        text.firstRange(of: "://").map { text[..<$0.lowerBound] }.flatMap { isScheme($0) ? String($0) : nil }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func hasBadPort(_ authority: Substring) -> Bool {
        guard !authority.hasPrefix("["), let colon = authority.lastIndex(of: ":") else { return false }
        return !authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
    }

    private static func isURL(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}

extension String {
    /// Parted at the last place of `mark` whose left part is accepted.
    func lastSplit(at mark: String, where accepts: (String) -> Bool) -> (left: String, right: String)? {
        var end = endIndex
        while end > startIndex {
            let start = index(before: end)
            if self[start...].hasPrefix(mark), accepts(String(self[..<start])) {
                return (String(self[..<start]), String(self[start...].dropFirst(mark.count)))
            }
            end = start
        }
        return nil
    }
}

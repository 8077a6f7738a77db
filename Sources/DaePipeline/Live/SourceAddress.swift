import DaeCore

/// What a person means by the text they gave as a source.
package struct SourceAddress: Sendable, Hashable {
    package enum Location: Sendable, Hashable {
        /// A file or folder.
        case path(String)
        case standardInput
        /// An http or https address.
        case url(String)
    }
    package let location: Location
    /// The entry within, of `bundle.zip!/models/a.dae`.
    package let entry: String?

    /// What parts a source from the entry within it.
    static let mark = "!/"

    /// Reads `-`, an address, a path, or any of them with `!/entry`: a path that exists wins over the split, which is at
    /// the last `!/` whose left part exists; at the first of an http or https address. A `file://` address is the path
    /// that it names.
    ///
    /// - Parameter exists: Whether there is a file or folder at a path.
    package init(_ text: String, exists: (String) -> Bool) {
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
    package static func address(of entry: String, in source: String) -> String {
        source.hasSuffix(mark) ? source + entry : source + mark + entry
    }

    /// A source as it is shown to people and written to JSON: an address without user name and password.
    ///
    /// Of any scheme, for an address that is not understood is shown as well.
    package static func display(_ text: String) -> String {
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

/// What a `file://` address names on this machine, with an entry behind `!/` if there is one. Source: RFC 8089.
private struct FilePath {
    /// Behind scheme and host, as it was written.
    private let text: String

    /// `nil` for an address of another scheme or machine.
    init?(_ address: String) {
        guard address.prefix(7).lowercased() == "file://" else { return nil }
        let rest = address.dropFirst(7)
        let host = rest.prefix { $0 != "/" }
        guard host.isEmpty || host.lowercased() == "localhost", rest.count > host.count else { return nil }
        text = String(rest.dropFirst(host.count))
    }

    /// The path and the entry: as a path is split, but what is behind the mark stays as it was written.
    func source(where exists: (String) -> Bool) -> (SourceAddress.Location, entry: String?) {
        let whole = Self.path(text)
        // A mark behind a query or fragment parts the entry from them.
        let hasLateMark = text.drop { $0 != "?" && $0 != "#" }.firstRange(of: SourceAddress.mark) != nil
        if let whole, !hasLateMark, exists(whole) { return (.path(whole), nil) }
        let split = text.lastSplit(at: SourceAddress.mark) { left in Self.path(left).map(exists) ?? false }
        if let split, let path = Self.path(split.left) { return (.path(path), split.right) }
        return (.path(whole ?? text), nil)
    }

    /// Without query and fragment, `%20` and the like decoded; `nil` where that gives no path.
    private static func path(_ text: String) -> String? {
        let path = PercentEncoding.decodeStrictly(text.prefix { $0 != "?" && $0 != "#" })
        return path?.utf8.contains(0) == true ? nil : path
    }
}

/// Standard input, drained in a way that can be stopped while nothing comes.
enum StandardInput {
    /// How often it is asked whether to stop, in milliseconds.
    private static let patience: Int32 = 50

    /// - Parameter progress: Called with the bytes read so far.
    static func spool(
        limit: Int64, progress: (Int64) -> Void, isCancelled: () -> Bool
    ) throws -> SpooledByteSource {
        var total: Int64 = 0
        do {
            return try SpooledByteSource(name: "standard input", limit: limit) { buffer throws(ByteSourceError) in
                let count = try read(into: buffer, isCancelled)
                total += Int64(count)
                progress(total)
                return count
            }
        } catch {
            if isCancelled() { throw CancellationError() }
            throw error
        }
    }

    private static func read(
        into buffer: UnsafeMutableRawBufferPointer, _ isCancelled: () -> Bool
    ) throws(ByteSourceError) -> Int {
        while true {
            var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, patience)
            if isCancelled() {
                throw ByteSourceError(operation: "read", subject: "standard input", reason: "stopped on request")
            }
            guard events != 0 else { continue }
            do throws(SystemError) {
                return try OpenFile(borrowing: STDIN_FILENO, name: "standard input").read(into: buffer)
            } catch { throw ByteSourceError(operation: "read", error) }
        }
    }
}

// Paths in a bundle: parts between `/`, no leading or trailing `/`, no part `.`, `..` or empty; "" is the top folder.
// Everything here works on UTF-8 bytes in one pass, since names come from files and may be 64 KiB long.

/// What can be said of a bundle's paths by their text alone.
package enum BundlePath {
    /// Where a text leads when it is read against a folder.
    package enum Target: Sendable, Hashable {
        /// A path in the bundle that a file may have.
        case file(String)
        /// A path in the bundle that only a folder may have: it ends in `/`, `.` or `..`, or is empty.
        case folder(String)
        /// Above the bundle's top, be it only on the way.
        case outside
    }

    /// Reads `text` against `folder` by its dot segments; a leading `/` means nothing here.
    ///
    /// - Complexity: O(length of both), at most one allocation for the result and one on the way to it.
    package static func resolve(_ text: String, against folder: String = "") -> Target {
        if isPlain(text), folder.isEmpty || isPlain(folder) { return .file(join(folder, text)) }
        var path: [UInt8] = []
        path.reserveCapacity(folder.utf8.count + text.utf8.count + 1)
        guard append(folder, to: &path) != .above else { return .outside }
        switch append(text, to: &path) {
        case .above: return .outside
        case .dots, .nothing: return .folder(String(decoding: path, as: UTF8.self))
        case .name: return .file(String(decoding: path, as: UTF8.self))
        }
    }

    /// Reads `text` against `folder` by its dot segments, where both may lead above the top.
    ///
    /// - Returns: How many folders above the top the way leads at its highest, and the path from there on.
    /// - Complexity: O(length of both).
    package static func climb(_ text: String, from folder: String = "") -> (levels: Int, path: String) {
        var levels = 0
        var path: [UInt8] = []
        path.reserveCapacity(folder.utf8.count + text.utf8.count + 1)
        for part in [folder, text].lazy.flatMap({ $0.utf8.split(separator: slash) }) {
            if append(part: part, to: &path) == .above { levels += 1 }
        }
        return (levels, String(decoding: path, as: UTF8.self))
    }

    /// The path's folder, "" at the top.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash) else { return "" }
        return String(path[..<slash])
    }

    /// What stands behind the last `/`.
    package static func baseName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// A name in a folder; neither is looked into.
    package static func join(_ folder: String, _ name: String) -> String {
        if folder.isEmpty { return name }
        var path = ""
        path.reserveCapacity(folder.utf8.count + 1 + name.utf8.count)
        path += folder
        path += "/"
        path += name
        return path
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// Whether a text is a path as it stands, by a quick look: a part that begins with a dot is taken for dots.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8.span
        var before = slash
        for index in bytes.indices {
            let byte = bytes[index]
            if before == slash, byte == slash || byte == dot { return false }
            before = byte
        }
        return before != slash
    }

    /// What the last part of an appended text was.
    private enum Last {
        case name, dots, nothing, above
    }

    private static func append(_ text: String, to path: inout [UInt8]) -> Last {
        var last = Last.nothing
        var utf8 = text.utf8[...]
        while true {
            let end = utf8.firstIndex(of: slash) ?? utf8.endIndex
            last = append(part: utf8[..<end], to: &path)
            guard last != .above, end != utf8.endIndex else { return last }
            utf8 = utf8[utf8.index(after: end)...]
        }
    }

    private static func append(part: Substring.UTF8View, to path: inout [UInt8]) -> Last {
        if part.isEmpty { return .nothing }
        if part.elementsEqual([dot]) { return .dots }
        if part.elementsEqual([dot, dot]) {
            guard !path.isEmpty else { return .above }
            path.removeSubrange((path.lastIndex(of: slash) ?? 0)...)
            return .dots
        }
        if !path.isEmpty { path.append(slash) }
        path.append(contentsOf: part)
        return .name
    }
}

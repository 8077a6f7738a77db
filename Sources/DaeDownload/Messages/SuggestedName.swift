import DaeCore

/// Makes a file's name out of what a server or an address proposes; both are strangers' text.
package enum SuggestedName {
    private static let maximumBytes = 200

    /// The name in a `Content-Disposition`, else the address's last part, else "download".
    static func make(disposition: [UInt8]?, path: String) -> String {
        let proposed = disposition.flatMap(name(in:)).map(sanitised)
        if let proposed, !proposed.isEmpty { return proposed }
        let last = sanitised(HeaderText.decode(PercentEncoding.decodedBytes(Array(path.utf8))))
        return last.isEmpty ? "download" : last
    }

    /// The last part of a path of any system, without what a file's name must not or should not have.
    static func sanitised(_ text: String) -> String {
        let last = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let kept = last.unicodeScalars.filter({ !$0.isControl }).map { scalar in
            "<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar
        }
        let name = kept.drop { $0 == "." || $0 == "-" || $0.properties.isWhitespace }
        var trimmed = Array(name)
        while let end = trimmed.last, end == "." || end.properties.isWhitespace { trimmed.removeLast() }
        return shortened(String(String.UnicodeScalarView(trimmed)))
    }

    /// Cut from the stem, so that the extension stays.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumBytes else { return name }
        let dot = name.lastIndex(of: ".").flatMap { name[$0...].utf8.count <= 20 ? $0 : nil } ?? name.endIndex
        let ending = name[dot...]
        var stem = String.UnicodeScalarView()
        var room = maximumBytes - ending.utf8.count
        for scalar in name[..<dot].unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            stem.append(scalar)
        }
        return String(stem) + ending
    }

    /// `filename*=UTF-8''…` before `filename="…"`. Source: RFC 6266.
    package static func name(in disposition: [UInt8]) -> String? {
        var plain: String?
        for (key, value) in parameters(of: disposition) {
            switch key {
            case "filename*":
                let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3 { return HeaderText.decode(PercentEncoding.decodedBytes(Array(parts[2]))) }
            case "filename": plain = plain ?? HeaderText.decode(value)
            default: break
            }
        }
        return plain
    }

    /// The `; key=value` parts, keys in lower case, quotes taken off.
    private static func parameters(of field: [UInt8]) -> [(key: String, value: [UInt8])] {
        enum Mode { case plain, quoted, escaped }
        var parts: [[UInt8]] = [[]]
        var mode = Mode.plain
        for byte in field {
            switch (mode, byte) {
            case (.plain, UInt8(ascii: ";")): parts.append([])
            case (.plain, UInt8(ascii: "\"")): mode = .quoted
            case (.quoted, UInt8(ascii: "\"")): mode = .plain
            case (.quoted, UInt8(ascii: "\\")): mode = .escaped
            case (.plain, _), (.quoted, _): parts[parts.count - 1].append(byte)
            case (.escaped, _):
                parts[parts.count - 1].append(byte)
                mode = .quoted
            }
        }
        return parts.compactMap { part in
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let key = String(decoding: part[..<equals], as: UTF8.self).filter { !$0.isWhitespace }.lowercased()
            let value = part[(equals + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            return (key, Array(value))
        }
    }
}

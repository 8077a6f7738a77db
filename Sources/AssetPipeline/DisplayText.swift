/// Sizes for people.
enum ByteCount {
    private static let units: [(size: Int64, name: String)] = [
        (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"),
    ]

    /// In decimal units with one place, cut and not rounded, so that it never says more than is there.
    static func text(_ bytes: Int64) -> String {
        guard let unit = units.first(where: { bytes >= $0.size }) else {
            return bytes == 1 ? "1 byte" : "\(bytes) bytes"
        }
        return "\(bytes / unit.size).\(bytes % unit.size / (unit.size / 10)) \(unit.name)"
    }
}

/// Names from files and servers, made fit for a terminal and a log.
enum Printable {
    /// Characters shown at most.
    private static let longest = 300

    /// `text` with every character that moves a cursor, changes a colour or turns the direction of writing replaced.
    static func text(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longest) {
            shown.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
        }
        if text.unicodeScalars.count > longest { shown.append("…") }
        return String(shown)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true  // allowed: the standard library's list, which may grow
        }
    }
}

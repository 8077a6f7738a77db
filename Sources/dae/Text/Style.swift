import ArgumentParser
import DaeCore
import Daedalus

/// Colours for a person at a terminal, nothing for anyone else; and only characters that the terminal has.
struct Style {
    private let isColored: Bool
    private let isASCII: Bool

    static let plain = Style(isColored: false, isASCII: false)

    /// Whether to use colours.
    enum Color: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }

    /// How a result is written.
    ///
    /// - Parameter path: `nil` for standard output.
    static func of(_ color: Color, output path: String?) -> Style {
        let isColored =
            switch color {
            case .always: true
            case .never: false
            case .auto: path == nil && isWanted
            }
        return Style(isColored: isColored, isASCII: path == nil && hasOnlyASCII)
    }

    /// As the environment says, else where standard output is a terminal.
    ///
    /// - Source: no-color.org; bixense.com/clicolors; FORCE_COLOR as programs of Node take it.
    private static var isWanted: Bool {
        if isSet("NO_COLOR") { return false }
        if ["CLICOLOR_FORCE", "FORCE_COLOR"].contains(where: { isSet($0) && value($0) != "0" }) { return true }
        return isatty(STDOUT_FILENO) == 1 && value("TERM") != "dumb"
    }

    /// Whether somebody asked for the locale that has no other characters.
    private static var hasOnlyASCII: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        return names.first(where: isSet).flatMap(value).map { ["C", "POSIX"].contains($0) } ?? false
    }

    private static func isSet(_ name: String) -> Bool { value(name)?.isEmpty == false }

    private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    enum Ink: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case yellow = "33"
        case cyan = "36"
    }

    func callAsFunction(_ ink: Ink, _ text: String) -> String {
        isColored ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Marks of this program in characters that are there; no text of a file goes through it, for that stays as it is.
    func marks(_ text: String) -> String {
        guard isASCII else { return text }
        return text.reduce(into: "") { $0 += Self.plainMarks[$1] ?? String($1) }
    }

    private static let plainMarks: [Character: String] = [
        "├": "|", "└": "`", "│": "|", "─": "-", "▸": ">", "·": "-", "×": "x", "…": "...", "°": " deg", "→": "->",
        "—": "-", "–": "-", "⋯": "...",
    ]
}

// Of every command that writes for people; no group of options, each kind of which takes time at the start.
extension Style.Color {
    static let help = ArgumentHelp(
        "Colours: auto (the default) for a terminal, or as NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR say; always; never.",
        valueName: "when")
}

// Numbers as a person reads them.

enum Figures {
    /// `1 234 567`, with thin gaps as plain spaces below 10,000 left out.
    static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        guard digits.count > 4 else { return String(value) }
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { grouped.append(" ") }
            grouped.append(digit)
        }
        return value < 0 ? "-" + grouped : grouped
    }

    /// `1 mesh`, `2 meshes`.
    static func count(_ value: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count(value)) \(value == 1 ? one : many ?? one + "s")"
    }

    /// Decimal units: `512 bytes`, `4.2 MB`.
    static func bytes(_ value: Int64) -> String {
        guard value >= 1000 else { return value == 1 ? "1 byte" : "\(value) bytes" }
        var size = Double(value)
        for unit in ["kB", "MB", "GB", "TB"] {
            size /= 1000
            if size < 999.95 { return "\(digits(size, size < 9.95 ? 1 : 0)) \(unit)" }
        }
        return "\(digits(size, 0)) PB"
    }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    /// `0.1 s` at least, `12 s`, `3 min`, `2 h`.
    static func time(_ seconds: Double) -> String {
        if seconds < 9.95 { return "\(digits(max(seconds, 0.1), 1)) s" }
        if seconds < 120 { return "\(Int(seconds)) s" }
        if seconds < 7200 { return "\(Int(seconds / 60)) min" }
        return "\(count(Int(min(seconds / 3600, 1e9)))) h"
    }

    /// A length, to three digits that matter, in metres or what suits better.
    static func length(_ meters: Double) -> String { significant(meters) }

    static func significant(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return "0" }
        let magnitude = value.magnitude
        if magnitude >= 100_000 || magnitude < 0.0001 { return short(value) }
        var decimals = 2
        var limit = 1.0
        while magnitude < limit && decimals < 6 {
            decimals += 1
            limit /= 10
        }
        if magnitude >= 100 { decimals = 0 } else if magnitude >= 10 { decimals = 1 }
        return digits(value, decimals)
    }

    /// All digits that a number has.
    static func exact(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func short(_ value: Double) -> String {
        var exponent = 0
        var mantissa = value
        while mantissa.magnitude >= 9.995 {
            mantissa /= 10
            exponent += 1
        }
        while mantissa.magnitude < 1 {
            mantissa *= 10
            exponent -= 1
        }
        return "\(digits(mantissa, 2))e\(exponent)"
    }

    /// With a fixed number of decimals (0...9), rounded half away from zero, without trailing zeros.
    static func digits(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 9e15 else { return value.description }
        let whole = Int64(scaled) / Int64(scale)
        var (fraction, places) = (Int64(scaled) % Int64(scale), decimals)
        while places > 0, fraction % 10 == 0 { (fraction, places) = (fraction / 10, places - 1) }
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(fraction)
        return "\(sign)\(whole)." + String(repeating: "0", count: max(0, places - digits.utf8.count)) + digits
    }
}

extension String {
    /// With a full stop, where it does not end as a question does.
    var asSentence: String { hasSuffix("?") ? self : self + "." }
}

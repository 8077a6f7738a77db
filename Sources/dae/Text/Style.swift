import ArgumentParser
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

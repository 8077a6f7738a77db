import Glibc

/// Colours for a person at a terminal, nothing for anyone else.
struct Style {
    let isColored: Bool

    static let plain = Style(isColored: false)

    /// As standard output and `NO_COLOR` want it.
    static func standardOutput() -> Style {
        let refused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? false
        return Style(isColored: isatty(STDOUT_FILENO) == 1 && !refused && !isDumb)
    }

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
}

import Glibc

enum TerminalWidth {
    /// Columns of the terminal that standard output is, or what `COLUMNS` says; `nil` where nothing limits a line.
    static func standardOutput() -> Int? {
        if let said = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), said > 0 { return said }
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

import ArgumentParser
import DaeCore
import Daedalus

/// How a terminal is given a picture.
enum TerminalProtocol: String, CaseIterable, ExpressibleByArgument {
    case kitty
    case iterm2
    case sixel

    /// What the terminal on standard output understands; `nil` for nothing, and where there is no terminal.
    static func ofStandardOutput() -> TerminalProtocol? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        // What runs within these passes no pictures on, whatever the terminal around it can do.
        if !value("TMUX").isEmpty || value("TERM").hasPrefix("screen") { return nil }
        if !value("KITTY_WINDOW_ID").isEmpty || ["xterm-kitty", "xterm-ghostty"].contains(value("TERM")) {
            return .kitty
        }
        if ["iTerm.app", "WezTerm"].contains(value("TERM_PROGRAM")) || value("LC_TERMINAL") == "iTerm2" {
            return .iterm2
        }
        return TerminalQuery.hasSixel() ? .sixel : nil
    }

    /// The picture as this protocol has it, with the line's end behind it.
    func text(of picture: RenderedPicture) throws -> String {
        switch self {
        case .kitty: try Self.kitty(picture.png())
        case .iterm2: try Self.iterm2(picture.png())
        case .sixel: SixelImage(picture).text + "\n"
        }
    }

    /// - Source: sw.kovidgoyal.net/kitty/graphics-protocol: at most 4096 characters a piece.
    private static func kitty(_ file: [UInt8]) -> String {
        let text = Array(Base64Text.encode(file).utf8)
        var result = ""
        for start in stride(from: 0, to: text.count, by: 4096) {
            let end = min(text.count, start + 4096)
            let keys = start == 0 ? "a=T,f=100,q=2," : ""
            let piece = String(decoding: text[start..<end], as: UTF8.self)
            result += "\u{1B}_G\(keys)m=\(end < text.count ? 1 : 0);\(piece)\u{1B}\\"
        }
        return result + "\n"
    }

    /// - Source: iterm2.com/documentation-images.html
    private static func iterm2(_ file: [UInt8]) -> String {
        "\u{1B}]1337;File=inline=1;size=\(file.count):\(Base64Text.encode(file))\u{7}\n"
    }
}

/// - Source: RFC 4648, section 4.
private enum Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(bytes.count, start + 3)]
            let value = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32((3 - group.count) * 8)
            for digit in 0..<4 {
                let isThere = digit <= group.count
                text.append(isThere ? digits[Int(value >> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Asks the terminal what it can.
enum TerminalQuery {
    /// Milliseconds that a terminal has for its answer; one far away takes longer, and then shows no picture.
    private static let patience: Int32 = 200

    /// Whether its primary device attributes name sixel graphics.
    ///
    /// - Source: vt100.net/docs/vt510-rm/DA1.html: attribute 4.
    static func hasSixel() -> Bool {
        guard let answer = ask("\u{1B}[c") else { return false }
        return answer.split(whereSeparator: { "?;c".contains($0) }).dropFirst().contains("4")
    }

    /// What it answers, up to the letter that ends it; `nil` where it is not to be asked.
    private static func ask(_ question: String) -> String? {
        // One in the background would be stopped for it.
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return nil }
        defer { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
        let bytes = Array(question.utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { return nil }
        var answer: [UInt8] = []
        while answer.count < 256 {
            var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, patience) == 1 else { return nil }
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
            answer.append(byte)
            if byte == UInt8(ascii: "c") { return String(decoding: answer, as: UTF8.self) }
        }
        return nil
    }
}

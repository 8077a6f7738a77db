// Lines of documents may be megabytes long and stand in archives of gigabytes: only a window around each place is kept,
// and reading stops at the last one.

import Glibc

/// A piece of a line around a place, and where in it the place is.
struct SourceExcerpt: Sendable {
    /// Without controls, tabs as spaces.
    let text: String
    /// Columns of a terminal before the place.
    let indent: Int

    /// - Parameters:
    ///   - before: What stands before the place, or the end of it.
    ///   - after: What follows, or its beginning.
    ///   - width: Columns at most, at least 20.
    ///   - cut: Stands where the line goes on.
    init(before: String, after: String, isCutBefore: Bool, isCutAfter: Bool, width: Int, cut: String) {
        let end = Self.shown(after) + (isCutAfter ? cut : "")
        let head = ((isCutBefore ? cut : "") + Self.shown(before))
            .cut(to: max(width / 2, width - end.width), by: cut)
        let tail = end.cutAtTheEnd(to: width - head.width, by: cut)
        text = head + tail
        indent = head.width
    }

    /// With the line's number, and a mark below the place.
    func lines(at number: Int, style: Style) -> [String] {
        let number = String(number)
        let gap = String(repeating: " ", count: max(0, 5 - number.count))
        let blank = String(repeating: " ", count: max(5, number.count))
        return [
            style(.dim, "\(gap)\(number) |") + " " + text,
            style(.dim, "\(blank) |") + " " + String(repeating: " ", count: indent) + style(.cyan, "^"),
        ]
    }

    private static func shown(_ text: String) -> String {
        text.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ").withoutControls
    }
}

/// Finds excerpts in the bytes of one document, which come in pieces.
struct ExcerptReader {
    struct Position: Hashable, Comparable {
        /// From 1.
        let line: Int
        /// From 1, in characters.
        let column: Int

        static func < (left: Position, right: Position) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// Characters kept on either side.
    private static let reach = 200

    private struct Window {
        let position: Position
        var before: [UInt8] = []
        var after: [UInt8] = []
        var isCutAfter = false
    }

    private var windows: [Window]
    private let width: Int
    private let cut: String
    /// The windows before this one are complete.
    private var done = 0
    private var line = 1
    /// Of the byte that comes next; 0 before the first of a line.
    private var column = 0

    /// The line and column of which the next window is; `nil` where no further byte is needed.
    var next: Position? { isDone ? nil : windows[done].position }

    /// Goes on with bytes of further on, which begin at the first of a line.
    mutating func skip(toLine line: Int) {
        self.line = line
        column = 0
    }

    /// - Parameter cut: Stands where a line goes on.
    init(_ positions: Set<Position>, width: Int, cut: String) {
        windows = positions.sorted().map { Window(position: $0) }
        self.width = width
        self.cut = cut
    }

    /// Whether no further byte is needed.
    var isDone: Bool { done == windows.count }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard !isPassed(bytes) else { return }
        var at = 0
        while at < bytes.count, !isDone {
            let isWanted = windows[done].position.line == line
            if isWanted, bytes[at] != UInt8(ascii: "\n") {
                keep(bytes[at])
                at += 1
                continue
            }
            guard let end = isWanted ? at : Self.lineEnd(in: bytes, from: at) else { return }
            while done < windows.count, windows[done].position.line <= line { done += 1 }
            line += 1
            column = 0
            at = end + 1
        }
    }

    /// Passes over bytes that end before the next wanted line begins, as nearly all of a long document do.
    private mutating func isPassed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isDone, windows[done].position.line > line else { return false }
        let newlines = Self.newlines(in: bytes)
        guard line + newlines < windows[done].position.line else { return false }
        line += newlines
        column = 0
        return true
    }

    static func newlines(in bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        var newlines = 0
        var at = 0
        while at < bytes.count {
            // So few that a byte holds how many there are, and without a branch, for the sake of wide loops.
            let end = min(at + 240, bytes.count)
            var some: UInt8 = 0
            while at < end {
                let isNewline: UInt8 = start[at] == UInt8(ascii: "\n") ? 1 : 0
                some &+= isNewline
                at &+= 1
            }
            newlines &+= Int(some)
        }
        return newlines
    }

    private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        return memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start).map { UnsafeRawPointer($0) - base }
    }

    private mutating func keep(_ byte: UInt8) {
        // A byte that goes on with a character belongs to its column.
        if byte & 0xC0 != 0x80 { column += 1 }
        var index = done
        while index < windows.count, windows[index].position.line == line,
            windows[index].position.column - Self.reach <= column
        {
            let at = windows[index].position.column
            if column < at {
                windows[index].before.append(byte)
            } else if column < at + Self.reach {
                windows[index].after.append(byte)
            } else {
                windows[index].isCutAfter = true
                // The first of several on a long line is complete before the line is.
                if index == done { done += 1 }
            }
            index += 1
        }
    }

    /// What was found; nothing for places behind the end of the document or of their line.
    var excerpts: [Position: SourceExcerpt] {
        var found: [Position: SourceExcerpt] = [:]
        for window in windows where !window.before.isEmpty || !window.after.isEmpty {
            let after = window.after.last == UInt8(ascii: "\r") ? window.after.dropLast() : window.after[...]
            found[window.position] = SourceExcerpt(
                before: String(decoding: window.before, as: UTF8.self),
                after: String(decoding: after, as: UTF8.self),
                isCutBefore: window.position.column > Self.reach + 1, isCutAfter: window.isCutAfter, width: width,
                cut: cut)
        }
        return found
    }
}

// The decoder reports a token only once it is whole, and of commas only at the end of the list. So that the line of
// such a token is right too, text that is not yet settled is kept with its places; all else is looked at only when
// something is wrong.

import DaeCore
import DaeXML

struct TokenPlaces {
    private struct Piece {
        /// From 0 in the whole list.
        let offset: Int
        let position: XMLPosition
    }

    /// What is kept.
    private var pieces: [Piece] = []
    /// The text of the pieces.
    private var bytes: [UInt8] = []
    private var length = 0

    /// Forgets everything, for the next list.
    mutating func reset() {
        length = 0
        forget()
    }

    /// The place of the token that begins at `offset`, found while the decoder had the text at hand.
    func position(of offset: Int, in text: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLPosition {
        guard offset >= length else { return self.position(of: offset) }
        return position.advanced(over: UnsafeRawBufferPointer(rebasing: text[..<min(text.count, offset - length)]))
    }

    /// The place of the token that begins at `offset`, found at the end of the list.
    func position(of offset: Int) -> XMLPosition {
        guard let first = pieces.first, let piece = pieces.last(where: { $0.offset <= offset }) else {
            return XMLPosition()
        }
        let start = piece.offset - first.offset
        let end = min(bytes.count, offset - first.offset)
        return bytes[start..<max(start, end)].withUnsafeBytes { piece.position.advanced(over: $0) }
    }

    /// Passes over text that the decoder got.
    ///
    /// - Parameters:
    ///   - settled: How far from 0 in the whole list there is nothing left to report about.
    ///   - isPlain: Whether nothing was wrong so far: then all that is settled is numbers, a character a byte.
    mutating func pass(_ text: UnsafeRawBufferPointer, at position: XMLPosition, settled: Int, isPlain: Bool) {
        if settled >= length { forget() }
        if settled < length + text.count {
            let done = isPlain ? max(0, settled - length) : 0
            let start = position.advanced(overPlain: UnsafeRawBufferPointer(rebasing: text[..<done]))
            pieces.append(Piece(offset: length + done, position: start))
            bytes.append(contentsOf: text[done...])
        }
        length += text.count
    }

    private mutating func forget() {
        guard !pieces.isEmpty else { return }
        pieces.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}

extension XMLPosition {
    /// The place behind text of which every byte is a character: quicker than where each has to be looked at.
    fileprivate func advanced(overPlain text: UnsafeRawBufferPointer) -> XMLPosition {
        var position = self
        position.byte += Int64(text.count)
        guard var line = text.baseAddress else { return position }
        let end = line + text.count
        while let newline = memchr(line, Int32(UInt8(ascii: "\n")), end - line) {
            position.line += 1
            position.column = 1
            line = UnsafeRawPointer(newline) + 1
        }
        position.column += end - line
        return position
    }
}

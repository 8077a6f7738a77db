// The decoder tells of a token only once it is whole, and of commas only at the end of the list. So that the line of
// such a token is right too, text that is not yet settled is kept with its places; all else is looked at only when
// something is odd.

import XMLReader

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

    /// The place of the token that begins at `offset`, told while the decoder had the text at hand.
    func position(of offset: Int, in text: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLPosition {
        guard offset >= length else { return self.position(of: offset) }
        return position.advanced(over: UnsafeRawBufferPointer(rebasing: text[..<min(text.count, offset - length)]))
    }

    /// The place of the token that begins at `offset`, told at the end of the list.
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
    /// - Parameter settled: How far from 0 in the whole list there is nothing left to tell of.
    mutating func pass(_ text: UnsafeRawBufferPointer, at position: XMLPosition, settled: Int) {
        if settled >= length { forget() }
        if settled < length + text.count {
            pieces.append(Piece(offset: length, position: position))
            bytes.append(contentsOf: text)
        }
        length += text.count
    }

    private mutating func forget() {
        guard !pieces.isEmpty else { return }
        pieces.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}

// The decoder tells of a token only once it is whole, and of commas only at the end of the list. So that the line of
// such a token is right too, text that is not yet settled is kept with its places.

import XMLReader

struct TokenPlaces {
    private struct Piece {
        /// From 0 in the whole list.
        let offset: Int
        let position: XMLPosition
    }
    private enum Mode {
        /// Only the last token can be open.
        case reading
        /// From the first comma on the decoder holds everything back.
        case holding
    }

    private var mode = Mode.reading
    private var pieces: [Piece] = []
    /// The text of the pieces.
    private var bytes: [UInt8] = []
    private var length = 0

    /// Forgets everything, for the next list.
    mutating func reset() {
        mode = .reading
        length = 0
        forget()
    }

    /// Adds text before the decoder gets it.
    mutating func add(_ text: UnsafeRawBufferPointer, at position: XMLPosition) {
        if text.contains(UInt8(ascii: ",")) { mode = .holding }
        pieces.append(Piece(offset: length, position: position))
        bytes.append(contentsOf: text)
        length += text.count
    }

    /// Forgets what the decoder has settled; a token may go on behind the last piece only.
    mutating func settle(_ last: UnsafeRawBufferPointer) {
        switch mode {
        case .holding: return
        case .reading:
            guard pieces.count > 1, let piece = pieces.last, last.contains(where: { $0 <= 0x20 }) else { return }
            pieces = [piece]
            bytes.removeFirst(bytes.count - last.count)
        }
    }

    /// The place of the token that begins at `offset`.
    func position(of offset: Int) -> XMLPosition {
        guard let first = pieces.first, let piece = pieces.last(where: { $0.offset <= offset }) else {
            return XMLPosition()
        }
        let start = piece.offset - first.offset
        let end = min(bytes.count, offset - first.offset)
        return bytes[start..<max(start, end)].withUnsafeBytes { piece.position.advanced(over: $0) }
    }

    private mutating func forget() {
        pieces.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}

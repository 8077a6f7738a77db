// A scene may refer to its materials from each of its nodes. As a String of its own a text of twenty bytes takes 48, and is
// counted by everyone who looks at it.

/// Texts behind one another in memory that is never moved; freed with the last owner.
///
/// A class since those who share it are many. Unchecked because it grows only while one owner has it, which says when; from
/// then on nobody changes it.
final class TextPieces: @unchecked Sendable {
    /// Where a text is, in eight bytes.
    struct Place: BitwiseCopyable {
        fileprivate let piece: UInt32
        fileprivate let start: UInt16
        /// The largest number for one that is all of its piece.
        fileprivate let count: UInt16
    }

    // Asked at every reference, and never from within.
    @exclusivity(unchecked) private var pieces: [UnsafeMutableRawBufferPointer] = []
    /// The piece that has room left, and how much of it is used.
    @exclusivity(unchecked) private var open = (piece: 0, used: 0)
    /// In bytes: a longer text has a piece of its own.
    private static let longest = 1 << 10
    private static let firstPiece = 1 << 10
    private static let largestPiece = 1 << 15

    deinit { for piece in pieces { piece.deallocate() } }

    /// More texts than their number can hold would need more memory than machines have.
    func append(_ text: UnsafeRawBufferPointer) -> Place {
        guard text.count <= Self.longest else {
            let piece = add(pieceOf: text.count)
            pieces[piece].copyMemory(from: text)
            return Place(piece: UInt32(truncatingIfNeeded: piece), start: 0, count: .max)
        }
        if pieces.isEmpty || text.count > pieces[open.piece].count - open.used {
            let size = pieces.isEmpty ? Self.firstPiece : min(Self.largestPiece, 2 * pieces[open.piece].count)
            open = (add(pieceOf: size), 0)
        }
        let start = open.used
        UnsafeMutableRawBufferPointer(rebasing: pieces[open.piece][start...]).copyMemory(from: text)
        open.used += text.count
        return Place(
            piece: UInt32(truncatingIfNeeded: open.piece), start: UInt16(truncatingIfNeeded: start),
            count: UInt16(truncatingIfNeeded: text.count))
    }

    /// Valid as long as the texts are.
    subscript(place: Place) -> UnsafeRawBufferPointer {
        let piece = UnsafeRawBufferPointer(pieces[Int(place.piece)])
        guard place.count != .max else { return piece }
        return UnsafeRawBufferPointer(rebasing: piece[Int(place.start)..<Int(place.start) + Int(place.count)])
    }

    private func add(pieceOf size: Int) -> Int {
        pieces.append(.allocate(byteCount: size, alignment: 1))
        return pieces.count - 1
    }
}

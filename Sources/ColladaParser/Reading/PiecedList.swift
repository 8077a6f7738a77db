/// A list that grows at its end without being moved: it lies in pieces of a fixed length, where one array would have to
/// be up to twice as long while it grows.
///
/// A class since those who share it are many, and a look at an element costs no count of references. Unchecked because it
/// grows only while one owner has it, which says when; from then on nobody changes it.
final class PiecedList<Element: Sendable>: @unchecked Sendable {
    private var pieces: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
    private var pieceCount = 0
    private var capacity = 16
    private(set) var count = 0
    private static var pieceBits: Int { 8 }
    private static var length: Int { 1 << pieceBits }

    init() { pieces = .allocate(capacity: capacity) }

    deinit {
        for piece in 0..<pieceCount {
            pieces[piece].deinitialize(count: min(Self.length, count - piece * Self.length))
            pieces[piece].deallocate()
        }
        pieces.deallocate()
    }

    @inline(__always)
    subscript(index: Int) -> Element { address(of: index).pointee }

    /// Shows an element where it lies; it is not copied, with all it holds.
    @inline(__always)
    func with<Result>(_ index: Int, _ body: (borrowing Element) -> Result) -> Result {
        body(address(of: index).pointee)
    }

    @inline(__always)
    private func address(of index: Int) -> UnsafeMutablePointer<Element> {
        precondition(index >= 0 && index < count, "an element is asked for that the list does not have")
        return pieces[index >> Self.pieceBits] + index & (Self.length - 1)
    }

    func append(_ element: Element) {
        if count >> Self.pieceBits == pieceCount { addPiece() }
        (pieces[count >> Self.pieceBits] + count & (Self.length - 1)).initialize(to: element)
        count += 1
    }

    private func addPiece() {
        if pieceCount == capacity {
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<Element>>.allocate(capacity: 2 * capacity)
            larger.moveInitialize(from: pieces, count: pieceCount)
            pieces.deallocate()
            pieces = larger
            capacity *= 2
        }
        (pieces + pieceCount).initialize(to: .allocate(capacity: Self.length))
        pieceCount += 1
    }
}

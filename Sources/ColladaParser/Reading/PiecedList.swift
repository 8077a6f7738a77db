/// A list that grows at its end without being moved: it lies in pieces of a fixed length, where one array would have to
/// be up to twice as long while it grows.
struct PiecedList<Element: Sendable>: Sendable {
    private var pieces: [[Element]] = []
    private(set) var count = 0
    private static var pieceBits: Int { 8 }

    subscript(index: Int) -> Element { pieces[index >> Self.pieceBits][index & (1 << Self.pieceBits - 1)] }

    /// Shows an element where it lies; it is not copied, with all it holds.
    @inline(__always)
    func with<Result>(_ index: Int, _ body: (borrowing Element) -> Result) -> Result {
        pieces[index >> Self.pieceBits].withUnsafeBufferPointer { body($0[index & (1 << Self.pieceBits - 1)]) }
    }

    mutating func append(_ element: Element) {
        if count >> Self.pieceBits == pieces.count {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(1 << Self.pieceBits)
        }
        pieces[pieces.count - 1].append(element)
        count += 1
    }
}

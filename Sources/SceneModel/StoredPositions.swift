// A document of gigabytes is inspected in a few megabytes: its positions lie where whoever read it put them.

/// Positions that lie outside of the scene, x y z after x y z.
public struct StoredPositions: Sendable {
    /// Positions in all.
    public let count: Int
    private let read: @Sendable (_ positions: Range<Int>, _ values: inout [Double]) -> Bool

    /// - Parameter read: Puts the values of some positions into an array, whatever was in it; says whether it could. May
    ///   be called from several threads at once.
    public init(count: Int, read: @escaping @Sendable (_ positions: Range<Int>, _ values: inout [Double]) -> Bool) {
        self.count = count
        self.read = read
    }

    /// Positions that are in memory at a time.
    private static let pieceCount = 2048

    /// Calls `body` with all values, a few whole positions at a time.
    ///
    /// - Returns: Whether all could be read.
    public func forEachPiece(_ body: ([Double]) -> Void) -> Bool {
        var values: [Double] = []
        var first = 0
        while first < count {
            let piece = first..<min(count, first + Self.pieceCount)
            guard read(piece, &values) else { return false }
            body(values)
            first = piece.upperBound
        }
        return true
    }

    /// All values; `nil` where they cannot be read.
    public var values: [Double]? {
        var all: [Double] = []
        return forEachPiece { all.append(contentsOf: $0) } ? all : nil
    }
}

extension StoredPositions: Equatable {
    public static func == (left: StoredPositions, right: StoredPositions) -> Bool {
        guard left.count == right.count else { return false }
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for first in stride(from: 0, to: left.count, by: pieceCount) {
            let piece = first..<min(left.count, first + pieceCount)
            guard left.read(piece, &ours), right.read(piece, &theirs), ours == theirs else { return false }
        }
        return true
    }
}

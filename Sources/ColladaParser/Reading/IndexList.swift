/// The indices of a primitive, in memory or stored, a piece at a time.
struct IndexList {
    private let indices: [Int32]
    private let stored: [StoredNumbers]
    private let store: NumberStore
    /// Indices that are looked at.
    private let end: Int

    /// Indices of a piece, about; small enough to stay in the processor's cache while every input looks at its own.
    private static let pieceSize = 1 << 13

    /// - Parameter corners: Corners that belong to a primitive; what is behind them is not looked at.
    init(_ primitive: borrowing ColladaDocument.Primitive, corners: Int, store: NumberStore) {
        indices = primitive.indices
        stored = primitive.stored
        self.store = store
        end = min(primitive.indexCount, corners * primitive.stride)
    }

    /// Calls `body` with all indices, `unit` or a multiple at a time, but for the last.
    func forEachPiece(of unit: Int, _ body: (UnsafeBufferPointer<Int32>) -> Void) {
        let size = max(1, Self.pieceSize / unit) * unit
        if stored.isEmpty {
            indices.withUnsafeBufferPointer { indices in
                for start in stride(from: 0, to: end, by: size) {
                    body(UnsafeBufferPointer(rebasing: indices[start..<min(end, start + size)]))
                }
            }
            return
        }
        var piece: [Int32] = []
        piece.reserveCapacity(size)
        var left = end
        for run in stored {
            var taken = 0
            while left > 0, taken < run.count {
                let count = min(size - piece.count, run.count - taken, left)
                let start = run.start + taken * MemoryLayout<Int32>.stride
                // What is stored no more ends the reading of the document.
                guard store.read(count, at: start, into: &piece) else { return }
                taken += count
                left -= count
                guard piece.count == size || left == 0 else { continue }
                piece.withUnsafeBufferPointer(body)
                piece.removeAll(keepingCapacity: true)
            }
        }
    }
}

// Indices are looked at as they pass, and stored nowhere. What they are held against may come behind them, so what is
// noted is enough where nothing is wrong with them: the largest of each input, the positions in use, the faces without
// area. Where something is wrong, the document is read again with all of them at hand.

/// What there is to say of the indices of one primitive, once they passed.
struct IndexWatch {
    let stride: Int
    /// Corners of each polygon that were known when the first index came.
    let cornerCounts: CornerCounts
    /// Corners that were looked at.
    private(set) var corners = 0
    /// Which of the indices of a corner is its position's; `nil` without.
    let positionOffset: Int?
    private let kind: ColladaDocument.Primitive.Kind
    /// Of each offset, the largest index, a negative one taken for a very large one; -1 without.
    private var largest: [Int64]
    private var positions: IndexStream?
    /// Corners to look at, at most.
    private let most: Int
    /// Corners that are looked at together.
    private let unit: Int
    /// What is not looked at yet.
    private var waiting: [Int32] = []

    /// - Parameters:
    ///   - positions: For how many there is room among those in use.
    ///   - cornerCounts: Of polygons.
    init(
        _ kind: ColladaDocument.Primitive.Kind, stride: Int, positionOffset: Int?, positions: Int,
        cornerCounts: CornerCounts
    ) {
        self.kind = kind
        self.stride = stride
        self.positionOffset = positionOffset
        self.cornerCounts = cornerCounts
        largest = [Int64](repeating: -1, count: stride)
        switch kind {
        case .triangles: (unit, most) = (3, .max)
        case .lines: (unit, most) = (2, .max)
        case .polylist: (unit, most) = (1, cornerCounts.reduce(0) { $0 + max(0, Int($1)) })
        case .polygons, .tristrips, .trifans, .linestrips: (unit, most) = (1, .max)
        }
        self.positions = positionOffset.map {
            IndexStream(
                offset: $0, stride: stride, limit: positions, faces: .init(of: kind, cornerCounts: cornerCounts))
        }
    }

    var degenerateFaces: Int { positions?.degenerateFaces ?? 0 }

    /// Whether no index of an offset is negative, or `limit` or larger, so that nothing of them is left to tell.
    func isBelow(_ limit: Int, at offset: Int) -> Bool {
        largest.indices.contains(offset) && largest[offset] < min(Int64(limit), 1 << 31)
    }

    /// Looks at the next indices.
    mutating func pass(_ indices: [Int32], in used: inout UsedPositions) {
        guard waiting.isEmpty else {
            waiting.append(contentsOf: indices)
            let looked = waiting.withUnsafeBufferPointer { look(at: $0, in: &used) }
            waiting.removeFirst(looked)
            return
        }
        // Mostly all of a list comes at once.
        let looked = indices.withUnsafeBufferPointer { look(at: $0, in: &used) }
        if looked < indices.count { waiting.append(contentsOf: indices[looked...]) }
    }

    /// - Returns: How many were looked at, or need not be.
    private mutating func look(at indices: UnsafeBufferPointer<Int32>, in used: inout UsedPositions) -> Int {
        let whole = indices.count / (unit * stride) * unit
        let count = min(whole, most - corners)
        guard count > 0 else { return corners >= most ? indices.count : 0 }
        corners += count
        let piece = UnsafeBufferPointer(rebasing: indices[..<(count * stride)])
        noteLargest(of: piece)
        positions?.mark(piece, in: &used)
        return piece.count
    }

    private typealias Lanes = SIMD8<UInt32>

    /// - Parameter piece: Whole corners.
    private mutating func noteLargest(of piece: UnsafeBufferPointer<Int32>) {
        guard let start = UnsafeRawPointer(piece.baseAddress) else { return }
        // As many vectors as a corner has indices end where a corner ends, so that a lane is always the same offset's.
        let block = Lanes.scalarCount * stride
        let end = piece.count / block * block
        let width = MemoryLayout<Int32>.stride
        for first in Swift.stride(from: 0, to: end > 0 ? block : 0, by: Lanes.scalarCount) {
            var lanes = Lanes(repeating: 0)
            var at = first
            while at < end {
                let next = start.loadUnaligned(fromByteOffset: at &* width, as: Lanes.self)
                lanes.replace(with: next, where: lanes .< next)
                at &+= block
            }
            for lane in 0..<Lanes.scalarCount { note(lanes[lane], at: (first + lane) % stride) }
        }
        for place in end..<piece.count { note(UInt32(bitPattern: piece[place]), at: place % stride) }
    }

    private mutating func note(_ index: UInt32, at offset: Int) {
        largest[offset] = max(largest[offset], Int64(index))
    }

    /// Ends a list; what is cut off of a strip is no part of the next one.
    mutating func endList() {
        switch kind {
        case .triangles, .lines, .polylist:
            // Watches live as long as their geometry: what waits takes no more room than it needs.
            waiting = corners < most ? waiting.fitted() : []
        case .polygons, .tristrips, .trifans, .linestrips: waiting = []
        }
    }
}

import SceneModel

/// Where in an array of numbers the positions are.
struct PositionLayout {
    let offset: Int
    let stride: Int
    /// Which value of an element is x, y and z.
    let lanes: [(axis: Int, lane: Int)]

    init(_ accessor: ColladaDocument.Accessor?) {
        offset = accessor?.offset ?? 0
        stride = accessor?.stride ?? 3
        // As nearly all have it.
        if let params = accessor?.params, params.count == 3, params[0] == "X", params[1] == "Y", params[2] == "Z" {
            lanes = Self.plainLanes
            isInOrder = true
            return
        }
        lanes = Self.lanes(of: accessor)
        isInOrder = lanes.map(\.lane) == [0, 1, 2]
    }

    /// Whether the array is nothing but x y z after x y z.
    var isPlain: Bool { offset == 0 && stride == 3 && isInOrder }

    /// Whether the first three values of an element are x, y and z.
    let isInOrder: Bool

    /// Values from the first to the last lane of an element.
    var reach: Int { isInOrder ? 3 : (lanes.map(\.lane).max() ?? 0) + 1 }

    private static let plainLanes = [(axis: 0, lane: 0), (axis: 1, lane: 1), (axis: 2, lane: 2)]

    /// By name where X, Y and Z are named, else the first three that have one.
    private static func lanes(of accessor: ColladaDocument.Accessor?) -> [(axis: Int, lane: Int)] {
        guard let params = accessor?.params, !params.isEmpty else { return [(0, 0), (1, 1), (2, 2)] }
        let named = ["X", "Y", "Z"].enumerated().compactMap { axis, name in
            params.firstIndex { $0?.uppercased() == name }.map { (axis: axis, lane: $0) }
        }
        if named.count == 3 { return named }
        let lanes = params.indices.filter { params[$0] != nil }
        return Array(zip(0..., lanes.isEmpty ? Array(params.indices) : lanes).prefix(3)).map { (axis: $0, lane: $1) }
    }
}

/// Picks the positions out of an array, and finds the box of those in use.
struct PositionCollector {
    private let layout: PositionLayout
    private let used: UsedPositions
    private let areAllUsed: Bool
    private var low = SIMD3<Double>(repeating: .infinity)
    private var high = SIMD3<Double>(repeating: -.infinity)

    /// Values of a piece, about.
    private static let pieceSize = 1 << 13

    init(_ layout: PositionLayout, used: UsedPositions) {
        self.layout = layout
        self.used = used
        areAllUsed = used.used == used.count
    }

    /// Over those that are finite; `nil` without any.
    var bounds: Bounds? { low.x <= high.x ? Bounds(min: low, max: high) : nil }

    /// Goes through an array in memory.
    ///
    /// - Returns: The values of all positions: the array itself where it has nothing else.
    mutating func pass(_ values: [Double]) -> [Double] {
        if isWhole(values.count) {
            surround(values, from: 0)
            return values
        }
        var kept: [Double] = []
        kept.reserveCapacity(3 * used.count)
        values.withUnsafeBufferPointer { values in
            forEachPiece { collector, elements, start, count in
                let last = min(values.count, start + count)
                guard start < last else { return }
                let part = UnsafeBufferPointer(rebasing: values[start..<last])
                collector.pick(elements, from: part, into: &kept)
            }
        }
        return kept
    }

    /// Goes through an array in a store; `keep` gets the values of all positions, many at a time.
    mutating func pass(_ run: StoredNumbers, of store: NumberStore, keep: ([Double]) -> Void) {
        let isWhole = isWhole(run.count)
        var values: [Double] = []
        var kept: [Double] = []
        forEachPiece { collector, elements, start, count in
            let last = min(run.count, start + count)
            guard start < last else { return }
            values.removeAll(keepingCapacity: true)
            guard store.read(last - start, at: run.start + start * MemoryLayout<Double>.stride, into: &values) else {
                return
            }
            if isWhole {
                collector.surround(values, from: elements.lowerBound)
                keep(values)
            } else {
                kept.removeAll(keepingCapacity: true)
                values.withUnsafeBufferPointer { collector.pick(elements, from: $0, into: &kept) }
                keep(kept)
            }
        }
    }

    /// Whether all values of an array are positions, one behind the other.
    func isWhole(_ values: Int) -> Bool { layout.isPlain && used.count * 3 == values }

    /// Calls `body` with some elements, and which values they are.
    private mutating func forEachPiece(
        _ body: (_ collector: inout PositionCollector, _ elements: Range<Int>, _ start: Int, _ count: Int) -> Void
    ) {
        let most = max(1, Self.pieceSize / layout.stride)
        let reach = layout.reach
        for first in stride(from: 0, to: used.count, by: most) {
            let elements = first..<min(used.count, first + most)
            body(
                &self, elements, layout.offset + first * layout.stride, (elements.count - 1) * layout.stride + reach)
        }
    }

    /// Widens the box around positions that lie one behind the other.
    ///
    /// - Parameter first: The first one's index.
    private mutating func surround(_ values: [Double], from first: Int) {
        guard areAllUsed else {
            var at = 0
            while at + 2 < values.count {
                if used[first + at / 3] { surround(SIMD3(values[at], values[at + 1], values[at + 2])) }
                at += 3
            }
            return
        }
        var (low, high) = (low, high)
        values.withUnsafeBufferPointer { values in
            var at = 0
            while at + 2 < values.count {
                let (x, y, z) = (values[at], values[at + 1], values[at + 2])
                at += 3
                guard x.isFinite, y.isFinite, z.isFinite else { continue }
                low = SIMD3(min(low.x, x), min(low.y, y), min(low.z, z))
                high = SIMD3(max(high.x, x), max(high.y, y), max(high.z, z))
            }
        }
        (self.low, self.high) = (low, high)
    }

    /// - Parameters:
    ///   - values: From the first value of the first element on.
    ///   - kept: Receives the values of all.
    private mutating func pick(
        _ elements: Range<Int>, from values: UnsafeBufferPointer<Double>, into kept: inout [Double]
    ) {
        let isDense = layout.isInOrder && values.count >= (elements.count - 1) * layout.stride + 3
        for element in elements {
            let start = (element - elements.lowerBound) * layout.stride
            var point = SIMD3<Double>.zero
            if isDense {
                point = SIMD3(values[start], values[start + 1], values[start + 2])
            } else {
                for (axis, lane) in layout.lanes where start + lane < values.count {
                    point[axis] = values[start + lane]
                }
            }
            kept.append(point.x)
            kept.append(point.y)
            kept.append(point.z)
            if used[element] { surround(point) }
        }
    }

    private mutating func surround(_ point: SIMD3<Double>) {
        guard point.x.isFinite, point.y.isFinite, point.z.isFinite else { return }
        low = SIMD3(min(low.x, point.x), min(low.y, point.y), min(low.z, point.z))
        high = SIMD3(max(high.x, point.x), max(high.y, point.y), max(high.z, point.z))
    }
}

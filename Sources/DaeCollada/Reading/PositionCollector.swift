import DaeScene

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

    init(_ layout: PositionLayout, used: UsedPositions) {
        self.layout = layout
        self.used = used
        areAllUsed = used.used == used.count
    }

    /// Over those that are finite; `nil` without any.
    var bounds: Bounds? { low.x <= high.x ? Bounds(min: low, max: high) : nil }

    /// Goes through the values of an array.
    ///
    /// - Returns: The values of all positions: the array itself where it has nothing else.
    mutating func pass(_ values: NumberArray<Double>) -> NumberArray<Double> {
        // Whole positions, many at a time.
        if layout.isPlain, used.count * 3 == values.count {
            values.forEachPart(of: Self.partSize) { part, first in surround(part, from: first / 3) }
            return values
        }
        var kept: [Double] = []
        kept.reserveCapacity(3 * used.count)
        pick(from: values.span, into: &kept)
        values.giveBack()
        return NumberArray(kept)
    }

    /// Values of a part.
    private static let partSize = 3 << 12

    /// Widens the box around positions that lie one behind the other.
    ///
    /// - Parameter first: The first one's index.
    private mutating func surround(_ values: Span<Double>, from first: Int) {
        guard areAllUsed else {
            var at = 0
            while at + 2 < values.count {
                if used[first + at / 3] { surround(SIMD3(values[at], values[at + 1], values[at + 2])) }
                at += 3
            }
            return
        }
        var (low, high) = (low, high)
        var at = 0
        while at + 2 < values.count {
            let (x, y, z) = (values[at], values[at + 1], values[at + 2])
            at += 3
            guard x.isFinite, y.isFinite, z.isFinite else { continue }
            low = SIMD3(min(low.x, x), min(low.y, y), min(low.z, z))
            high = SIMD3(max(high.x, x), max(high.y, y), max(high.z, z))
        }
        (self.low, self.high) = (low, high)
    }

    /// - Parameter kept: Receives the values of all positions.
    private mutating func pick(from values: Span<Double>, into kept: inout [Double]) {
        for element in 0..<used.count {
            let start = layout.offset + element * layout.stride
            var point = SIMD3<Double>.zero
            if layout.isInOrder, start + 2 < values.count {
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

/// Which positions a primitive uses: one bit each.
struct UsedPositions {
    /// Positions there are.
    let count: Int
    /// A bit each, those of the first in the lowest.
    var words: [UInt64]

    init(count: Int) {
        self.count = count
        words = Array(of: (count + 63) / 64, each: 0)
    }

    /// A bit each, those of the first in the lowest; nothing where all are used.
    var bits: [UInt64] { used == count ? [] : words }

    /// How many are used.
    var used: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    subscript(index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }
}

/// The positions of a polygon's corners, made safe to calculate with: finite, and neither so large nor so small that
/// products of them are lost.
struct PolygonCorners: Sendable {
    /// Ring after ring.
    private(set) var points: [SIMD3<Double>] = []
    private(set) var isFinite = true  // a fact about the input

    mutating func load(_ numbers: [Int32], of corners: Span<Int32>, _ positions: Span<Double>) {
        points.removeAll(keepingCapacity: true)
        isFinite = true
        var last = SIMD3<Double>.zero
        var largest = 0.0
        for number in numbers {
            if let point = position(corners[Int(number)], positions) {
                last = point
                largest = max(largest, point.largest)
            } else {
                isFinite = false
            }
            points.append(last)
        }
        guard largest > 0, !(0x1p-200...0x1p200).contains(largest) else { return }
        // In two steps, since the factor itself may be out of range. Powers of two round nothing.
        let shift = -Int(largest.exponent)
        let first = Double(sign: .plus, exponent: shift / 2, significand: 1)
        let second = Double(sign: .plus, exponent: shift - shift / 2, significand: 1)
        for place in points.indices { points[place] = points[place] * first * second }
    }

    /// The normal by Newell's sums, twice the area long; zero where there is no area.
    static func normal(of ring: some RandomAccessCollection<SIMD3<Double>>) -> SIMD3<Double> {
        guard let origin = ring.first, let last = ring.last else { return .zero }
        var sum = SIMD3<Double>.zero
        var from = last - origin
        for point in ring {
            let to = point - origin
            sum += from.cross(to)
            from = to
        }
        return sum
    }
}

/// The position of index `index`; `nil` where it does not exist or is not finite.
@inline(__always)
func position(_ index: Int32, _ positions: Span<Double>) -> SIMD3<Double>? {
    let first = Int(index) * 3
    guard first >= 0, first + 2 < positions.count else { return nil }
    let point = SIMD3(positions[first], positions[first + 1], positions[first + 2])
    return point.isFinite ? point : nil
}

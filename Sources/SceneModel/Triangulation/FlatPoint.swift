/// A point of the plane that a polygon was laid on. Its numbers are finite, and nought or between 2^-400 and 2^201 in
/// size, so that products of two neither overflow nor lose their last bits: see ``orientation(_:_:_:)``.
struct FlatPoint: Equatable, Sendable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) {
        self.x = abs(x) < 0x1p-400 ? 0 : x
        self.y = abs(y) < 0x1p-400 ? 0 : y
    }

    /// Left to right, then bottom to top.
    func precedes(_ other: FlatPoint) -> Bool { x < other.x || (x == other.x && y < other.y) }
}

/// Positive where a, b, c turn left, negative where they turn right, nought where they are on one line: exactly so.
///
/// - Source: the idea of Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic": the rounded value where it
///   exceeds its error bound, else the sum of all products without rounding.
@inline(__always)
func orientation(_ a: FlatPoint, _ b: FlatPoint, _ c: FlatPoint) -> Double {
    let left = (a.x - c.x) * (b.y - c.y)
    let right = (a.y - c.y) * (b.x - c.x)
    let rounded = left - right
    if abs(rounded) >= 0x1.8000000000004p-52 * (abs(left) + abs(right)) { return rounded }
    return exactOrientation(a, b, c)
}

@inline(never)
private func exactOrientation(_ a: FlatPoint, _ b: FlatPoint, _ c: FlatPoint) -> Double {
    var sum = ExactSum()
    sum.add(a.x, times: b.y)
    sum.add(-a.y, times: b.x)
    sum.add(b.x, times: c.y)
    sum.add(-b.y, times: c.x)
    sum.add(c.x, times: a.y)
    sum.add(-c.y, times: a.x)
    return sum.leading
}

/// Six products at most, kept as doubles that do not overlap, from small to large: nothing is rounded away.
private struct ExactSum {
    private var parts = InlineArray<12, Double>(repeating: 0)
    private var count = 0

    /// The largest part; it alone decides the sign.
    var leading: Double { count == 0 ? 0 : parts[count - 1] }

    mutating func add(_ a: Double, times b: Double) {
        let product = a * b
        add((-product).addingProduct(a, b))
        add(product)
    }

    private mutating func add(_ value: Double) {
        var carried = value
        var kept = 0
        for place in 0..<count {
            let part = parts[place]
            let sum = carried + part
            let shown = sum - carried
            let lost = (carried - (sum - shown)) + (part - shown)
            if lost != 0 {
                parts[kept] = lost
                kept += 1
            }
            carried = sum
        }
        if carried != 0 {
            parts[kept] = carried
            kept += 1
        }
        count = kept
    }
}

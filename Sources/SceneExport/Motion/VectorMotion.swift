import SceneModel

/// A point that curves move along straight directions.
struct VectorMotion {
    /// Where it stands with all numbers at 0.
    var origin: SIMD3<Double>
    private(set) var numbers: [CurveNumber] = []
    private(set) var directions: [SIMD3<Double>] = []

    init(origin: SIMD3<Double>) {
        self.origin = origin
    }

    /// The length of the longest vector that keys can make; above 0.
    var reach: Double {
        var reach = origin.size
        for (number, direction) in zip(numbers, directions) {
            let most = number.curve.times.indices.reduce(0) {
                max($0, abs(number.curve.value(ofKey: $1, number.component)))
            }
            reach = max(reach, most * direction.size)
        }
        return reach > 0 && reach.isFinite ? reach : 1
    }

    mutating func add(_ number: CurveNumber, along direction: SIMD3<Double>) {
        numbers.append(number)
        directions.append(direction)
    }

    /// - Parameter tolerance: How far the point may be off between keys.
    func keys(in span: TrackSpan, tolerance: Double) -> CurveKeys? {
        let share = tolerance / Double(max(1, numbers.count)).squareRoot()
        return CurveKeys(
            numbers, in: span,
            tolerances: directions.map { $0.size > 0 ? share / $0.size : .infinity })
    }

    /// How far the point is off at most, where each number is as far off as it can be.
    func deviation(of keys: CurveKeys) -> Double {
        zip(directions, keys.deviations).reduce(0) { $0 + $1.0.size * $1.1 }
    }

    /// The points of a key's row, or how they move; `isPlace` says which.
    func vector(_ row: ArraySlice<Double>, isPlace: Bool) -> SIMD3<Double> {
        var vector = isPlace ? origin : .zero
        for (direction, number) in zip(directions, row) { vector += direction * number }
        return vector
    }
}

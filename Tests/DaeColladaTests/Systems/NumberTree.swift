/// Any value as its numbers, and all else about it as text: for values that differ by rounding alone.
struct NumberTree {
    private(set) var numbers: [(path: String, value: Double)] = []
    private(set) var rest: [String] = []

    init(_ value: Any) { add(value, "") }

    private mutating func add(_ value: Any, _ path: String) {
        switch value {
        case let number as Double: numbers.append((path, number))
        case let pair as SIMD2<Double>: add((0..<2).map { pair[$0] }, path)
        case let vector as SIMD3<Double>: add((0..<3).map { vector[$0] }, path)
        case let vector as SIMD4<Double>: add((0..<4).map { vector[$0] }, path)
        default:  // any type
            let mirror = Mirror(reflecting: value)
            if mirror.children.isEmpty { rest.append("\(path)=\(value)") }
            for (place, child) in mirror.children.enumerated() {
                add(child.value, "\(path).\(child.label ?? "\(place)")")
            }
        }
    }

    /// The paths of numbers that are not near those of another tree, and of what else differs.
    func differences(from other: NumberTree) -> [String] {
        var found = zip(rest, other.rest).filter { $0 != $1 }.map { "\($0) is not \($1)" }
        if rest.count != other.rest.count || numbers.count != other.numbers.count {
            found.append("\(rest.count) and \(numbers.count) are not \(other.rest.count) and \(other.numbers.count)")
        }
        for (one, two) in zip(numbers, other.numbers) where one.path != two.path || !Self.areNear(one.value, two.value)
        {
            found.append("\(one.path): \(one.value) is not \(two.value)")
        }
        return found
    }

    private static func areNear(_ one: Double, _ two: Double) -> Bool {
        one == two || abs(one - two) <= 1e-12 * max(1, abs(one), abs(two))
    }
}

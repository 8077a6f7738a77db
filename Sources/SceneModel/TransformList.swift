/// The transforms of a node, kept as the numbers that the document writes: each element of an array of ``Transform`` has
/// room for a matrix, where a node of Maya's or 3ds Max's has five or more transforms of three or four numbers.
package struct TransformList: Sendable, Equatable {
    /// Of each transform its kind, then its numbers.
    private var numbers: [Double] = []

    package init() {}

    package init(_ transforms: [Transform]) {
        numbers.reserveCapacity(transforms.reduce(0) { $0 + 1 + $1.kind.count })
        for transform in transforms { append(transform) }
    }

    package mutating func append(_ transform: Transform) {
        let (kind, components) = (transform.kind, transform.components)
        if numbers.isEmpty { numbers.reserveCapacity(1 + kind.count) }
        numbers.append(Double(kind.rawValue))
        for place in 0..<kind.count { numbers.append(components[place]) }
    }

    package var isEmpty: Bool { numbers.isEmpty }

    package var count: Int {
        var count = 0
        forEach { _ in count += 1 }
        return count
    }

    package func forEach(_ body: (Transform) -> Void) {
        var at = 0
        while at < numbers.count, let kind = Transform.Kind(rawValue: Int(numbers[at])) {
            var components = SIMD16<Double>()
            for place in 0..<kind.count { components[place] = numbers[at + 1 + place] }
            body(Transform(kind, components))
            at += 1 + kind.count
        }
    }

    package var array: [Transform] {
        var array: [Transform] = []
        forEach { array.append($0) }
        return array
    }

    /// One after the other, the last one first to a point; those without a direction left out.
    package var matrix: Matrix4 {
        var product: Matrix4?
        forEach { transform in
            let matrix = transform.matrix
            if let before = product {
                if let matrix { product = before * matrix }
            } else {
                product = matrix ?? .identity
            }
        }
        return product ?? .identity
    }
}

/// The transforms of a node, kept as the numbers that the document writes: each element of an array of ``Transform`` has
/// room for a matrix, where a node of Maya's or 3ds Max's has five or more transforms of three or four numbers.
package struct TransformList: Sendable, Equatable {
    /// Of each transform its kind, then its numbers.
    private var numbers: [Double] = []
    /// In place of the kind: a matrix without its last row, which is 0 0 0 1 as nearly all are.
    private static let affineMatrix = -1.0
    private static let affineCount = 12

    package init() {}

    package init(_ transforms: [Transform]) {
        for transform in transforms { append(transform) }
    }

    package mutating func append(_ transform: Transform) {
        let (kind, components) = (transform.kind, transform.components)
        let isAffine = kind == .matrix && components.endsAffinely
        let count = isAffine ? Self.affineCount : kind.count
        // Mostly there is one.
        if numbers.isEmpty { numbers.reserveCapacity(1 + count) }
        numbers.append(isAffine ? Self.affineMatrix : Double(kind.rawValue))
        for place in 0..<count { numbers.append(components[place]) }
    }

    package var isEmpty: Bool { numbers.isEmpty }

    package var count: Int {
        var count = 0
        forEach { _ in count += 1 }
        return count
    }

    package func forEach(_ body: (Transform) -> Void) {
        var at = 0
        while at < numbers.count {
            let kind = Transform.Kind(rawValue: Int(numbers[at])) ?? .matrix
            let count = numbers[at] == Self.affineMatrix ? Self.affineCount : kind.count
            var components = SIMD16<Double>()
            if count == Self.affineCount { components[15] = 1 }
            for place in 0..<count { components[place] = numbers[at + 1 + place] }
            body(Transform(kind, components))
            at += 1 + count
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

extension TransformList {
    /// By the transforms: a matrix whose last row is −0 is kept otherwise, and is the same.
    package static func == (left: TransformList, right: TransformList) -> Bool {
        left.numbers == right.numbers || left.array == right.array
    }
}

extension SIMD16<Double> {
    /// Whether the last row of a matrix is 0 0 0 1 to the bit.
    fileprivate var endsAffinely: Bool {
        let zeros = self[12].bitPattern | self[13].bitPattern | self[14].bitPattern
        return zeros == 0 && self[15] == 1
    }
}

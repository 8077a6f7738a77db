// A list of transforms has room for a matrix in each of them, and for the alignment of its columns. A scene may have a
// node for every kilobyte of its document, most with one matrix whose last row says nothing: so nodes keep plain numbers.

/// The transforms of one node, number behind number.
package struct TransformList: Sendable {
    /// Of each transform its kind, then its numbers as the document writes them.
    private var numbers: [Double] = []

    private enum Kind: Int {
        case matrix, translate, rotate, scale, skew, lookat
        /// Without its last row, which is 0 0 0 1.
        case affineMatrix

        var count: Int {
            switch self {
            case .matrix: 16
            case .affineMatrix: 12
            case .translate, .scale: 3
            case .rotate: 4
            case .skew: 7
            case .lookat: 9
            }
        }
    }

    package init(_ transforms: [Transform]) {
        guard !transforms.isEmpty else { return }
        numbers.reserveCapacity(transforms.reduce(0) { $0 + 1 + Self.kind(of: $1).count })
        for transform in transforms { append(transform) }
    }

    /// The same in memory of its own.
    package func detached() -> TransformList {
        var copy = self
        copy.numbers = numbers.detached()
        return copy
    }

    package var isEmpty: Bool { numbers.isEmpty }

    package var count: Int {
        var count = 0
        forEach { _ in count += 1 }
        return count
    }

    package var transforms: [Transform] {
        var transforms: [Transform] = []
        guard !isEmpty else { return transforms }
        transforms.reserveCapacity(count)
        forEach { transforms.append($0) }
        return transforms
    }

    /// One after the other, the last one first to a point; those without a direction left out.
    package var matrix: Matrix4 {
        var product: Matrix4?
        forEach { step in
            let matrix = step.matrix
            if let before = product {
                if let matrix { product = before * matrix }
            } else {
                product = matrix ?? .identity
            }
        }
        return product ?? .identity
    }

    package func forEach(_ body: (Transform) -> Void) {
        numbers.withUnsafeBufferPointer { numbers in
            var at = 0
            while at < numbers.count, let kind = Kind(rawValue: Int(numbers[at])) {
                body(Self.transform(kind, UnsafeBufferPointer(rebasing: numbers[(at + 1)...])))
                at += 1 + kind.count
            }
        }
    }

    // MARK: - One transform

    private static func kind(of transform: Transform) -> Kind {
        switch transform {
        case .matrix(let matrix): matrix.isPlainlyAffine ? .affineMatrix : .matrix
        case .translate: .translate
        case .rotate: .rotate
        case .scale: .scale
        case .skew: .skew
        case .lookat: .lookat
        }
    }

    private mutating func append(_ transform: Transform) {
        let kind = Self.kind(of: transform)
        numbers.append(Double(kind.rawValue))
        switch transform {
        case .matrix(let matrix):
            for row in 0..<kind.count / 4 {
                numbers.append(matrix.columns.0[row])
                numbers.append(matrix.columns.1[row])
                numbers.append(matrix.columns.2[row])
                numbers.append(matrix.columns.3[row])
            }
        case .translate(let vector), .scale(let vector): append(vector)
        case .rotate(let axis, let degrees):
            append(axis)
            numbers.append(degrees)
        case .skew(let degrees, let from, let along):
            numbers.append(degrees)
            append(from)
            append(along)
        case .lookat(let eye, let interest, let up):
            append(eye)
            append(interest)
            append(up)
        }
    }

    private mutating func append(_ vector: SIMD3<Double>) {
        numbers.append(vector.x)
        numbers.append(vector.y)
        numbers.append(vector.z)
    }

    private static func transform(_ kind: Kind, _ numbers: UnsafeBufferPointer<Double>) -> Transform {
        func vector(_ start: Int) -> SIMD3<Double> { SIMD3(numbers[start], numbers[start + 1], numbers[start + 2]) }
        func column(_ index: Int, _ last: Double) -> SIMD4<Double> {
            SIMD4(numbers[index], numbers[4 + index], numbers[8 + index], last)
        }
        switch kind {
        case .matrix:
            return .matrix(
                Matrix4(
                    columns: (
                        column(0, numbers[12]), column(1, numbers[13]), column(2, numbers[14]), column(3, numbers[15])
                    )))
        case .affineMatrix:
            return .matrix(Matrix4(columns: (column(0, 0), column(1, 0), column(2, 0), column(3, 1))))
        case .translate: return .translate(vector(0))
        case .rotate: return .rotate(axis: vector(0), degrees: numbers[3])
        case .scale: return .scale(vector(0))
        case .skew: return .skew(degrees: numbers[0], from: vector(1), along: vector(4))
        case .lookat: return .lookat(eye: vector(0), interest: vector(3), up: vector(6))
        }
    }
}

extension TransformList: Equatable {
    /// By the transforms: a matrix whose last row has a −0 is kept otherwise than the same one with a 0.
    package static func == (left: TransformList, right: TransformList) -> Bool {
        left.numbers == right.numbers || left.transforms == right.transforms
    }
}

extension Matrix4 {
    /// Whether its last row is 0 0 0 1 to the bit.
    fileprivate var isPlainlyAffine: Bool {
        let zeros = columns.0.w.bitPattern | columns.1.w.bitPattern | columns.2.w.bitPattern
        return zeros == 0 && columns.3.w == 1
    }
}

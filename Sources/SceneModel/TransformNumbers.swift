// A list of transforms has room for a matrix in each of them, and for the alignment of its columns: nodes keep plain
// numbers instead.

/// The transforms of one node as numbers, one behind the other: of each its kind, then its numbers as the document writes
/// them.
enum TransformNumbers {
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

    // MARK: - Writing

    /// How many numbers they are.
    static func length(of transforms: [Transform]) -> Int {
        var length = 0
        for index in transforms.indices { length += 1 + kind(of: transforms[index]).count }
        return length
    }

    /// - Parameter length: Of the room, which is that of the transforms.
    static func write(_ transforms: [Transform], to room: UnsafeMutablePointer<Double>, _ length: Int) {
        var pen = Pen(at: room, end: room + length)
        for index in transforms.indices { pen.write(transforms[index], as: kind(of: transforms[index])) }
    }

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

    private struct Pen {
        var at: UnsafeMutablePointer<Double>
        let end: UnsafeMutablePointer<Double>

        mutating func write(_ transform: Transform, as kind: Kind) {
            precondition(end - at > kind.count, "transforms are longer than they were")
            write(Double(kind.rawValue))
            switch transform {
            case .matrix(let matrix):
                for row in 0..<kind.count / 4 {
                    write(matrix.columns.0[row])
                    write(matrix.columns.1[row])
                    write(matrix.columns.2[row])
                    write(matrix.columns.3[row])
                }
            case .translate(let vector), .scale(let vector): write(vector)
            case .rotate(let axis, let degrees):
                write(axis)
                write(degrees)
            case .skew(let degrees, let from, let along):
                write(degrees)
                write(from)
                write(along)
            case .lookat(let eye, let interest, let up):
                write(eye)
                write(interest)
                write(up)
            }
        }

        private mutating func write(_ vector: SIMD3<Double>) {
            write(vector.x)
            write(vector.y)
            write(vector.z)
        }

        private mutating func write(_ number: Double) {
            at.initialize(to: number)
            at += 1
        }
    }

    // MARK: - Reading

    static func count(_ numbers: UnsafeBufferPointer<Double>) -> Int {
        var count = 0
        forEach(numbers) { _ in count += 1 }
        return count
    }

    static func transforms(_ numbers: UnsafeBufferPointer<Double>) -> [Transform] {
        var transforms: [Transform] = []
        guard !numbers.isEmpty else { return transforms }
        transforms.reserveCapacity(count(numbers))
        forEach(numbers) { transforms.append($0) }
        return transforms
    }

    /// One after the other, the last one first to a point; those without a direction left out.
    static func matrix(_ numbers: UnsafeBufferPointer<Double>) -> Matrix4 {
        if let matrix = soleAffineMatrix(numbers) { return matrix }
        var product: Matrix4?
        forEach(numbers) { step in
            let matrix = step.matrix
            if let before = product {
                if let matrix { product = before * matrix }
            } else {
                product = matrix ?? .identity
            }
        }
        return product ?? .identity
    }

    /// What most nodes have.
    @inline(__always)
    static func soleAffineMatrix(_ numbers: UnsafeBufferPointer<Double>) -> Matrix4? {
        guard numbers.count == 1 + Kind.affineMatrix.count, Int(numbers[0]) == Kind.affineMatrix.rawValue else {
            return nil
        }
        return affineMatrix(UnsafeBufferPointer(rebasing: numbers[1...]))
    }

    @inline(__always)
    static func forEach(_ numbers: UnsafeBufferPointer<Double>, _ body: (Transform) -> Void) {
        var at = 0
        while at < numbers.count, let kind = Kind(rawValue: Int(numbers[at])) {
            body(transform(kind, UnsafeBufferPointer(rebasing: numbers[(at + 1)...])))
            at += 1 + kind.count
        }
    }

    private static func transform(_ kind: Kind, _ numbers: UnsafeBufferPointer<Double>) -> Transform {
        func vector(_ start: Int) -> SIMD3<Double> { SIMD3(numbers[start], numbers[start + 1], numbers[start + 2]) }
        switch kind {
        case .matrix:
            var matrix = affineMatrix(numbers)
            matrix.columns.0.w = numbers[12]
            matrix.columns.1.w = numbers[13]
            matrix.columns.2.w = numbers[14]
            matrix.columns.3.w = numbers[15]
            return .matrix(matrix)
        case .affineMatrix: return .matrix(affineMatrix(numbers))
        case .translate: return .translate(vector(0))
        case .rotate: return .rotate(axis: vector(0), degrees: numbers[3])
        case .scale: return .scale(vector(0))
        case .skew: return .skew(degrees: numbers[0], from: vector(1), along: vector(4))
        case .lookat: return .lookat(eye: vector(0), interest: vector(3), up: vector(6))
        }
    }

    /// Of three rows.
    private static func affineMatrix(_ numbers: UnsafeBufferPointer<Double>) -> Matrix4 {
        func column(_ index: Int, _ last: Double) -> SIMD4<Double> {
            SIMD4(numbers[index], numbers[4 + index], numbers[8 + index], last)
        }
        return Matrix4(columns: (column(0, 0), column(1, 0), column(2, 0), column(3, 1)))
    }
}

extension Matrix4 {
    /// Whether its last row is 0 0 0 1 to the bit.
    fileprivate var isPlainlyAffine: Bool {
        let zeros = columns.0.w.bitPattern | columns.1.w.bitPattern | columns.2.w.bitPattern
        return zeros == 0 && columns.3.w == 1
    }
}

import DaeCore

extension Dae {
    /// One transform of a node, as COLLADA has them. A node applies its transforms in order, the last one first to a point.
    public enum Transform: Sendable, Equatable {
        case matrix(Matrix4)
        case translate(SIMD3<Double>)
        /// About an axis of any length, in degrees, counter-clockwise when looking against the axis.
        case rotate(axis: SIMD3<Double>, degrees: Double)
        case scale(SIMD3<Double>)
        /// Shears along `along`, so that `from` turns towards it by `degrees`.
        ///
        /// - Source: the RenderMan Interface 3.2, `RiSkew`, to which the COLLADA specification refers.
        case skew(degrees: Double, from: SIMD3<Double>, along: SIMD3<Double>)
        /// Places a viewer at `eye` that looks at `interest` along its −z, with `up` in its y–z plane.
        case lookat(eye: SIMD3<Double>, interest: SIMD3<Double>, up: SIMD3<Double>)

        /// The matrix from the transform's space to the one around it, its last row 0 0 0 1 whatever the document says;
        /// `nil` when the transform has no direction (a rotation about no axis, a lookat with eye and interest in one place,
        /// a skew as wide as its axes are apart).
        public var matrix: Matrix4? {
            switch self {
            case .matrix(let matrix): matrix.isAffine ? matrix : matrix.affine
            case .translate(let offset): Matrix4(x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], origin: offset)
            case .scale(let factor):
                Matrix4(x: SIMD3(factor.x, 0, 0), y: SIMD3(0, factor.y, 0), z: SIMD3(0, 0, factor.z))
            case .rotate(let axis, let degrees): Self.rotation(axis, degrees)
            case .skew(let degrees, let from, let along): Self.skew(degrees, from, along)
            case .lookat(let eye, let interest, let up): Self.lookat(eye, interest, up)
            }
        }

        /// Whether a lookat has a direction and an up that says nothing: one along the view, or none.
        package var hasVagueUp: Bool {
            switch self {
            case .lookat(let eye, let interest, let up):
                guard let back = (eye - interest).normalized else { return false }
                return Self.across(back, up) == nil
            case .matrix, .translate, .rotate, .scale, .skew: return false
            }
        }

        private static func rotation(_ axis: SIMD3<Double>, _ degrees: Double) -> Matrix4? {
            if degrees == 0 { return .identity }
            guard let unit = axis.normalized else { return nil }
            let (sine, cosine) = sineAndCosine(degrees)
            let rest = unit * (1 - cosine)
            return Matrix4(
                x: rest * unit.x + SIMD3(cosine, unit.z * sine, -unit.y * sine),
                y: rest * unit.y + SIMD3(-unit.z * sine, cosine, unit.x * sine),
                z: rest * unit.z + SIMD3(unit.y * sine, -unit.x * sine, cosine))
        }

        /// Exact at quarter turns, where `sin` and `cos` of the radians are not.
        private static func sineAndCosine(_ degrees: Double) -> (Double, Double) {
            let turned = degrees.remainder(dividingBy: 360)
            switch turned {
            case 0: return (0, 1)
            case 90: return (1, 0)
            case -90: return (-1, 0)
            case 180, -180: return (0, -1)
            default:
                let radians = turned * .pi / 180
                return (sin(radians), cos(radians))
            }
        }

        private static func skew(_ degrees: Double, _ from: SIMD3<Double>, _ along: SIMD3<Double>) -> Matrix4? {
            guard let from = from.normalized, let along = along.normalized else { return nil }
            let cosine = from.dot(along)
            let rest = from - along * cosine
            let between = atan2(rest.length, cosine)
            let turned = between - degrees * .pi / 180
            // Turned onto its second axis or beyond, the first one would be without end.
            guard let upright = rest.normalized, between.isWithinHalfATurn, turned.isWithinHalfATurn else { return nil }
            let factor = 1 / tan(turned) - 1 / tan(between)
            return Matrix4(
                x: [1, 0, 0] + along * (factor * upright.x), y: [0, 1, 0] + along * (factor * upright.y),
                z: [0, 0, 1] + along * (factor * upright.z))
        }

        private static func lookat(
            _ eye: SIMD3<Double>, _ interest: SIMD3<Double>, _ up: SIMD3<Double>
        ) -> Matrix4? {
            guard let back = (eye - interest).normalized else { return nil }
            guard let right = across(back, up) else { return upright(back, at: eye) }
            return Matrix4(x: right, y: back.cross(right), z: back, origin: eye)
        }

        /// What is right of a viewer; `nil` where up is along the view.
        private static func across(_ back: SIMD3<Double>, _ up: SIMD3<Double>) -> SIMD3<Double>? {
            guard let across = up.normalized?.cross(back), across.length > .leastAngle else { return nil }
            return across.normalized
        }

        /// A lookat whose up says nothing keeps its direction: the least turn takes −z there from where it is; half a turn is
        /// about y.
        private static func upright(_ back: SIMD3<Double>, at eye: SIMD3<Double>) -> Matrix4 {
            guard back.z > -1 + .leastAngle else {
                let right = SIMD3(0, 1, 0).cross(back).normalized ?? [-1, 0, 0]
                return Matrix4(x: right, y: back.cross(right), z: back, origin: eye)
            }
            let share = 1 / (1 + back.z)
            return Matrix4(
                x: SIMD3(1 - back.x * back.x * share, -back.x * back.y * share, -back.x),
                y: SIMD3(-back.x * back.y * share, 1 - back.y * back.y * share, -back.y), z: back, origin: eye)
        }
    }
}

extension Matrix4 {
    fileprivate init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>, origin: SIMD3<Double> = .zero) {
        self.init(columns: (SIMD4(x, 0), SIMD4(y, 0), SIMD4(z, 0), SIMD4(origin, 1)))
    }
}

extension SIMD3<Double> {
    @inlinable
    package func dot(_ other: Self) -> Double { (self * other).sum() }

    @inlinable
    package func cross(_ other: Self) -> Self {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    var length: Double { dot(self).squareRoot() }

    /// `nil` for a vector without length.
    var normalized: Self? {
        // First by the largest part: squares of very long and very short vectors leave the range of numbers.
        let largest = Swift.max(abs(x), abs(y), abs(z))
        guard largest > 0, isFinite else { return nil }
        let near = self / largest
        return near / near.length
    }
}

extension Double {
    /// Radians (or the sine of as many) below which two directions are taken as one: noise of rounding is smaller.
    fileprivate static let leastAngle = 1e-9

    fileprivate var isWithinHalfATurn: Bool { self > Self.leastAngle && self < .pi - Self.leastAngle }
}

extension [Transform] {
    /// One after the other, the last one first to a point; those without a direction left out.
    package var matrix: Matrix4 {
        guard let first else { return .identity }
        // Most nodes have one.
        return dropFirst().reduce(first.matrix ?? .identity) { product, step in
            step.matrix.map { product * $0 } ?? product
        }
    }
}

extension Transform {
    /// Which transform it is.
    enum Kind: Int {
        case matrix, translate, rotate, scale, skew, lookat

        /// Numbers that the document writes for one.
        var count: Int {
            switch self {
            case .matrix: 16
            case .translate, .scale: 3
            case .rotate: 4
            case .skew: 7
            case .lookat: 9
            }
        }
    }

    var kind: Kind {
        switch self {
        case .matrix: .matrix
        case .translate: .translate
        case .rotate: .rotate
        case .scale: .scale
        case .skew: .skew
        case .lookat: .lookat
        }
    }

    /// The numbers of the transform as the document writes them: row-major, an angle after its axis for `rotate` and
    /// before the vectors for `skew`. Those past the kind's ``Kind/count`` are 0.
    var components: SIMD16<Double> {
        var numbers = SIMD16<Double>()
        func put(_ vector: SIMD3<Double>, at start: Int) { for axis in 0..<3 { numbers[start + axis] = vector[axis] } }
        switch self {
        case .matrix(let matrix):
            for row in 0..<4 {
                numbers[row * 4] = matrix.columns.0[row]
                numbers[row * 4 + 1] = matrix.columns.1[row]
                numbers[row * 4 + 2] = matrix.columns.2[row]
                numbers[row * 4 + 3] = matrix.columns.3[row]
            }
        case .translate(let vector), .scale(let vector):
            put(vector, at: 0)
        case .rotate(let axis, let degrees):
            put(axis, at: 0)
            numbers[3] = degrees
        case .skew(let degrees, let from, let along):
            numbers[0] = degrees
            put(from, at: 1)
            put(along, at: 4)
        case .lookat(let eye, let interest, let up):
            put(eye, at: 0)
            put(interest, at: 3)
            put(up, at: 6)
        }
        return numbers
    }

    /// From the numbers that ``components`` gives.
    init(_ kind: Kind, _ numbers: SIMD16<Double>) {
        func vector(_ start: Int) -> SIMD3<Double> { SIMD3(numbers[start], numbers[start + 1], numbers[start + 2]) }
        func column(_ index: Int) -> SIMD4<Double> {
            SIMD4(numbers[index], numbers[4 + index], numbers[8 + index], numbers[12 + index])
        }
        switch kind {
        case .matrix: self = .matrix(Matrix4(columns: (column(0), column(1), column(2), column(3))))
        case .translate: self = .translate(vector(0))
        case .scale: self = .scale(vector(0))
        case .rotate: self = .rotate(axis: vector(0), degrees: numbers[3])
        case .skew: self = .skew(degrees: numbers[0], from: vector(1), along: vector(4))
        case .lookat: self = .lookat(eye: vector(0), interest: vector(3), up: vector(6))
        }
    }
}

extension AnimationMember {
    /// Where the member's numbers are among those of `transform`, as the document writes them; `nil` when it has no
    /// such member.
    package func range(in transform: Transform) -> Range<Int>? {
        let count = transform.kind.count
        switch (self, transform) {
        case (.whole, _), (.index, _):
            return range(inVectorOf: count)
        case (.cell(let column, let row), .matrix):
            guard (0..<4).contains(column), (0..<4).contains(row) else { return nil }
            return row * 4 + column..<row * 4 + column + 1
        case (.named(.angle), .rotate):
            return 3..<4
        case (.named(.angle), .skew):
            return 0..<1
        case (.named(.x), .translate), (.named(.x), .scale), (.named(.x), .rotate):
            return 0..<1
        case (.named(.y), .translate), (.named(.y), .scale), (.named(.y), .rotate):
            return 1..<2
        case (.named(.z), .translate), (.named(.z), .scale), (.named(.z), .rotate):
            return 2..<3
        case (.cell, _), (.named, _):
            return nil
        }
    }

    /// `transform` with this member set to `values`; `nil` when it has no such member or needs another count of values.
    package func apply(_ values: some RandomAccessCollection<Double>, to transform: Transform) -> Transform? {
        apply(Array(values)[...], to: transform)
    }

    /// The same, without a copy.
    package func apply(_ values: ArraySlice<Double>, to transform: Transform) -> Transform? {
        guard let range = range(in: transform), values.count == range.count else { return nil }
        var numbers = transform.components
        let shift = values.startIndex - range.lowerBound
        for place in range { numbers[place] = values[place + shift] }
        return Transform(transform.kind, numbers)
    }
}

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

    /// The one matrix that most nodes have for all their transforms, with a last row of 0 0 0 1; `nil` with any others.
    private var soleAffineMatrix: Matrix4? {
        guard numbers.count == 1 + Self.affineCount, numbers[0] == Self.affineMatrix else { return nil }
        func column(_ index: Int, _ last: Double) -> SIMD4<Double> {
            SIMD4(numbers[1 + index], numbers[5 + index], numbers[9 + index], last)
        }
        return Matrix4(columns: (column(0, 0), column(1, 0), column(2, 0), column(3, 1)))
    }

    package func forEach(_ body: (Transform) -> Void) {
        if let soleAffineMatrix { return body(.matrix(soleAffineMatrix)) }
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
        if let soleAffineMatrix { return soleAffineMatrix }
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

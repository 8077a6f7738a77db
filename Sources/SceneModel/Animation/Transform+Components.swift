extension Transform {
    /// The numbers of the transform as the document writes them: row-major, an angle after its axis for `rotate` and
    /// before the vectors for `skew`. Those past ``componentCount`` are 0.
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

    var componentCount: Int {
        switch self {
        case .matrix: 16
        case .translate, .scale: 3
        case .rotate: 4
        case .skew: 7
        case .lookat: 9
        }
    }

    /// The same kind of transform with other numbers.
    func with(_ numbers: SIMD16<Double>) -> Transform {
        func vector(_ start: Int) -> SIMD3<Double> { SIMD3(numbers[start], numbers[start + 1], numbers[start + 2]) }
        func column(_ index: Int) -> SIMD4<Double> {
            SIMD4(numbers[index], numbers[4 + index], numbers[8 + index], numbers[12 + index])
        }
        switch self {
        case .matrix: return .matrix(Matrix4(columns: (column(0), column(1), column(2), column(3))))
        case .translate: return .translate(vector(0))
        case .scale: return .scale(vector(0))
        case .rotate: return .rotate(axis: vector(0), degrees: numbers[3])
        case .skew: return .skew(degrees: numbers[0], from: vector(1), along: vector(4))
        case .lookat: return .lookat(eye: vector(0), interest: vector(3), up: vector(6))
        }
    }
}

extension AnimationMember {
    /// Where the member's numbers are among those of `transform`, as the document writes them; `nil` when it has no
    /// such member.
    public func range(in transform: Transform) -> Range<Int>? {
        let count = transform.componentCount
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
    public func apply(_ values: some RandomAccessCollection<Double>, to transform: Transform) -> Transform? {
        apply(Array(values)[...], to: transform)
    }

    /// The same, without a copy.
    public func apply(_ values: ArraySlice<Double>, to transform: Transform) -> Transform? {
        guard let range = range(in: transform), values.count == range.count else { return nil }
        var numbers = transform.components
        let shift = values.startIndex - range.lowerBound
        for place in range { numbers[place] = values[place + shift] }
        return transform.with(numbers)
    }
}

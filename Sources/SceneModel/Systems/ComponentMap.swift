/// Where each number of a transform goes in another system, and what it is multiplied by.
///
/// Whole transforms and single numbers of them are taken over by the same map, and so are the keys of a curve and their
/// tangents: all interpolations are linear in the values.
package struct ComponentMap: Sendable, Hashable {
    private(set) var places: [Int]
    private(set) var factors: [Double]

    /// The identity of so many numbers.
    private init(count: Int) {
        places = Array(0..<count)
        factors = Array(repeating: 1, count: count)
    }

    init(for transform: Transform, by change: SystemChange) {
        self.init(count: transform.componentCount)
        switch transform {
        case .translate: put(.offset, at: 0, change)
        case .scale: put(.scaling, at: 0, change)
        case .rotate: put(.rotationAxis, at: 0, change)
        case .skew:
            put(.skewAxis, at: 1, change)
            put(.skewAxis, at: 4, change)
        case .lookat:
            put(.point, at: 0, change)
            put(.point, at: 3, change)
            put(.upDirection, at: 6, change)
        case .matrix: putMatrix(change)
        }
    }

    /// A single number.
    init(_ quantity: Quantity, by change: SystemChange) {
        places = [0]
        factors = [change.factor(quantity.lengths)]
    }

    private mutating func put(_ quantity: Quantity, at start: Int, _ change: SystemChange) {
        let factor = change.factor(quantity.lengths)
        for axis in 0..<3 {
            switch quantity.kind {
            case .number: places[start + axis] = start + axis
            case .vector, .extents: places[start + axis] = start + change.axes[axis]
            }
            switch quantity.kind {
            case .number, .extents: factors[start + axis] = factor
            case .vector: factors[start + axis] = factor * change.signs[axis]
            }
        }
    }

    /// C·M·C⁻¹: the last column has lengths, the last row their inverse.
    private mutating func putMatrix(_ change: SystemChange) {
        for row in 0..<4 {
            for column in 0..<4 {
                let place = row * 4 + column
                places[place] = Self.axis(row, change) * 4 + Self.axis(column, change)
                var factor = Self.sign(row, change) * Self.sign(column, change)
                if row < 3, column == 3 { factor *= change.factor(1) }
                if row == 3, column < 3 { factor *= change.factor(-1) }
                factors[place] = factor
            }
        }
    }

    private static func axis(_ index: Int, _ change: SystemChange) -> Int { index < 3 ? change.axes[index] : index }

    private static func sign(_ index: Int, _ change: SystemChange) -> Double { index < 3 ? change.signs[index] : 1 }

    var isIdentity: Bool { places == Array(places.indices) && factors.allSatisfy { $0 == 1 } }

    /// Of one number alone.
    func only(_ place: Int) -> ComponentMap {
        var map = ComponentMap(count: 1)
        map.factors[0] = factors[place]
        return map
    }
}

// An axis of one system is an axis of the other, perhaps turned round: every number of a vector becomes one number of
// the new one, so nothing is lost by adding zeros, and single numbers can be taken over as well as whole vectors.

/// What becomes of numbers that are written in one unit and up axis where another holds.
package struct SystemChange: Sendable {
    package let source: CoordinateSystem
    package let target: CoordinateSystem
    /// Units of the target in one of the source.
    let scale: Double
    /// For each axis of the source, which one of the target it is, and on which side of the origin it goes on.
    let axes: SIMD3<Int>
    let signs: SIMD3<Double>

    package init(from source: CoordinateSystem, to target: CoordinateSystem) {
        self.source = source
        self.target = target
        scale = source.scale(to: target)
        let turn = source.turn(to: target)
        var axes = SIMD3(0, 1, 2)
        var signs = SIMD3<Double>(1, 1, 1)
        for (axis, column) in [turn.columns.0, turn.columns.1, turn.columns.2].enumerated() {
            for row in 0..<3 where column[row] != 0 {
                axes[axis] = row
                signs[axis] = column[row]
            }
        }
        self.axes = axes
        self.signs = signs
    }

    package var isIdentity: Bool { source == target }

    /// The scale to a power.
    func factor(_ lengths: Int) -> Double {
        var factor = 1.0
        for _ in 0..<abs(lengths) { factor *= scale }
        return lengths < 0 ? 1 / factor : factor
    }

    // MARK: - Numbers

    package func converted(_ number: Double, _ quantity: Quantity) -> Double { number * factor(quantity.lengths) }

    package func converted(_ vector: SIMD3<Double>, _ quantity: Quantity) -> SIMD3<Double> {
        switch quantity.kind {
        case .number: return vector * factor(quantity.lengths)
        // Adding zero makes no −0 of a turned 0.
        case .vector: return moved(vector * signs) * factor(quantity.lengths) + SIMD3<Double>.zero
        case .extents: return moved(vector) * factor(quantity.lengths)
        }
    }

    private func moved(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        var result = SIMD3<Double>()
        for axis in 0..<3 { result[axes[axis]] = vector[axis] }
        return result
    }

    // MARK: - Matrices

    /// A matrix between two spaces that are both converted: C·M·C⁻¹.
    package func converted(_ matrix: Matrix4) -> Matrix4 {
        var result = Matrix4.identity
        let places = ComponentMap(for: .matrix(matrix), by: self)
        let numbers = Transform.matrix(matrix).components
        for place in 0..<16 {
            result[row: places.places[place] / 4, column: places.places[place] % 4] =
                numbers[place] * places.factors[place] + 0
        }
        return result
    }

    /// The same where the inner space keeps its axes and only takes on the unit: what stands within goes along axes
    /// that have a meaning there, as a cylinder's y.
    package func convertedKeepingInnerAxes(_ matrix: Matrix4) -> Matrix4 {
        source.turn(to: target) * SystemChange(from: source, to: target.with(source.upAxis)).converted(matrix)
    }
}

extension CoordinateSystem {
    fileprivate func with(_ upAxis: Scene.UpAxis) -> CoordinateSystem {
        CoordinateSystem(metersPerUnit: metersPerUnit, upAxis: upAxis)
    }
}

extension Matrix4 {
    fileprivate subscript(row row: Int, column column: Int) -> Double {
        get {
            switch column {
            case 0: columns.0[row]
            case 1: columns.1[row]
            case 2: columns.2[row]
            default: columns.3[row]  // numbers
            }
        }
        set {
            switch column {
            case 0: columns.0[row] = newValue
            case 1: columns.1[row] = newValue
            case 2: columns.2[row] = newValue
            default: columns.3[row] = newValue  // numbers
            }
        }
    }
}

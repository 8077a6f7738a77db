// Who writes a curve in other terms needs its shape between keys, not only its values.

/// One component of a curve between two keys.
package enum CurvePiece: Sendable, Equatable {
    /// The first key's value until the second.
    case step
    /// Straight from one key to the other.
    case line
    /// A Bézier curve in time and value: its two control times as shares of the way, 0...1, and its control values.
    case cubic(times: SIMD2<Double>, values: SIMD2<Double>)

    /// Whether time runs evenly along it, so that the value is a cubic of the time.
    package var isEven: Bool {
        switch self {
        case .step: false
        case .line: true
        case .cubic(let times, values: _): abs(times.x - 1.0 / 3) < 1e-9 && abs(times.y - 2.0 / 3) < 1e-9
        }
    }
}

extension AnimationCurve {
    /// The shape of a component from one key to the next; `nil` for a B-spline, whose joints are not at the keys, and
    /// for a curve whose tangents are no numbers.
    ///
    /// - Parameter key: Any but the last.
    package func piece(_ component: Int, after key: Int) -> CurvePiece? {
        let segment: CubicSegment?
        switch interpolations[key] {
        case .step: return .step
        case .linear: return .line
        case .bezier: segment = bezier(component, after: key)
        case .hermite: segment = hermite(component, after: key)
        case .cardinal: segment = cardinal(component, after: key)
        case .bspline: return nil
        }
        guard let controls = segment?.controls, controls.values.x.isFinite, controls.values.y.isFinite else {
            return nil
        }
        return .cubic(times: controls.times, values: controls.values)
    }

    /// One number of a key's value.
    package func value(ofKey key: Int, _ component: Int) -> Double { number(key, component) }
}

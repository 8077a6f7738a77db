// Pictures are the same bytes on every machine: sums, products, quotients and roots alone are, the functions of the
// system's library are not.

import DaeScene

typealias Vector = SIMD3<Float>

extension SIMD3<Float> {
    @inline(__always) func dot(_ other: Self) -> Float { x * other.x + y * other.y + z * other.z }

    @inline(__always) func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// 0 for what has no length.
    var unit: Self {
        let square = dot(self)
        if square > 1e-30, square < 1e30 { return self / square.squareRoot() }
        let largest = Swift.max(abs(x), abs(y), abs(z))
        guard largest > 0, largest.isFinite else { return .zero }
        let near = self / largest
        return near / near.dot(near).squareRoot()
    }

    init(narrowing vector: SIMD3<Double>) { self.init(Float(vector.x), Float(vector.y), Float(vector.z)) }
}

extension SIMD3<Double> {
    var unit: Self {
        let largest = Swift.max(abs(x), abs(y), abs(z))
        guard largest > 0, largest.isFinite else { return .zero }
        let near = self / largest
        return near / near.dot(near).squareRoot()
    }
}

extension SIMD4<Double> {
    var xyz: SIMD3<Double> { SIMD3(x, y, z) }
}

/// The functions that pictures need, made of exact operations.
enum Functions {
    /// Of a number above 0; as good as a `Float` is.
    static func log2(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return value > 0 ? 1024 : -1075 }
        var (exponent, part) = (Double(value.exponent), value.significand)
        if part > 1.4142135623730951 {
            part *= 0.5
            exponent += 1
        }
        // ln((1 + t) / (1 - t)) = 2 (t + t³/3 + t⁵/5 + …), where |t| < 0.172.
        let t = (part - 1) / (part + 1)
        let s = t * t
        let series = 1 + s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9 + s / 11))))
        return exponent + 2 * t * series * 1.4426950408889634
    }

    static func exp2(_ value: Double) -> Double {
        guard value > -1020 else { return 0 }
        guard value < 1020 else { return .infinity }
        let whole = value.rounded(.toNearestOrEven)
        let x = (value - whole) * 0.6931471805599453
        let sixth = 1 + x / 5 * (1 + x / 6 * (1 + x / 7))
        let series = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * sixth)))
        return series * Double(sign: .plus, exponent: Int(whole), significand: 1)
    }

    /// - Parameter base: 0 or more.
    static func power(_ base: Float, _ exponent: Float) -> Float {
        guard exponent != 0 else { return 1 }
        guard base > 0 else { return 0 }
        return Float(exp2(log2(Double(base)) * Double(exponent)))
    }

    /// Of an angle in degrees.
    static func sine(degrees: Double) -> Double {
        guard degrees.isFinite else { return 0 }
        var angle = degrees.remainder(dividingBy: 360)
        if angle > 90 { angle = 180 - angle } else if angle < -90 { angle = -180 - angle }
        let x = angle * 0.017453292519943295
        let s = x * x
        var (term, sum) = (x, x)
        for n in 1...9 {
            term *= -s / Double((2 * n) * (2 * n + 1))
            sum += term
        }
        return sum
    }

    static func cosine(degrees: Double) -> Double { sine(degrees: degrees + 90) }

    static func tangent(degrees: Double) -> Double { sine(degrees: degrees) / cosine(degrees: degrees) }
}

import Glibc

enum Degrees {
    /// The angle, 0...180, of which any multiple of sine and cosine is known.
    static func of(sine: Double, cosine: Double) -> Double { atan2(sine, cosine) * 180 / .pi }
}

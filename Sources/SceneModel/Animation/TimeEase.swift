/// How time runs along one cubic segment: the Bézier curve from 0 to 1 with two control times between.
///
/// With both in 0...1 it never runs backwards, so each time has one parameter.
struct TimeEase: Sendable, Hashable {
    let first: Double
    let second: Double

    /// Control times at the thirds: the parameter is the time.
    static let even = TimeEase(first: 1.0 / 3, second: 2.0 / 3)

    /// Newton's method has this many steps; most times need five or six.
    private static let newtonSteps = 10
    /// 62 halvings run through every number from 0 to 1.
    static let stepLimit = newtonSteps + 64

    func time(at parameter: Double) -> Double {
        (((1 - 3 * second + 3 * first) * parameter + 3 * second - 6 * first) * parameter + 3 * first) * parameter
    }

    /// The parameter at which the segment reaches `time`, and the steps it took; NaN for NaN.
    ///
    /// Newton's method inside a bracket, which is halved where a step would leave it. After too many steps the numbers
    /// in it are halved by their count, not by their distance: so the tiniest parameter is found as fast as any.
    func parameter(at time: Double) -> (value: Double, steps: Int) {
        if self == Self.even || time.isNaN { return (time, 0) }
        if time <= 0 { return (0, 0) }
        if time >= 1 { return (1, 0) }
        let cubic = 1 - 3 * second + 3 * first
        let square = 3 * second - 6 * first
        let linear = 3 * first
        var low = 0.0
        var high = 1.0
        var guess = time
        for step in 1...Self.stepLimit {
            let miss = ((cubic * guess + square) * guess + linear) * guess - time
            // Nearer than this the sum above is rounding, and steps lead nowhere.
            if abs(miss) <= time.ulp { return (guess, step) }
            if miss < 0 { low = guess } else { high = guess }
            let slope = (3 * cubic * guess + 2 * square) * guess + linear
            var next = guess - miss / slope
            if step > Self.newtonSteps {
                next = Double(bitPattern: low.bitPattern + (high.bitPattern - low.bitPattern) / 2)
            } else if !(next > low && next < high) {
                next = low + (high - low) / 2
            }
            if next <= low || next >= high || abs(next - guess) <= guess.ulp / 2 { return (next, step) }
            guess = next
        }
        return (guess, Self.stepLimit)
    }
}

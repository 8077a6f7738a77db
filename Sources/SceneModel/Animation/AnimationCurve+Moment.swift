import Glibc

extension AnimationCurve {
    /// Where in the curve a time leads to.
    enum Place: Sendable, Hashable {
        case key(Int)
        /// Between a key and the next, at a time of the curve.
        case segment(Int, time: Double)
        /// On the line through two keys, `by` seconds past the first of them.
        case line(from: Int, other: Int, by: Double)
    }

    /// A place, and how often the curve's whole rise has to be added to what is found there.
    struct Moment: Sendable, Hashable {
        var place: Place
        var rises = 0.0
    }

    /// `nil` for a curve without keys and for NaN.
    func moment(at time: Double) -> Moment? {
        guard let first = times.first, let last = times.last, !time.isNaN else { return nil }
        if time < first { return outside(time, before, nearest: 0, inner: 1) }
        if time > last { return outside(time, after, nearest: times.count - 1, inner: times.count - 2) }
        return Moment(place: place(at: time))
    }

    private func outside(_ time: Double, _ behavior: AnimationBehavior, nearest: Int, inner: Int) -> Moment {
        let held = Moment(place: .key(nearest))
        guard let first = times.first, let last = times.last, first < last, time.isFinite, (last - first).isFinite
        else { return held }
        let span = last - first
        switch behavior {
        case .undefined, .constant:
            return held
        case .gradient:
            return times[nearest] == times[inner]
                ? held : Moment(place: .line(from: nearest, other: inner, by: time - times[nearest]))
        case .cycle:
            return Moment(place: place(at: first + wrapped(time - first, span)))
        case .cycleRelative:
            let into = wrapped(time - first, span)
            return Moment(place: place(at: first + into), rises: (((time - first) - into) / span).rounded())
        case .oscillate:
            // A period of both ways may be more than a number can hold; its half is not.
            let into = 2 * wrapped((time - first) / 2, span)
            return Moment(place: place(at: into > span ? last - (into - span) : first + into))
        }
    }

    /// `time` less as many spans as fit: at least 0, less than `span`.
    private func wrapped(_ time: Double, _ span: Double) -> Double {
        let rest = fmod(time, span)
        if !rest.isFinite { return 0 }
        let positive = rest < 0 ? rest + span : rest
        return positive < span ? positive : 0
    }

    /// `time` is in the curve's range, or past it by a rounding.
    private func place(at time: Double) -> Place {
        var low = 0
        var high = times.count
        while low < high {
            let middle = low + (high - low) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        let key = low - 1
        if key < 0 { return .key(0) }
        if key >= times.count - 1 { return .key(times.count - 1) }
        if times[key] == time && !isInsideSpline(key) { return .key(key) }
        return .segment(key, time: time)
    }

    /// Whether the segments on both sides of a key are of one B-spline, which then passes it by.
    private func isInsideSpline(_ key: Int) -> Bool {
        key > 0 && interpolations[key] == .bspline && interpolations[key - 1] == .bspline
    }
}

import SceneModel

/// One number of an animation curve.
struct CurveNumber {
    let curve: AnimationCurve
    let component: Int

    /// `nil` where it is not the same all the time.
    var constant: Double? {
        guard !curve.times.isEmpty else { return nil }
        let first = curve.value(ofKey: 0, component)
        for key in curve.times.indices.dropLast() {
            guard curve.value(ofKey: key + 1, component) == first else { return nil }
            switch curve.piece(component, after: key) {
            case .step, .line: break
            case .cubic(times: _, let values):
                guard values == SIMD2(repeating: first) else { return nil }
            case nil: return nil
            }
        }
        return first
    }

    /// The keys that a time range needs; `nil` where what lies beyond the keys is no constant, and is asked for.
    func keys(in range: ClosedRange<Double>) -> ClosedRange<Int>? {
        let times = curve.times
        guard let first = times.first, let last = times.last else { return nil }
        guard range.lowerBound >= first || curve.before.isConstant, range.upperBound <= last || curve.after.isConstant
        else { return nil }
        let start = max(0, Self.place(of: range.lowerBound, in: times, orLater: false) - 1)
        let end = min(times.count - 1, Self.place(of: range.upperBound, in: times, orLater: true))
        return min(start, end)...max(start, end)
    }

    /// How many times are before `time`, or at it too.
    private static func place(of time: Double, in times: [Double], orLater: Bool) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = low + (high - low) / 2
            if orLater ? times[middle] < time : times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension AnimationCurve {
    /// Whether it moves on beyond its keys.
    var goesOn: Bool { !before.isConstant || !after.isConstant }
}

extension AnimationBehavior {
    /// Whether the nearest key's value holds.
    fileprivate var isConstant: Bool {
        switch self {
        case .undefined, .constant: true
        case .gradient, .cycle, .oscillate, .cycleRelative: false
        }
    }
}

// Of the last seconds alone: over the whole time, an end that stands still would look fast for minutes.

import Daedalus

/// How fast something grows, told from how large it was at some moments.
struct TransferRate {
    typealias Instant = ContinuousClock.Instant

    private var marks: [(bytes: Int64, time: Instant)] = []
    private var lastGrowth: Instant?

    private static let window: Duration = .seconds(5)

    /// Notes how large it is now, at least 0 bytes; less than before means that it was begun again.
    mutating func mark(_ bytes: Int64, at time: Instant) {
        if let last = marks.last, bytes < last.bytes { marks = [] }
        if marks.last?.bytes != bytes { lastGrowth = time }
        marks.append((bytes, time))
        // The oldest stays until the next is old enough too, so that there is a whole window.
        let needless = marks.indices.dropFirst().prefix { time - marks[$0].time >= Self.window }.count
        marks.removeFirst(needless)
    }

    /// Bytes a second, at least 0; `nil` before there is anything to compare.
    var perSecond: Double? {
        guard let first = marks.first, let last = marks.last, last.time > first.time else { return nil }
        return Double(last.bytes - first.bytes) / Figures.seconds(last.time - first.time)
    }

    /// Seconds since it grew last; `nil` before the first mark.
    func stillness(at time: Instant) -> Double? { lastGrowth.map { Figures.seconds(time - $0) } }
}

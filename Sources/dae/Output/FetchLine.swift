import Daedalus

/// What a terminal shows of one address at work.
struct FetchLine {
    typealias Instant = ContinuousClock.Instant

    let url: String
    let start: Instant
    private var progress: DownloadProgress?
    private var rate = TransferRate()

    /// From then on a line says that nothing comes.
    private static let patience = 3.0
    /// Columns that an address needs to be worth its place.
    private static let leastAddress = 8

    init(url: String, start: Instant) {
        (self.url, self.start) = (url, start)
    }

    /// Bytes on disk, at least 0.
    var received: Int64 { progress?.received ?? 0 }

    mutating func show(_ next: DownloadProgress) {
        // Where it begins has to be known to the byte; later ones are noted when they are drawn.
        if progress == nil { rate.mark(next.received, at: .now) }
        progress = next
    }

    /// `12 MB of 40 MB, 3.1 MB/s, 9 s left  https://…`, cut to the columns given, at least 1.
    mutating func text(at now: Instant, columns: Int) -> String {
        let state = state(at: now)
        let room = columns - state.width - 2
        let address = url.withoutControls
        // Of an address its end says most.
        return room < Self.leastAddress ? state.cutAtTheEnd(to: columns) : "\(state)  \(address.cut(to: room))"
    }

    private mutating func state(at now: Instant) -> String {
        guard let progress else { return "waiting, \(Figures.time(Figures.seconds(now - start)))" }
        rate.mark(progress.received, at: now)
        let whole = progress.expected.map { " of \(Figures.bytes($0))" } ?? ""
        let sizes = "\(Figures.bytes(progress.received))\(whole)"
        if progress.received == progress.expected { return sizes }
        if let stillness = rate.stillness(at: now), stillness >= Self.patience {
            return "\(sizes), nothing for \(Figures.time(stillness))"
        }
        guard let speed = rate.perSecond, speed > 0 else { return sizes }
        let left = progress.expected.map { Double(max(0, $0 - progress.received)) / speed }
        return "\(sizes), \(Figures.bytes(Int64(speed)))/s" + (left.map { ", \(Figures.time($0)) left" } ?? "")
    }
}

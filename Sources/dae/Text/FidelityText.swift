import Daedalus

/// What a conversion changed, for people: losses first.
struct FidelityText {
    let text: String

    init(_ report: FidelityReport, output: String) {
        var lines = ["\(output)\(report.losses.isEmpty ? "   nothing was lost" : "")"]
        let losses = report.losses
        let others = report.entries.filter { !$0.change.isLoss }
        for entry in losses + others {
            let places = entry.places.prefix(3).joined(separator: ", ")
            let more = entry.places.count > 3 ? ", …" : ""
            let deviation = entry.deviation.flatMap { deviation in
                entry.subject.measure.map { ", at most \(Self.share(deviation)) \($0)" }
            }
            lines.append(
                "  \(entry.change.rawValue.padded(to: 13))\(entry.count) × \(entry.subject.title(of: entry.change))"
                    + (deviation ?? "") + (places.isEmpty ? "" : ": \(places)\(more)"))
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Such as `0.002 %`.
    private static func share(_ value: Double) -> String {
        let percent = value * 100
        return percent < 0.001 ? "0.001 %" : "\((percent * 1000).rounded(.up) / 1000) %"
    }
}

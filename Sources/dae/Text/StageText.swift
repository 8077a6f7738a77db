import Daedalus

/// A report on stages as a person reads it.
struct StageText {
    private let report: StageReport

    init(_ report: StageReport) { self.report = report }

    func text(_ style: Style) -> String {
        var table = TextTable(columns: [
            .left("stage"), .right("CPU ms"), .right("wall ms"), .right("MB/s"), .right("faults"), .right("peak"),
        ])
        for row in report.rows { table.add(cells(row.stage.rawValue, row.own, style)) }
        if let total = report.total { table.add(cells("all", total, style)) }
        return heading + "\n" + table.lines(style).map { $0 + "\n" }.joined()
    }

    private var heading: String {
        let packed = report.packedBytes == report.bytes ? "" : " from \(Figures.bytes(report.packedBytes))"
        let counts = "\(Figures.count(report.elements, "element")), \(Figures.count(report.numbers, "number"))"
        return "\(report.path.withoutControls): \(Figures.bytes(report.bytes))\(packed), \(counts); "
            + "medians of \(Figures.count(report.runs, "run")), keeping \(report.retention.word)"
    }

    private func cells(_ name: String, _ cost: StageCost, _ style: Style) -> [String] {
        let none = style.marks("–")
        return [
            name, Figures.digits(cost.cpuSeconds * 1000, 3), Figures.digits(cost.wallSeconds * 1000, 3),
            report.rate(cost).map { Figures.count(Int(min($0, 1e9).rounded())) } ?? none,
            Figures.count(cost.pageFaults), cost.peakBytes.map(Figures.bytes) ?? none,
        ]
    }
}

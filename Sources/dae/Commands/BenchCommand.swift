import ArgumentParser
import DaeCore
import Daedalus

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure what reading a bundle's scene costs on this machine, stage by stage.",
        discussion: """
            The stages: read (the packed bytes from the source), inflate (unpacking, with the checksum), markup (XML to \
            events), numbers (the text of arrays to numbers), build (events to a document, and that to a scene), resolve \
            (other documents, which are read, and images are found, and the figures of dae inspect put together).

            How it is measured: each stage runs together with all before it, in one process, after one run that is not \
            counted; a stage's own cost is the median of its runs less the most that one before it took, and at least 0. CPU is \
            user and system time of all threads; MB/s are millions of bytes of markup a second of CPU; faults are pages of \
            memory touched for the first time; peak is the most memory the process held during the stage and those before it. \
            Stages overlap where a second thread works ahead, so CPU is what to compare, and on a busy machine the only thing.

            Examples:
              dae bench model.zip
              dae bench --runs 20 --keep figures chair.dae
              dae bench --format json model.kmz | jq '.stages[] | {stage, cpuSeconds}'
            """)

    @Argument(
        help: ArgumentHelp(
            "A file (.dae, .zae, .kmz, .zip), a folder, - for standard input, or an entry: a.zip!/b.dae.",
            valueName: "source"), transform: SourceArgument.text)
    var source: String

    @Option(help: ArgumentHelp("How often each stage is measured.", valueName: "n"))
    var runs = 5

    @Option(help: "What is kept of meshes: everything, as a load does, or figures, as dae inspect does.")
    var keep = Retention.everything

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @OptionGroup var options: RunOptions

    enum Retention: String, ExpressibleByArgument, CaseIterable {
        case everything, figures

        var retention: ColladaOptions.Retention {
            switch self {
            case .everything: .everything
            case .figures: .figures
            }
        }
    }

    mutating func validate() throws {
        try options.check(source)
        if !(1...10_000).contains(runs) { throw ValidationError("--runs is \(runs); expected 1 to 10000.") }
        if ["http://", "https://"].contains(where: { source.lowercased().hasPrefix($0) }) {
            throw ValidationError("dae bench measures what is on this machine; dae fetch gets the source here.")
        }
    }

    func run() async throws {
        let (format, runs) = (format, runs)
        var live = try options.live()
        live.collada.retention = keep.retention
        let collada = live.collada
        let style = options.style
        try await BundleRun([source], options, live).run(.scene, isCompact: false, format: format) {
            opened, isCancelled in
            let choice = try opened.choice()
            var options = collada
            options.documentPath = choice.entry.path
            let bench = StageBench(
                opened.bundle, choice.entry, options: options,
                build: { _ = try opened.scene(choice, isCancelled: $0) },
                inspect: { _ = try opened.inspect(choice, isCancelled: $0) })
            let report = try bench.run(runs, isCancelled: isCancelled)
            switch format {
            case .json:
                var members = report.members
                members["schemaVersion"] = JSONValue(Inspection.schemaVersion)
                members["source"] = opened.source.json
                return .init(rendering: .json(.object(members)))
            case .text: return .init(rendering: .text(StageText(report).text(style)))
            }
        }
    }
}

/// A report on stages as a person reads it.
private struct StageText {
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

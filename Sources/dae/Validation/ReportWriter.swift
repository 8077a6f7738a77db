import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

/// Makes the report of several sources, one after the other; a class because it remembers them until the end.
final class ReportWriter: Sendable {
    private struct Memory {
        /// Of forms that are one report.
        var sources: [ReportedSource] = []
        var summary = ValidationSummary()
        var count = 0
    }

    private let format: ReportFormat
    private let style: Style
    private let width: Int
    private let live: AssetOperations.LiveOptions
    private let memory = Mutex(Memory())

    /// - Parameter width: Of the terminal in columns; `nil` where there is none.
    init(format: ReportFormat, style: Style, width: Int?, live: AssetOperations.LiveOptions) {
        self.format = format
        self.style = style
        self.width = max(40, min(width ?? 100, 160)) - 8
        self.live = live
    }

    /// What is written as soon as a source has been read.
    func rendering(of source: ReportedSource, _ result: SourceRun.Result) async -> SourceRun.Rendering {
        memory.withLock { memory in
            memory.summary.add(source)
            memory.count += 1
            if format.isOneReport { memory.sources.append(source) }
        }
        switch format {
        case .sarif, .md, .junit, .github: return .nothing
        case .gltfReport: return .json(GltfReport(source, tool: .daedalus).json)
        case .json: return .json(Self.json(result, source))
        case .text:
            let digest: String? =
                switch result {
                case .read(let product): product.inspection.source.sha256
                case .failed: nil
                }
            let excerpts = await SourceExcerpts.read(
                of: source, digest: digest, plainEntry: Self.plainEntry(of: result), options: live, width: width,
                cut: style.marks("…"))
            return .text(ValidationText(source: source, excerpts: excerpts, style: style).text)
        }
    }

    /// The document, where its places are told by the bytes that it has: it was not decoded.
    private static func plainEntry(of result: SourceRun.Result) -> String? {
        switch result {
        case .failed: return nil
        case .read(let product):
            let inspection = product.inspection
            guard inspection.document.encoding == "UTF-8", inspection.findings.counts[.xmlEncodingMismatch] == nil
            else { return nil }
            return inspection.bundle.scenePath
        }
    }

    /// What is written behind the last source: of the descriptions of robots, then of all together.
    func end(with robots: [(robot: DescribedRobot, source: ReportedSource)]) -> SourceRun.Rendering {
        let memory = memory.withLock { memory in
            for (_, source) in robots {
                memory.summary.add(source)
                memory.count += 1
                if format.isOneReport { memory.sources.append(source) }
            }
            return memory
        }
        switch format {
        case .json where robots.isEmpty, .gltfReport where robots.isEmpty: return .nothing
        case .gltfReport: return .jsonLines(robots.map { GltfReport($0.source, tool: .daedalus).json })
        case .json: return .jsonLines(robots.map { $0.robot.validationJSON($0.source.findingsJSON) })
        case .text:
            var texts = robots.map { robot, source in
                let excerpts = SourceExcerpts(of: robot, source, width: width, cut: style.marks("…"))
                return ValidationText(source: source, excerpts: excerpts, style: style).text
            }
            if memory.count > 1 { texts.append(memory.summary.text(style)) }
            return texts.isEmpty ? .nothing : .text(texts.joined(separator: "\n"))
        case .sarif:
            return .bytes(SarifReport(memory.sources, tool: .daedalus).json.text(.indented) + [UInt8(ascii: "\n")])
        case .md: return .text(MarkdownReport(memory.sources).text)
        case .junit: return .text(JUnitReport(memory.sources, tool: .daedalus).text)
        case .github: return .text(GitHubReport(memory.sources).text)
        }
    }

    private static func json(_ result: SourceRun.Result, _ source: ReportedSource) -> JSONValue {
        let whole =
            switch result {
            case .read(let product): product.inspection.validationJSON
            case .failed(let failure): failure.json
            }
        guard case .object(var members) = whole else { return whole }
        members["findings"] = source.findingsJSON
        return .object(members)
    }
}

/// The forms of a report of `dae validate`.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, md, junit, github
    case gltfReport = "gltf-report"

    /// Whether all sources make one report, which is written when the last has been read.
    var isOneReport: Bool {
        switch self {
        case .text, .json, .gltfReport: false
        case .sarif, .md, .junit, .github: true
        }
    }
}

/// A source's findings by file and code, each as a line that editors understand and the line it is about, then the sum.
private struct ValidationText {
    let source: ReportedSource
    let excerpts: SourceExcerpts
    let style: Style

    var text: String {
        var lines: [String] = []
        for group in groups + [[source.failure].compactMap(\.self)] {
            var last: ExcerptReader.Position?
            for finding in group {
                lines.append(line(finding))
                let position = finding.place.line.map {
                    ExcerptReader.Position(line: $0, column: finding.place.column ?? 1)
                }
                // Once is enough for several about the same place.
                if position != last { lines += excerpt(at: finding.place) }
                last = position
                if let fix = finding.fix { lines.append("    fix: \(fix.withoutControls)") }
            }
        }
        for code in FindingCode.allCases {
            let count = source.findings.leftOut(code)
            if count > 0 { lines.append("and \(Figures.count(count)) more \(code.rawValue)") }
        }
        lines.append(style(.bold, source.text(of: Place()).withoutControls) + ": \(sum)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The findings of one code in one file together, files and codes in the order they were first met.
    private var groups: [[Finding]] {
        var order: [String?: Int] = [:]
        var grouped: [[(code: FindingCode, findings: [Finding])]] = []
        for finding in source.findings.messages {
            let file = order[finding.place.entry] ?? grouped.count
            if file == grouped.count {
                order[finding.place.entry] = file
                grouped.append([])
            }
            if let group = grouped[file].firstIndex(where: { $0.code == finding.code }) {
                grouped[file][group].findings.append(finding)
            } else {
                grouped[file].append((finding.code, [finding]))
            }
        }
        return grouped.flatMap { $0.map(\.findings) }
    }

    private func line(_ finding: Finding) -> String {
        let place = source.text(of: finding.place).withoutControls
        let severity =
            switch finding.severity {
            case .error: style(.red, "error")
            case .warning: style(.yellow, "warning")
            case .info: "info"
            case .hint: "hint"
            }
        // Messages about a whole file begin with its name.
        let name = source.name + ": "
        let message = finding.message.hasPrefix(name) ? finding.message.dropFirst(name.count) : finding.message[...]
        let text = (message + SourceRun.help(for: finding)).withoutControls
        return "\(place): \(severity): \(text) "
            + style(.dim, "[\(finding.code.rawValue)]")
    }

    private func excerpt(at place: Place) -> [String] {
        guard let line = place.line, let excerpt = excerpts[place] else { return [] }
        return excerpt.lines(at: line, style: style)
    }

    private var sum: String {
        let counts = Severity.allCases.filter { source.total($0) > 0 }.map {
            Figures.count(source.total($0), $0.rawValue)
        }
        let known = source.findings.known
        return (counts.isEmpty ? known > 0 ? "no new findings" : "no findings" : counts.joined(separator: ", "))
            + (known > 0 ? " (\(Figures.count(known)) known from the baseline)" : "")
    }
}

/// How many findings each of several sources has.
private struct ValidationSummary {
    private var rows: [[String]] = []
    private var sums: [Severity: Int] = [:]
    private var passed = 0

    mutating func add(_ source: ReportedSource) {
        let counts = Severity.allCases.map { source.total($0) }
        for (severity, count) in zip(Severity.allCases, counts) { sums[severity, default: 0] += count }
        if source.passes { passed += 1 }
        let result = source.failure != nil ? "unreadable" : source.passes ? "ok" : "failed"
        rows.append(counts.map(Figures.count) + [result, source.text(of: Place()).withoutControls])
    }

    func text(_ style: Style) -> String {
        // What may be long stands last, so that no line is as wide as the longest path.
        var table = TextTable(columns: [
            .right("errors"), .right("warnings"), .right("infos"), .right("hints"), .left("result"), .left("source"),
        ])
        table.add(rows: rows)
        let total = Severity.allCases.map { Figures.count(sums[$0] ?? 0) }
        table.add(total + ["\(Figures.count(passed)) ok", "\(Figures.count(rows.count)) sources"])
        return table.lines(style).joined(separator: "\n") + "\n"
    }
}

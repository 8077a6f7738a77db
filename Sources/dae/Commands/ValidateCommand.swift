import ArgumentParser
import Daedalus

struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Name every fault of a bundle, with its place.",
        discussion: """
            Prints one line a finding: entry:line:column: severity: message [CODE]. Exits with 1 when there is a finding \
            at or above --fail-on.

            Examples:
              dae validate model.zip
              dae validate --fail-on warning models/*.dae
            """)

    @OptionGroup var options: SourceOptions
    @OptionGroup(title: "The web") var web: WebOptions

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Option(
        help: ArgumentHelp(
            "The mildest severity that makes the exit code 1: error, warning, info or hint.", valueName: "severity"))
    var failOn = FailOn.error

    func run() async throws {
        let format = format
        let failOn = failOn.severity
        let style = options.output == nil ? Style.standardOutput() : .plain
        try await SourceRun(options, web.applied(to: try options.live())).run(format) { result in
            switch (format, result) {
            case (.json, .read(let product)): .json(product.inspection.validationJSON)
            case (.json, .failed(let failure)): .json(failure.json)
            case (.text, .read(let product)):
                .text(
                    ValidationText(
                        input: product.inspection.source.input, findings: product.inspection.findings, style: style
                    ).text)
            case (.text, .failed(let failure)):
                failure.findings.findings.isEmpty
                    ? .nothing
                    : .text(ValidationText(input: failure.source.input, findings: failure.findings, style: style).text)
            }
        } exit: { findings in
            Severity.allCases.contains { $0 >= failOn && findings.total($0) > 0 } ? .findings : .fine
        }
    }
}

/// The severities as the command line spells them.
enum FailOn: String, ExpressibleByArgument, CaseIterable {
    case error, warning, info, hint

    var severity: Severity {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        case .hint: .hint
        }
    }
}

/// A source's findings and their sum.
struct ValidationText {
    let input: String
    let findings: FindingLog
    let style: Style

    var text: String {
        let counts = Severity.allCases.filter { findings.total($0) > 0 }.map {
            Figures.count(findings.total($0), $0.rawValue)
        }
        let sum = counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
        let lines =
            FindingList(findings: findings, style: style).lines + [style(.bold, input.withoutControls) + ": \(sum)"]
        return lines.joined(separator: "\n") + "\n"
    }
}

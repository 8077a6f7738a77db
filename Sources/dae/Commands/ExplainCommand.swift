import ArgumentParser
import DaeCore
import Daedalus

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what a code of a finding means, with an example, and how to mend it.",
        discussion: """
            Examples:
              dae explain PRIMITIVE_INDEX_OOB
              dae explain 'ARCHIVE_*'
              dae explain --list
            """)

    @Argument(help: ArgumentHelp("A code, or NAME_* for all that begin so.", valueName: "code"))
    var codes: [String] = []

    @Flag(help: "One line for every code, or for those that are named.")
    var list = false

    @Option(help: "The result's form: text, json or md.")
    var format = Format.text

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the result to a file, which appears whole or not at all.", valueName: "file"))
    var output: String?

    @Option(help: Style.Color.help) var color = Style.Color.auto

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, md
    }

    mutating func validate() throws {
        if codes.isEmpty && !list { throw ValidationError("Name at least one code, or ask for the --list.") }
        _ = try chosen()
    }

    private func chosen() throws -> [FindingCode] {
        if codes.isEmpty { return FindingCode.allCases }
        return try codes.flatMap { text in
            do throws(CodePattern.Unknown) {
                return try CodePattern.codes(text)
            } catch { throw ValidationError(error.description.withoutControls.asSentence) }
        }
    }

    func run() throws {
        let codes = try chosen()
        let style = Style.of(color, output: output)
        let text: String
        switch format {
        case .json:
            let whole: JSONValue =
                codes.count == 1 && !list ? codes[0].catalogueJSON : .array(codes.map(\.catalogueJSON))
            text = String(decoding: whole.text(.indented), as: UTF8.self) + "\n"
        case .md where list:
            text =
                "| Code | Severity | Meaning |\n|---|---|---|\n"
                + codes.map { "| `\($0.rawValue)` | \($0.severity.rawValue) | \($0.title) |\n" }.joined()
        case .md: text = codes.map { CataloguePage.entry($0, heading: "##") }.joined(separator: "\n")
        case .text where list:
            var table = TextTable(columns: [.left("code"), .left("severity"), .left("stage"), .left("meaning")])
            for code in codes { table.add([code.rawValue, code.severity.rawValue, code.stage.rawValue, code.title]) }
            text = String(decoding: table.bytes(style), as: UTF8.self)
        case .text: text = codes.map { Self.text(of: $0, style) }.joined(separator: "\n")
        }
        let stream = try OutputStream(path: output)
        try stream.write(Array(text.utf8))
        try stream.finish()
    }

    private static func text(of code: FindingCode, _ style: Style) -> String {
        let explanation = code.explanation
        return """
            \(style(.bold, code.rawValue))   \(code.severity.rawValue), \(code.stage.rawValue)
            \(code.title).

            \(explanation.text)

            example: \(explanation.example)
            fix:     \(explanation.fix)

            """
    }
}

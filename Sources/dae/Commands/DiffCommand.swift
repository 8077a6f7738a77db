import ArgumentParser
import DaeCore
import Daedalus
import Synchronization

struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two models: counts, sizes, nodes, materials, textures, animations.",
        discussion: """
            For reviews of a model that was exported again. Elements are matched by their ids, or names; numbers are equal \
            within a millionth, and when a document was written does not count. The exit code is 0 when nothing differs \
            and 1 when something does.

            Examples:
              dae diff chair.dae chair-new.dae
              dae diff --format json before.zip after.zip
            """)

    @Argument(
        help: ArgumentHelp("The model as it was: a bundle, a document, or an entry of an archive.", valueName: "first"),
        transform: SourceArgument.text)
    var first: String

    @Argument(help: ArgumentHelp("The model as it is.", valueName: "second"), transform: SourceArgument.text)
    var second: String

    @OptionGroup var options: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions

    @Option(help: "The result's form: text (the default) or json.")
    var format = OutputFormat.text

    mutating func validate() throws {
        for source in [first, second] { try options.check(source) }
        if [first, second].allSatisfy({ $0 == "-" || $0.hasPrefix("-!/") }) {
            throw ValidationError("Standard input (-) can be read only once.")
        }
    }

    func run() async throws {
        let read = Mutex<[Model]>([])
        let found = Mutex<ModelComparison?>(nil)
        let (format, style) = (format, options.style)
        let live = places.applied(to: try options.live())
        try await SourceRun([first, second], options, live, several: .refused, isCompact: format == .json).run(format) {
            result in
            if case .read(let model) = result { read.withLock { $0.append(model) } }
            return .nothing
        } exit: { _ in
            .fine
        } end: {
            let models = read.withLock { $0 }
            guard models.count == 2 else { return .nothing }
            let comparison = ModelComparison(models[0], models[1])
            found.withLock { $0 = comparison }
            let sources = models.map(\.inspection.source)
            switch format {
            case .json: return .json(Self.json(comparison, sources))
            case .text: return .text(DifferenceText(comparison, sources.map(\.input), style: style).text)
            }
        }
        if found.withLock({ $0?.differences.isEmpty == false }) { throw DaeExit.findings }
    }

    private static func json(_ comparison: ModelComparison, _ sources: [Inspection.Source]) -> JSONValue {
        [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "first": sources[0].json, "second": sources[1].json,
            "differences": comparison.json,
        ]
    }
}

/// Two models beside each other, for people: a line for each difference.
private struct DifferenceText {
    let text: String

    /// Lines of one part at most; there may be a hundred thousand nodes.
    private static let most = 40

    init(_ comparison: ModelComparison, _ sources: [String], style: Style) {
        let names = sources.map(\.withoutControls).joined(separator: style.marks(" → "))
        guard !comparison.differences.isEmpty else {
            text = names + "   nothing differs\n"
            return
        }
        var lines = [style(.bold, names) + "   " + Figures.count(comparison.differences.count, "difference")]
        for part in ModelComparison.Part.allCases {
            let all = comparison.differences.filter { $0.part == part }
            lines += all.prefix(Self.most).map { "  " + Self.line($0, style) }
            if all.count > Self.most {
                lines.append("  and \(all.count - Self.most) more of the \(part.rawValue): --format json has all")
            }
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ difference: ModelComparison.Difference, _ style: Style) -> String {
        let item = difference.item?.withoutControls ?? ""
        let subject = difference.part.element.map { "\($0) \(item)" } ?? difference.part.rawValue
        switch difference.change {
        case .removed: return style(.red, "- \(subject)")
        case .added: return style(.cyan, "+ \(subject)")
        case .changed(let property, let from, let to):
            // As short as the two can be told apart.
            let isShort = shown(from, Figures.significant) != shown(to, Figures.significant)
            let values = [from, to].map { shown($0, isShort ? Figures.significant : Figures.exact) }
            return "~ \(subject): \(property) " + values.joined(separator: style.marks(" → "))
        }
    }

    private static func shown(_ value: JSONValue, _ number: (Double) -> String) -> String {
        switch value {
        case .null: "none"
        case .string(let text): text.withoutControls
        case .real(let value): number(value)
        case .integer(let value): String(value)
        case .bool(let value): value ? "yes" : "no"
        case .array(let values): "(" + values.map { shown($0, number) }.joined(separator: " ") + ")"
        case .object: String(decoding: value.text(.compact), as: UTF8.self).withoutControls
        }
    }
}

import ArgumentParser
import Daedalus

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List a bundle's files: size, how they are packed, and what each is to the scene.",
        discussion: """
            A file is the scene, a texture or a document of it, a manifest, an archive, junk of a file manager, \
            unused, or other. Where the scene cannot be read, names alone tell. --names does not read the scene at all.

            Examples:
              dae ls model.zip
              dae ls 'outer.zip!/inner.zae'
              dae ls --format json model.kmz | jq '.entries[] | select(.role == "unused").path'
            """)

    @OptionGroup var options: SourceOptions

    @Option(help: "The result's form: text or json.")
    var format = OutputFormat.text

    @Flag(help: "Tell what files are by their names alone.")
    var names = false

    func run() async throws {
        let (format, names) = (format, names)
        let style = options.run.style
        let isOneOfSeveral = options.sources.count > 1
        let isCompact = options.jsonl || isOneOfSeveral
        let run = try BundleRun(options.sources, options.run, try options.live(), jobs: options.jobs)
        try await run.run(.content, isCompact: isCompact, format: format) {
            bundle, isCancelled in
            if format == .text { bundle.tellWarnings() }
            let choice = try? bundle.choice()
            var inspection: Inspection?
            if !names, let choice { inspection = try? bundle.inspect(choice, isCancelled: isCancelled).inspection }
            let listing = Listing(bundle, EntryUses(choice, inspection, of: bundle.entry), style: style)
            switch format {
            case .json: return .init(rendering: .jsonPieces { listing.writeJSON($0, to: $1) })
            case .text: return .init(rendering: .bytes(listing.text(isHeaded: isOneOfSeveral)))
            }
        }
    }
}

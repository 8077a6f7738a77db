import ArgumentParser
import Daedalus

struct UnpackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpack",
        abstract: "Write a bundle's files below a folder, or none of them.",
        discussion: """
            Plain files and folders only, never a link, never outside the folder. All is written beside the folder \
            first and put in place at the end; when anything fails, nothing is left.

            Examples:
              dae unpack model.kmz -d model
              dae unpack 'outer.zip!/inner.zae!/' -d inner --force
            """)

    @Argument(help: ArgumentHelp("A bundle, or an entry of one.", valueName: "source"), transform: SourceArgument.text)
    var source: String

    @Option(
        name: [.customShort("d"), .customLong("directory")],
        help: ArgumentHelp("The folder to write to; made when it is missing.", valueName: "folder"))
    var directory: String

    @Flag(help: "Write into a folder that holds something, and replace its files of the same names.")
    var force = false

    @OptionGroup var options: RunOptions

    mutating func validate() throws {
        try RunOptions.check(source)
        if directory.isEmpty { throw ValidationError("--directory is empty; expected a folder.") }
    }

    func run() async throws {
        let unpacker = Unpacker(folder: directory, conflict: force ? .replaceFiles : .refuse)
        let directory = directory
        let quiet = options.quiet
        try await BundleRun([source], options).run(.file, isCompact: true, format: .text) { opened, isCancelled in
            opened.tellWarnings()
            let result = try unpacker.unpack(
                opened.bundle, selects: { opened.entry == nil || $0 == opened.entry }, isCancelled: isCancelled)
            let text = "\(Figures.count(result.files, "file")), \(Figures.bytes(result.bytes)) in \(directory)"
            return .init(rendering: quiet ? .nothing : .text(text.withoutControls + "\n"))
        }
    }
}

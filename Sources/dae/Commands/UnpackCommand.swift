import ArgumentParser
import Daedalus

struct UnpackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpack",
        abstract: "Write a bundle's files below a folder, or none of them.",
        discussion: """
            Plain files and folders only, never a link, never outside the folder. All is written apart first, in or \
            beside the folder, and put in place at the end; when anything fails, nothing is left, and what was replaced \
            is put back. The folder may hold other files, and may be a link to one.

            Examples:
              dae unpack model.kmz -d model
              dae unpack model.zip -d .
              dae unpack 'outer.zip!/inner.zae!/' -d inner --force
            """)

    @Argument(help: ArgumentHelp("A bundle, or an entry of one.", valueName: "source"), transform: SourceArgument.text)
    var source: String

    @Option(
        name: [.customShort("d"), .customLong("directory")],
        help: ArgumentHelp("The folder to write to; made when it is missing.", valueName: "folder"))
    var directory: String

    @Flag(help: "Replace files of the same names; without it, one that is there already ends the unpacking.")
    var force = false

    @OptionGroup var options: RunOptions

    mutating func validate() throws {
        try options.check(source)
        if directory.isEmpty { throw ValidationError("--directory is empty; expected a folder.") }
    }

    func run() async throws {
        let unpacker = Unpacker(folder: directory, conflict: force ? .replaceFiles : .refuse)
        let directory = directory
        let quiet = options.quiet
        try await BundleRun([source], options).run(.file, isCompact: true, format: .text) { opened, isCancelled in
            opened.tellWarnings()
            let result = try unpacker.unpack(
                opened.bundle, selects: { opened.entry == nil || $0 == opened.entry }, isCancelled: isCancelled,
                report: Self.follow)
            let text = "\(Figures.count(result.files, "file")), \(Figures.bytes(result.bytes)) in \(directory)"
            return .init(rendering: quiet ? .nothing : .text(text.withoutControls + "\n"))
        }
    }

    private static func follow(_ step: Unpacker.Step) {
        PartialFolder.follow(step)
        switch step {
        case .found(let folder, let leftover): complain("\(folder): \(text(of: leftover))")
        case .writing, .placing, .removing, .ended: break
        }
    }

    private static func text(of leftover: Unpacker.Leftover) -> String {
        switch leftover {
        case .removed: "left by an unpacking that was killed; removed"
        case .maybeInUse: "left by an unpacking that may still be at work; not touched"
        case .holdsReplacedFiles:
            "left by an unpacking that was killed while it replaced files; they are in its folder replaced, not touched"
        case .cannotBeRemoved(let reason): "left by an unpacking that was killed, and cannot be removed: \(reason)"
        }
    }
}

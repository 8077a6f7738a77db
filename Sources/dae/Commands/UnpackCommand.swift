import ArgumentParser
import DaeCore
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

    @Flag(help: "Write also what file managers left behind: __MACOSX, .DS_Store, Thumbs.db.")
    var junk = false

    @OptionGroup var options: RunOptions

    mutating func validate() throws {
        try options.check(source)
        if directory.isEmpty { throw ValidationError("--directory is empty; expected a folder.") }
    }

    func run() async throws {
        let unpacker = Unpacker(folder: directory, conflict: force ? .replaceFiles : .refuse)
        let directory = directory
        let (quiet, junk) = (options.quiet, junk)
        try await BundleRun([source], options).run(.file, isCompact: true, format: .text) { opened, isCancelled in
            try Self.checkPage(opened)
            opened.tellWarnings()
            let result = try unpacker.unpack(
                opened.bundle, selects: { entry in opened.entry.map { $0 == entry } ?? (junk || !entry.isJunk) },
                isCancelled: isCancelled,
                report: Self.follow)
            let text = "\(Figures.count(result.files, "file")), \(Figures.bytes(result.bytes)) in \(directory)"
            return .init(rendering: quiet ? .nothing : .text(text.withoutControls + "\n"))
        }
    }

    /// What a server answered in place of an archive is none, and no document either: a page of HTML, or any other markup
    /// than a document under the name of an archive.
    private static func checkPage(_ opened: LiveBundle) throws {
        guard opened.bundle.kind == .dae, let entry = opened.bundle.entries.first,
            case let start = try opened.bundle.prefix(of: entry, count: 4096),
            case let root = String(decoding: start, as: UTF8.self).rootElement
        else { return }
        let isNamedAsArchive = Bundle.Kind(named: opened.bundle.name)?.isArchive == true
        let isDocument = root?.split(separator: ":").last == "COLLADA"
        guard root?.lowercased() == "html" || isNamedAsArchive && !isDocument else { return }
        let what = root.map { "the root element is <\($0)>" } ?? "there is no root element at its beginning"
        complain("\(opened.file.input): \(what); expected <COLLADA> or an archive [DOC_NOT_COLLADA]")
        throw DaeExit.document
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

extension String {
    /// The name of the first element, where markup begins so; what stands before it is passed over.
    fileprivate var rootElement: String? {
        var rest = self[...]
        while let open = rest.firstIndex(of: "<") {
            rest = rest[open...].dropFirst()
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
            } else if !rest.hasPrefix("!"), !rest.hasPrefix("?") {
                return String(rest.prefix { $0.isLetter || $0.isNumber || "_:-.".contains($0) })
            }
        }
        return nil
    }
}

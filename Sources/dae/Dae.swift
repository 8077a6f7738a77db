import ArgumentParser
import CAllocator
import DaeCore
import Daedalus
import Dispatch

struct Dae: AsyncParsableCommand {
    static let version = ReportTool.daedalus.version

    static let configuration = CommandConfiguration(
        commandName: "dae",
        abstract: "Looks into 3D model bundles: what is in a .dae, .zae, .kmz or .zip, and what is wrong with it.",
        discussion: """
            SOURCE is a file (.dae, .zae, .kmz, .zip), a folder, - for standard input, an http(s):// or file:// address, or an \
            entry of an archive, such as bundle.zip!/models/chair.dae.

            Exit codes: 0 fine; 1 findings at or above --fail-on, or something missing; 3 not found or not \
            downloaded; 4 archive refused or unreadable; 5 document unreadable; 6 a budget was hit; 7 a conversion would lose something; 64 wrong usage; \
            69 a library is not installed; 73 output cannot be written; 130 interrupted.
            """,
        version: version,
        subcommands: [
            InspectCommand.self, ValidateCommand.self, ExplainCommand.self, TreeCommand.self, ResolveCommand.self,
            ListCommand.self, CatCommand.self, UnpackCommand.self, FetchCommand.self, CacheCommand.self,
            ConvertCommand.self, RenderCommand.self, DiffCommand.self, PackCommand.self,
            BenchCommand.self,
        ])

    static func main() async {
        var meant: any ParsableCommand.Type = Dae.self
        do {
            let arguments = SourceArgument.marked(Array(CommandLine.arguments.dropFirst()))
            var command = try named(by: arguments) ?? complete(arguments)
            meant = type(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as DaeExit {
            leave(code)
        } catch let error as ValidationError where meant != Dae.self {
            // Of what shows itself only when a command runs the parser does not know whose it is.
            let name = meant.configuration.commandName ?? ""
            writeToStandardError(
                """
                Error: \(error.message)
                Usage: \(usageString(for: meant))
                  See 'dae \(name) --help' for more information.

                """)
            leave(.usage)
        } catch {
            exit(withError: error)
        }
    }

    /// The command that stands first, asked alone: asking all of them what they know is a tenth of a start.
    ///
    /// - Returns: `nil` where it is none, has commands of its own, does not take the arguments, or is asked for help: then
    ///   all are asked, so that help and complaints come from the root.
    private static func named(by arguments: [String]) -> (any ParsableCommand)? {
        guard let name = arguments.first,
            let command = configuration.subcommands.first(where: { $0.configuration.commandName == name }),
            command.configuration.subcommands.isEmpty
        else { return nil }
        guard let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command else {
            return nil
        }
        return parsed
    }

    /// All commands asked, but where the first argument is meant to name one and does not.
    private static func complete(_ arguments: [String]) throws -> any ParsableCommand {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        // `help` is a command of ArgumentParser's.
        guard let name = arguments.first, !name.hasPrefix("-"), !["", "help"].contains(name), !names.contains(name)
        else {
            return try parseAsRoot(arguments)
        }
        let text = SourceArgument.text(name)
        let shown = "'\(text.withoutControls)' is no command"
        if isSource(text) {
            throw ValidationError("\(shown); one comes before a source: dae inspect '\(text.withoutControls)'")
        }
        let meant = otherNames[text.lowercased()] ?? NearestName.of(text, among: names)
        throw ValidationError(meant.map { "\(shown); did you mean \($0)?" } ?? "\(shown).")
    }

    /// What other programs call these commands.
    private static let otherNames = [
        "info": "inspect", "stat": "inspect", "show": "inspect", "check": "validate", "lint": "validate",
        "verify": "validate", "export": "convert", "extract": "unpack", "unzip": "unpack", "download": "fetch",
        "get": "fetch", "list": "ls",
    ]

    /// Whether it is what commands take, or would be if it were there: then only the command was left out.
    private static func isSource(_ text: String) -> Bool {
        text.contains("://") || text.contains("!/") || Bundle.Kind(named: text) != nil || access(text, F_OK) == 0
    }

    /// Without the ends of libraries: some thread may still be inside one.
    static func leave(_ code: DaeExit) -> Never {
        fflush(nil)
        _exit(code.rawValue)
    }
}

/// How the program ends; thrown to end it. Of several sources the highest of 1 to 7.
enum DaeExit: Int32, Error, CaseIterable, Comparable {
    case fine = 0
    /// Findings at or above `--fail-on`, or something missing.
    case findings = 1
    /// Not found, or the download failed.
    case notFound = 3
    /// The archive was refused or cannot be read.
    case archive = 4
    /// The document cannot be read.
    case document = 5
    /// A budget was hit.
    case budget = 6
    /// A conversion would lose what `--lossless` or `--protect` protects.
    case loss = 7
    /// The arguments make no sense.
    case usage = 64
    /// A library that was asked for is not installed.
    case unavailable = 69
    /// The output cannot be written, or is there already.
    case cannotWrite = 73
    case interrupted = 130
    /// The reader of the output went away.
    case closedPipe = 141
    case terminated = 143

    static func < (left: DaeExit, right: DaeExit) -> Bool { left.rawValue < right.rawValue }

    /// By what failed, a budget before the stage it was hit in.
    init(failure code: FindingCode) {
        if code.isBudget {
            self = .budget
            return
        }
        if code == .convertLoss {
            self = .loss
            return
        }
        if code == .convertLibraryMissing {
            self = .unavailable
            return
        }
        // One of several has to be named.
        if code == .bundleMultipleScenes {
            self = .usage
            return
        }
        if code == .robotMeshNotFound {
            self = .notFound
            return
        }
        switch code.stage {
        case .download: self = .notFound
        case .archive: self = .archive
        case .xml, .schema, .link, .data, .scene, .resource, .convert: self = .document
        }
    }
}

// Not `async`: what follows has to stand before the runtime opens descriptors and starts threads of its own.

@main enum Main {
    static func main() {
        // Settings of the whole process, which a library leaves alone; before any thread is started.
        dae_use_one_arena()
        dae_give_long_arrays_back()
        StandardDescriptors.fill()
        // Else the C library looks for the time zone's file again at every date of an archive's directory.
        setenv("TZ", ":/etc/localtime", 0)
        // A closed pipe shows itself when writing, and ends the program quietly.
        signal(SIGPIPE, SIG_IGN)
        Interrupts.install()
        Task {
            await Dae.main()
            Dae.leave(.fine)
        }
        dispatchMain()
    }
}

/// The three descriptors that every program has.
private enum StandardDescriptors {
    /// Gives those that are closed something to stand for, so that no other file takes their numbers.
    ///
    /// Standard output gets what cannot be written, so that a result which goes nowhere is an error.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

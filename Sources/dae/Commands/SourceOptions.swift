import ArgumentParser
import Daedalus
import Glibc

/// What every command that reads sources takes.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A file (.dae, .zae, .kmz, .zip), a folder, - for standard input, an http(s):// address, or an entry: a.zip!/b.dae.",
            valueName: "source"))
    var sources: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the result to a file, which appears whole or not at all.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("How many sources to work on at once.", valueName: "n"))
    var jobs = 2

    @Option(help: ArgumentHelp("Trust the certificates in this PEM file instead of the system's.", valueName: "file"))
    var cacert: String?

    @Flag(help: "One JSON object a line, also for a single source.")
    var jsonl = false

    @Flag(name: .shortAndLong, help: "No progress on standard error.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say on standard error what is done.")
    var verbose = false

    mutating func validate() throws {
        if sources.isEmpty { throw ValidationError("Name at least one source.") }
        if sources.contains("") { throw ValidationError("A source is empty; expected a file, folder, address or -.") }
        if let cacert, access(cacert, R_OK) != 0 {
            throw ValidationError("--cacert: \(cacert) cannot be read: \(String(cString: strerror(errno))).")
        }
        if !(1...256).contains(jobs) { throw ValidationError("--jobs is \(jobs); expected 1 to 256.") }
        if sources.count(where: { $0 == "-" }) > 1 {
            throw ValidationError("Standard input (-) can be read only once.")
        }
    }

    /// How sources are read for what the command line tells of them.
    var live: AssetOperations.LiveOptions {
        var options = AssetOperations.LiveOptions()
        options.collada.retention = .figures
        options.caFile = cacert
        return options
    }
}

/// Text for people, JSON for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

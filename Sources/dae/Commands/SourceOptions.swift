import ArgumentParser
import DaeCore
import Daedalus

/// What every command that reads several sources takes.
struct SourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A file (.dae, .zae, .kmz, .zip), a folder, - for standard input, an http(s):// or file:// address, an entry: a.zip!/b.dae, or a robot's .urdf, .sdf or .xacro for the models that it names.",
            valueName: "source"), transform: SourceArgument.text)
    var sources: [String]

    @Option(help: ArgumentHelp("How many sources to work on at once.", valueName: "n"))
    var jobs = 2

    @Flag(help: "One JSON object a line, also for a single source.")
    var jsonl = false

    @OptionGroup var run: RunOptions
    @OptionGroup(title: "Where files are looked for") var places: PlaceOptions

    var output: String? { run.output }
    var quiet: Bool { run.quiet }
    var verbose: Bool { run.verbose }

    mutating func validate() throws {
        if sources.isEmpty { throw ValidationError("Name at least one source.") }
        for source in sources { try run.check(source) }
        if !(1...256).contains(jobs) { throw ValidationError("--jobs is \(jobs); expected 1 to 256.") }
        if sources.count(where: { $0 == "-" || $0.hasPrefix("-!/") }) > 1 {
            throw ValidationError("Standard input (-) can be read only once.")
        }
    }

    /// Whether each source's JSON is a line.
    var isCompact: Bool { jsonl || sources.count > 1 }

    /// The same with each folder of several models replaced by them, and what could not be looked at there.
    func expanded(by folders: FolderMeaning) throws -> (options: SourceOptions, unread: [InspectionFailure]) {
        var options = self
        let contents = try folders.contents(of: sources, places)
        try OutputGuard.check(output, sources: contents.robots.map(\.path))
        options.sources = contents.sources
        return (options, contents.failures)
    }

    /// How sources are read for what the command line tells of them.
    func live() throws -> AssetOperations.LiveOptions { places.applied(to: try run.live()) }
}

/// How a command runs, whatever it reads.
struct RunOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the result to a file, which appears whole or not at all; none that is read itself.",
            valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The password of encrypted archives, which others on this machine can see; DAE_PASSWORD holds it unseen.",
            valueName: "text"))
    var password: String?

    @Option(
        help: ArgumentHelp("A file whose first line is the password.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "Bytes of the result at most; 256 MiB and 64 times the source when not given, but no more than 4 GiB.",
            valueName: "bytes"))
    var maxOutput: Int?

    @Flag(name: .shortAndLong, help: "No progress on standard error.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say on standard error what is done.")
    var verbose = false

    @Flag(help: "Download archives as a whole into the cache, where servers could send the parts that are needed.")
    var whole = false

    @Option(help: Style.Color.help) var color = Style.Color.auto
    @OptionGroup(title: "The network") var network: NetworkOptions

    /// Of what is written for people.
    var style: Style { Style.of(color, output: output) }

    mutating func validate() throws {
        if password != nil, passwordFile != nil {
            throw ValidationError("--password and --password-file exclude each other.")
        }
    }

    /// - Parameter read: Bytes of the source.
    func outputLimit(of source: String, read: Int64?) -> ResultWriter.Limit {
        .init(bytes: maxOutput ?? ConversionBudget.outputLimit(read: read ?? 0), source: source)
    }

    func outputLimit(of result: SourceRun.Result, _ source: String) -> ResultWriter.Limit? {
        switch result {
        case .read(let product):
            let inspection = product.inspection
            return outputLimit(of: source, read: inspection.source.bytes ?? inspection.document.bytes)
        case .failed: return nil
        }
    }

    func check(_ source: String) throws {
        if let maxOutput, maxOutput < 1 { throw ValidationError("--max-output is \(maxOutput); expected 1 or more.") }
        if source.isEmpty {
            throw ValidationError("A source is empty; expected a file, folder, address or -.")
        }
        // Who names a digest must not believe that it was looked at where it was not.
        if network.sha256 != nil, !["http://", "https://"].contains(where: { source.lowercased().hasPrefix($0) }) {
            let shown = SourceAddress.display(source).withoutControls
            throw ValidationError("--sha256 is for what is downloaded; \(shown) is no http(s):// address.")
        }
    }

    /// The command line's over the environment's.
    private func givenPassword() throws -> String? {
        if let password { return password }
        guard let passwordFile else {
            return getenv("DAE_PASSWORD").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        do throws(ControlError) {
            let line = try ControlFile.bytes(passwordFile, limit: 65_536).prefix { ![0x0A, 0x0D].contains($0) }
            return String(decoding: line, as: UTF8.self)
        } catch {
            throw ValidationError("--password-file: \(error.description.withoutControls.asSentence)")
        }
    }

    func live() throws -> AssetOperations.LiveOptions {
        var options = AssetOperations.LiveOptions()
        options.collada.retention = .figures
        options.keepsFiles = false
        options.password = try givenPassword()
        options.web.reading = whole ? .whole : .byRanges
        return try network.applied(to: options, isQuiet: quiet, isVerbose: verbose)
    }
}

/// Text for people, JSON for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// Arguments that name sources and would be taken for options.
enum SourceArgument {
    /// No argument of a process holds it.
    private static let mark: Character = "\0"

    /// The arguments, those marked that are entries of standard input, and models whose names begin with a dash named by
    /// their folder: `-h` of `-house.dae` would be a call for help.
    static func marked(_ arguments: [String]) -> [String] {
        let options = arguments.prefix { $0 != "--" }
        return options.map { argument in
            if argument.hasPrefix("-!/") { return String(mark) + argument }
            let isModel = argument.hasPrefix("-") && !argument.hasPrefix("--") && Bundle.Kind(named: argument) != nil
            return isModel ? "./" + argument : argument
        } + arguments.dropFirst(options.count)
    }

    /// The source as it was given.
    static func text(_ argument: String) -> String {
        argument.first == mark ? String(argument.dropFirst()) : argument
    }
}

/// What is done about files of the web that a scene refers to.
struct WebOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Fetch images and documents that are referred to by http or https into the cache, and look at them.",
            discussion: """
                What lies beside a document that came from an address is there, too. At most 64 addresses and 256 MB; \
                whoever wrote the document decides what is asked for. Hosts with private and loopback addresses are left \
                alone, and no header, token or password goes along.
                """))
    var fetch = false

    @Flag(help: "As --fetch, also from hosts with private and loopback addresses.")
    var fetchPrivate = false

    func applied(to options: AssetOperations.LiveOptions) -> AssetOperations.LiveOptions {
        var options = options
        options.webImages = fetch || fetchPrivate ? .fetched : .reported
        if fetchPrivate { options.web.imagePolicy = .open }
        return options
    }
}

/// Folders of this machine where a bundle's files may lie.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder taken for the bundle of a lone .dae; else the nearest around it with model.config, package.xml, manifest.xml or doc.kml.",
            valueName: "folder"))
    var root: String?

    @Option(
        help: ArgumentHelp(
            "Where the ROS package of package://name/… lies; ROS_PACKAGE_PATH and AMENT_PREFIX_PATH are looked through, too.",
            valueName: "name=folder"))
    var package: [NamedFolderOption] = []

    @Option(
        help: ArgumentHelp(
            "Where the Gazebo model of model://name/… lies; GZ_SIM_RESOURCE_PATH is looked through, too.",
            valueName: "name=folder"))
    var model: [NamedFolderOption] = []

    @Flag(
        help:
            "Look at nothing outside the bundle, which for a lone .dae is the folder of --root: for documents of strangers. --package, --model, --fuel-cache and their variables lead nowhere then."
    )
    var bundleOnly = false

    @Option(help: ArgumentHelp("Where Gazebo keeps what it fetched from Fuel.", valueName: "folder"))
    var fuelCache: String?

    mutating func validate() throws {
        if let root { try Self.check(root, "--root") }
        for option in package { try Self.check(option.folder, "--package \(option.name)") }
        for option in model { try Self.check(option.folder, "--model \(option.name)") }
        if let fuelCache { try Self.check(fuelCache, "--fuel-cache") }
    }

    /// A folder that was named is meant: nothing would ever be found in one that is mistyped.
    private static func check(_ folder: String, _ option: String) throws {
        guard let present = FileMetadata(following: folder) else {
            let reason = SystemError(folder).reason
            throw ValidationError("\(option): \(folder.isEmpty ? "the folder" : folder): \(reason).")
        }
        guard present.kind == .folder else { throw ValidationError("\(option): \(folder) is no folder.") }
    }

    func applied(to options: AssetOperations.LiveOptions) -> AssetOperations.LiveOptions {
        var options = options
        options.policy = policy
        options.loneDocuments = .inFolder
        options.root = root
        return options
    }

    var policy: LocatorPolicy { bundleOnly ? .bundleOnly : .hostPaths(roots) }

    private var roots: [HostRoot] {
        let variables = ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH", "HOME"]
        let environment = Dictionary(
            uniqueKeysWithValues: variables.compactMap { name in getenv(name).map { (name, String(cString: $0)) } })
        let fuel = fuelCache ?? environment["HOME"].map { $0 + "/.gz/fuel" }
        return package.map { HostRoot(.package($0.name), folder: $0.folder) }
            + model.map { HostRoot(.model($0.name), folder: $0.folder) } + HostRoot.roots(environment: environment)
            + (fuel.map { [HostRoot(.fuelCache, folder: $0)] } ?? [])
    }
}

/// `name=folder`.
struct NamedFolderOption: ExpressibleByArgument {
    let name: String
    let folder: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark != argument.startIndex else { return nil }
        name = String(argument[..<mark])
        folder = String(argument[mark...].dropFirst())
        if folder.isEmpty { return nil }
    }
}

/// How addresses are asked for.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Ask no server: addresses are read from the cache, or not at all.")
    var offline = false

    @Flag(help: "Fetch addresses again, whatever is in the cache.")
    var refresh = false

    @Option(
        help: ArgumentHelp(
            "What the download must hash to; so does an address that ends in #sha256=DIGITS.", valueName: "digits"))
    var sha256: String?

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "A header for the server, such as \"X-Key: 1\". A token is better given in DAE_BEARER_TOKEN.",
            valueName: "line"))
    var header: [String] = []

    @Flag(help: "Look up user names and passwords in ~/.netrc.")
    var netrc = false

    @Option(help: ArgumentHelp("Look them up in this file.", valueName: "file"), completion: .file())
    var netrcFile: String?

    @Option(
        help: ArgumentHelp("Trust the certificates in this PEM file instead of the system's.", valueName: "file"),
        completion: .file())
    var cacert: String?

    mutating func validate() throws {
        if offline, refresh { throw ValidationError("--offline and --refresh contradict each other.") }
        if let sha256, SHA256Digest(hex: sha256) == nil {
            throw ValidationError("--sha256 is \(sha256.withoutControls); expected 64 hexadecimal digits.")
        }
        for case let (option, path?) in [("--cacert", cacert), ("--netrc-file", netrcFile)]
        where access(path, R_OK) != 0 {
            throw ValidationError("\(option): \(path) cannot be read: \(SystemError(path).reason).")
        }
        _ = try requests(isVerbose: false)
    }

    /// - Parameter isVerbose: Whether each request is told on standard error.
    func applied(
        to options: AssetOperations.LiveOptions, isQuiet: Bool, isVerbose: Bool
    ) throws -> AssetOperations.LiveOptions {
        var options = options
        options.cache = try Self.cache()
        options.web.requests = try requests(isVerbose: isVerbose)
        options.web.mode = mode
        options.web.sha256 = digest
        if !isQuiet { options.web.notice = { complain($0.text) } }
        return options
    }

    var mode: CacheMode { offline ? .offline : refresh ? .refresh : .revalidate }

    var digest: SHA256Digest? { sha256.flatMap { SHA256Digest(hex: $0) } }

    /// Where the environment says, as large as it says.
    static func cache() throws -> DownloadCache {
        var limit = SizeLimit.standard
        if let text = getenv("DAE_CACHE_LIMIT").map({ String(cString: $0) }), !text.isEmpty {
            guard let named = SizeLimit(text) else {
                throw ValidationError(
                    "DAE_CACHE_LIMIT is \(text.withoutControls); expected a size such as 20G, or unlimited.")
            }
            limit = named
        }
        return DownloadCache(folder: DownloadCache.defaultFolder(), sizeLimit: limit)
    }

    func requests(isVerbose: Bool) throws -> RequestOptions {
        var options = AssetOperations.LiveOptions().web.requests
        do throws(RequestHeaderError) {
            for line in header { options.headers.append(try RequestHeader(line: line)) }
            if let token = getenv("DAE_BEARER_TOKEN").map({ String(cString: $0) }), !token.isEmpty {
                options.bearerToken = try BearerToken(token)
            }
        } catch { throw ValidationError("\(error)") }
        options.caFile = cacert
        if netrc { options.netrc = .standard }
        if let netrcFile { options.netrc = .file(netrcFile) }
        if isVerbose { options.log = { complain($0) } }
        return options
    }
}

import ArgumentParser
import Daedalus

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
        options.policy = bundleOnly ? .bundleOnly : .hostPaths(roots)
        options.loneDocuments = .inFolder
        options.root = root
        return options
    }

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

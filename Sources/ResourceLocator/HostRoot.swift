/// A folder of this machine below which files may be used, and what for.
public struct HostRoot: Sendable, Hashable {
    public enum Purpose: Sendable, Hashable {
        /// The folder of one package, as an option names it.
        case package(String)
        /// The folder of one model, as an option names it.
        case model(String)
        /// Holds packages at any depth, as the folders of `ROS_PACKAGE_PATH`.
        case packagePath
        /// Holds packages in `share`, as the folders of `AMENT_PREFIX_PATH`.
        case amentPrefix
        /// Holds models, as the folders of `GZ_SIM_RESOURCE_PATH`.
        case modelPath
        /// What Gazebo's client fetched from Fuel; usually `~/.gz/fuel`.
        case fuelCache
        /// So many folders above a lone document's root; only the locator makes it.
        case above(levels: Int)
        /// Where a symbolic link beside a lone document leads; only the locator makes it.
        case linkTarget
    }

    public let purpose: Purpose
    /// A path of this machine. The folder itself may be a link; below it none is followed.
    public let folder: String

    public init(_ purpose: Purpose, folder: String) {
        self.purpose = purpose
        self.folder = folder
    }

    /// The folder where a person named it, by an option or a variable.
    var named: String? {
        switch purpose {
        case .package, .model, .packagePath, .amentPrefix, .modelPath, .fuelCache: folder
        case .above, .linkTarget: nil
        }
    }

    /// What names the folder, without its path on this machine.
    public var label: String {
        switch purpose {
        case .package(let name): "package \(name)"
        case .model(let name): "model \(name)"
        case .packagePath: "ROS_PACKAGE_PATH"
        case .amentPrefix: "AMENT_PREFIX_PATH"
        case .modelPath: "GZ_SIM_RESOURCE_PATH"
        case .fuelCache: "Fuel cache"
        case .above: "above the root"
        case .linkTarget: "through a link"
        }
    }
}

extension HostRoot {
    /// The folders that the environment of ROS and Gazebo names, in its order; relative ones are left out.
    public static func roots(environment: [String: String]) -> [HostRoot] {
        let variables: [(String, Purpose)] = [
            ("ROS_PACKAGE_PATH", .packagePath), ("AMENT_PREFIX_PATH", .amentPrefix),
            ("GZ_SIM_RESOURCE_PATH", .modelPath),
        ]
        return variables.flatMap { name, purpose in
            (environment[name] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map {
                HostRoot(purpose, folder: String($0))
            }
        }
    }
}

/// A file of this machine that is no part of the bundle.
public struct HostFile: Sendable, Hashable {
    public let root: HostRoot
    /// Below the root's folder.
    public let path: String
    /// For reports: relative to the bundle for what lies above a lone document's root, else the root's label and the
    /// path, without the machine's own folders.
    public let shown: String

    init(root: HostRoot, path: String, shown: String? = nil) {
        self.root = root
        self.path = path
        self.shown = shown ?? "\(root.label): \(path)"
    }

    /// - Parameter shown: The link that leads there.
    init(_ target: LinkTarget, shown: String) {
        self.init(root: HostRoot(.linkTarget, folder: target.folder), path: target.name, shown: shown)
    }
}

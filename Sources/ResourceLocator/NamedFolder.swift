// `package://robot/meshes/a.dae` names a folder by what its package.xml says, not by where it lies.

import BundleManifest
import URIReference

/// Folders of a bundle that a manifest gives a name.
struct NamedFolder: Sendable {
    enum Kind: Sendable, Hashable, CaseIterable {
        case package, model

        /// What the folder holds.
        var manifest: String {
            switch self {
            case .package: "package.xml"
            case .model: "model.config"
            }
        }

        var scheme: String {
            switch self {
            case .package: "package"
            case .model: "model"
            }
        }

        func name(in bytes: [UInt8]) -> String? {
            switch self {
            case .package: ManifestName.package(bytes)
            case .model: ManifestName.model(bytes)
            }
        }
    }

    /// Manifests that are read, and the largest, in bytes.
    private static let mostRead = 256
    private static let largest = 1 << 20

    private var folders: [String: String] = [:]

    init(_ kind: Kind, in container: any ResourceContainer) {
        let manifests = container.paths.filter { BundlePath.baseName(of: $0) == kind.manifest }.sortedOnce()
        // Gazebo goes by the folder's name, ROS by the manifest's; where the two agree it is the same entry.
        for path in manifests.prefix(Self.mostRead) {
            guard let bytes = container.bytes(at: path, limit: Self.largest), let name = kind.name(in: bytes) else {
                continue
            }
            add(name, path)
        }
        for path in manifests { add(BundlePath.baseName(of: BundlePath.folder(of: path)), path) }
    }

    private mutating func add(_ name: String, _ manifest: String) {
        guard !name.isEmpty, folders[name] == nil else { return }
        folders[name] = BundlePath.folder(of: manifest)
    }

    /// The folder of that name.
    func folder(_ name: String) -> String? { folders[name] }
}

/// The parts of `package://name/path`.
struct NamedAddress {
    let name: String
    let path: String

    init?(_ text: String, _ kind: NamedFolder.Kind) {
        let address = URIReference(text)
        guard address.hasScheme(kind.scheme), let name = address.authority, !name.isEmpty, name != ".", name != ".."
        else { return nil }
        self.name = name
        path = address.path
    }
}

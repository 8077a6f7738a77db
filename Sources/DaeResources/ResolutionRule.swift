// To add a rule: add its case where it is to be tried, and the compiler asks for its recipe. A new way of reading a
// reference is a case of ReferenceReading; what is no reading of a path is a new case of Recipe.

/// The ways from a reference to a file, in the order they are tried. Raw values are stable.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ResolutionRule: String, Sendable, Hashable, CaseIterable {
    /// As written, against the document's folder.
    case exact
    /// Percent-encoding undone once; what is no UTF-8 then is taken for Latin-1.
    case percentDecoded
    /// The same letters, composed or decomposed otherwise, or their UTF-8 taken for another encoding by who packed.
    case unicodeForm
    /// Back-slashes taken for separators, with and without decoding.
    case backslashes
    /// Without `file:` and a drive's letter.
    case machinePath
    /// Upper and lower case taken for the same, in all readings so far.
    case caseFolded
    /// As written, against the bundle's top.
    case bundleRoot
    case bundleRootPercentDecoded
    case bundleRootUnicodeForm
    case bundleRootBackslashes
    case bundleRootMachinePath
    case bundleRootCaseFolded
    /// `package://name/…` of ROS.
    case rosPackage = "package"
    /// `model://name/…` of Gazebo.
    case gazeboModel = "model"
    /// A web address of Gazebo Fuel whose files are on this machine.
    case fuelCache = "fuel"
    /// The reference's last folders and its name, below the document's folder or one around it; at last its name alone
    /// in the document's folder.
    case ancestorSuffix
    /// Beside the document, in one of the folders where textures usually lie.
    case siblingFolder
    /// In a folder of resources as Apple's tools and SwiftPM make them.
    case resourceBundle
    /// What `textures.txt` or the resource map of a KMZ says; the map of the document's own model counts before all
    /// other rules.
    case textureAlias
    /// A file of that name anywhere in the bundle; of several the one beside the document, else the nearest.
    case baseName
    /// The same name with the ending of another image format.
    case otherExtension
    /// An image file that bears the image's id or name.
    case imageName

    /// For a person.
    public var title: String {
        switch self {
        case .exact: "as written"
        case .percentDecoded: "percent-decoded"
        case .unicodeForm: "in another Unicode form"
        case .backslashes: "back-slashes as separators"
        case .machinePath: "without its drive or file:"
        case .caseFolded: "in other letters' case"
        case .bundleRoot: "from the bundle's top"
        case .bundleRootPercentDecoded: "from the bundle's top, percent-decoded"
        case .bundleRootUnicodeForm: "from the bundle's top, in another Unicode form"
        case .bundleRootBackslashes: "from the bundle's top, back-slashes as separators"
        case .bundleRootMachinePath: "from the bundle's top, without its drive or file:"
        case .bundleRootCaseFolded: "from the bundle's top, in other letters' case"
        case .ancestorSuffix: "by the end of its path"
        case .siblingFolder: "in a folder of textures beside the document"
        case .resourceBundle: "in a bundle of resources"
        case .rosPackage: "in its ROS package"
        case .gazeboModel: "in its Gazebo model"
        case .fuelCache: "in the cache of Gazebo Fuel"
        case .textureAlias: "by the archive's map of textures"
        case .baseName: "by its name alone"
        case .otherExtension: "by its name, as another image format"
        case .imageName: "by the image's id or name"
        }
    }
}

extension ResolutionRule {
    /// How candidates are made.
    enum Recipe {
        case path(ReferenceReading, by: [PathComparison], from: Start, Resolution.Confidence)
        case ancestorSuffix
        case siblingFolder
        case resourceBundle
        case namedFolder(NamedFolder.Kind)
        case fuelCache
        case textureAlias
        case baseName
        case otherExtension
        case imageName
    }

    /// The folder that a path is read against.
    enum Start {
        case document, top
    }

    /// Whether it takes the reference for a path from the document, as a writer means it.
    var startsFromDocument: Bool {
        switch recipe {
        case .path(_, _, .document, _): true
        case .path(_, _, .top, _), .ancestorSuffix, .siblingFolder, .resourceBundle, .namedFolder, .fuelCache,
            .textureAlias, .baseName, .otherExtension, .imageName:
            false
        }
    }

    /// Whether it takes the reference at its word; what an archive's own map says counts as such.
    var isLiteral: Bool {
        switch recipe {
        case .path(_, _, _, let confidence): confidence == .certain
        case .namedFolder, .fuelCache, .textureAlias: true
        case .ancestorSuffix, .siblingFolder, .resourceBundle, .baseName, .otherExtension, .imageName: false
        }
    }

    var recipe: Recipe {
        switch self {
        case .exact: .path(.asWritten, by: [.bytes], from: .document, .certain)
        case .percentDecoded: .path(.percentDecoded, by: [.bytes], from: .document, .certain)
        case .unicodeForm: .path(.literal, by: [.canonical, .mended], from: .document, .likely)
        case .backslashes: .path(.backslashes, by: [.bytes, .canonical], from: .document, .likely)
        case .machinePath: .path(.machinePath, by: [.bytes, .canonical], from: .document, .likely)
        case .caseFolded: .path(.any, by: [.folded], from: .document, .likely)
        case .bundleRoot: .path(.asWritten, by: [.bytes], from: .top, .likely)
        case .bundleRootPercentDecoded: .path(.percentDecoded, by: [.bytes], from: .top, .likely)
        case .bundleRootUnicodeForm: .path(.literal, by: [.canonical, .mended], from: .top, .likely)
        case .bundleRootBackslashes: .path(.backslashes, by: [.bytes, .canonical], from: .top, .likely)
        case .bundleRootMachinePath: .path(.machinePath, by: [.bytes, .canonical], from: .top, .likely)
        case .bundleRootCaseFolded: .path(.any, by: [.folded], from: .top, .likely)
        case .ancestorSuffix: .ancestorSuffix
        case .siblingFolder: .siblingFolder
        case .resourceBundle: .resourceBundle
        case .rosPackage: .namedFolder(.package)
        case .gazeboModel: .namedFolder(.model)
        case .fuelCache: .fuelCache
        case .textureAlias: .textureAlias
        case .baseName: .baseName
        case .otherExtension: .otherExtension
        case .imageName: .imageName
        }
    }
}

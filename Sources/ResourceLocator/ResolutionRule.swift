// To add a rule: add its case where it is to be tried, and the compiler asks for its recipe. A new way of reading a
// reference is a case of ReferenceReading; what is neither a reading nor a base name is a new case of Recipe.

/// The ways from a reference to a file, in the order they are tried. Raw values are stable.
public enum ResolutionRule: String, Sendable, Hashable, CaseIterable {
    /// As written, against the document's folder.
    case exact
    /// Percent-encoding undone once.
    case percentDecoded
    /// Back-slashes taken for separators, with and without decoding.
    case backslashes
    /// As written, against the bundle's top.
    case bundleRoot
    case bundleRootPercentDecoded
    case bundleRootBackslashes
    /// A file of that name anywhere in the bundle; of several the one beside the document, else the only one below it.
    case baseName

    /// For a person.
    public var title: String {
        switch self {
        case .exact: "as written"
        case .percentDecoded: "percent-decoded"
        case .backslashes: "back-slashes as separators"
        case .bundleRoot: "from the bundle's top"
        case .bundleRootPercentDecoded: "from the bundle's top, percent-decoded"
        case .bundleRootBackslashes: "from the bundle's top, back-slashes as separators"
        case .baseName: "by its name alone"
        }
    }

    /// How candidates are made.
    enum Recipe {
        case path(ReferenceReading, from: Start, Resolution.Confidence)
        case baseName
    }

    /// The folder that a path is read against.
    enum Start {
        case document, top
    }

    var recipe: Recipe {
        switch self {
        case .exact: .path(.asWritten, from: .document, .certain)
        case .percentDecoded: .path(.percentDecoded, from: .document, .certain)
        case .backslashes: .path(.backslashes, from: .document, .likely)
        case .bundleRoot: .path(.asWritten, from: .top, .likely)
        case .bundleRootPercentDecoded: .path(.percentDecoded, from: .top, .likely)
        case .bundleRootBackslashes: .path(.backslashes, from: .top, .likely)
        case .baseName: .baseName
        }
    }
}

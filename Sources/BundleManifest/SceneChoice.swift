public import Archive

/// Which document of a bundle is its scene, by which rule, and what else it could have been.
public struct SceneChoice: Sendable, Hashable {
    public let entry: Bundle.Entry
    public let rule: SceneRule
    /// What the manifest pointed at within the document, without `#`; `nil` when it named the whole document.
    public let fragment: String?
    /// The other documents, in the bundle's order.
    public let candidates: [String]
    /// Entries that lead to the scene or its textures, such as `manifest.xml`; they are part of the bundle, not unused.
    public let manifests: [String]
}

/// How a scene was chosen, surest first. Raw values are stable.
public enum SceneRule: String, Sendable, Hashable, CaseIterable {
    /// The caller named it.
    case given
    /// The source is the document.
    case document
    /// `dae_root` of a ZAE's `manifest.xml`.
    case zaeManifest
    /// `Model/Link/href` of a KMZ's `doc.kml`.
    case kmzModelLink
    /// There is no other.
    case onlyDocument
    /// It bears the bundle's name.
    case namedLikeBundle
    /// It lies in fewer folders than any other.
    case shallowest
    /// It is the largest of those.
    case largest
    /// It comes first in the alphabet.
    case firstByName

    /// For a person.
    public var title: String {
        switch self {
        case .given: "as asked for"
        case .document: "the file itself"
        case .zaeManifest: "via manifest.xml › dae_root"
        case .kmzModelLink: "via doc.kml › Model › Link"
        case .onlyDocument: "the only document"
        case .namedLikeBundle: "named like the bundle"
        case .shallowest: "in the outermost folder"
        case .largest: "the largest document"
        case .firstByName: "first by name"
        }
    }

    /// Whether it was a guess among several.
    public var isGuess: Bool {
        switch self {
        case .given, .document, .zaeManifest, .kmzModelLink, .onlyDocument: false
        case .namedLikeBundle, .shallowest, .largest, .firstByName: true
        }
    }
}

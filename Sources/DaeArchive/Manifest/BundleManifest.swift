package import DaeDiagnostics
import DaeXML

/// Picks a bundle's scene: what a manifest names, the only document, else the best of several.
package enum BundleManifest {
    /// What becomes of links in a manifest that exporters write otherwise than they should.
    package enum Repairs: Sendable, Hashable {
        /// Back-slashes are taken for slashes, and files found as those of references are; both are told.
        case made
        case refused
    }

    /// Whether documents are looked into, for those that others refer to are no scenes.
    package enum Documents: Sendable, Hashable {
        case searched
        /// The same, and the caller takes each model, so that none is told to be left out.
        case each
        /// The same, also where a manifest names one.
        case all
        case unread
    }

    /// Finds the file that a manifest means where it is not there as written: its path, and how it was found.
    package typealias Locator = (_ reference: String, _ manifest: String) -> (path: String, how: String)?

    /// - Parameters:
    ///   - given: The path of the scene when the caller named it.
    ///   - locate: Asked for links that lead nowhere; never where repairs are refused.
    /// - Returns: The choice, and what was odd about the bundle's manifests.
    /// - Throws: ``CodedFailure`` when there is no document, or not the one that was asked for.
    package static func scene(
        of bundle: Bundle, given: String? = nil, repairs: Repairs = .made, documents: Documents = .searched,
        locate: Locator? = nil
    ) throws(CodedFailure) -> (choice: SceneChoice, findings: FindingLog) {
        var chooser = SceneChooser(bundle, repairs, documents, locate)
        let choice = try chooser.choose(given: given)
        return (choice, chooser.findings)
    }
}

/// Which document of a bundle is its scene, by which rule, and what else it could have been.
package struct SceneChoice: Sendable, Hashable {
    package internal(set) var entry: Bundle.Entry
    package internal(set) var rule: SceneRule
    /// What the manifest pointed at within the document, without `#`; `nil` when it named the whole document.
    package let fragment: String?
    /// The other documents, in the bundle's order.
    package internal(set) var candidates: [String]
    /// The documents to which no other refers, sorted, where none of several was named.
    package internal(set) var models: [String] = []
    /// Entries that lead to the scene or its textures, such as `manifest.xml`; they are part of the bundle, not unused.
    package internal(set) var manifests: [String]
    /// Where it stands among models of which each is taken.
    package internal(set) var standing = Standing.alone
    /// All models that the manifest shows together, the scene's own first; empty where it names one as it is.
    package internal(set) var parts: [Part] = []

    /// One of the models that make a scene together.
    package struct Part: Sendable, Hashable {
        package let entry: Bundle.Entry
        /// As the manifest calls it.
        package let name: String?
        package let placement: KMLPlacement
    }

    /// The manifest that names it; `nil` where none does.
    package var namingManifest: String? {
        switch rule {
        case .zaeManifest: manifests.first
        case .kmzModelLink: manifests.first { $0.lowercased().hasSuffix(".kml") }
        case .given, .document, .onlyDocument, .unreferenced, .namedLikeBundle, .shallowest, .largest, .firstByName: nil
        }
    }

    /// Where a model stands among those of its bundle of which each is taken.
    package enum Standing: Sendable, Hashable {
        case alone
        /// With it, what is odd about the bundle is told.
        case first
        case further
    }

    /// One of several models of a bundle of which each is taken: the others are in its place nowhere.
    package static func model(_ entry: Bundle.Entry, _ standing: Standing) -> SceneChoice {
        var choice = SceneChoice(entry: entry, rule: .given, fragment: nil, candidates: [], manifests: [])
        choice.standing = standing
        return choice
    }

    /// The same choice as the first of several.
    package var asFirst: SceneChoice {
        var choice = self
        choice.standing = .first
        return choice
    }

    /// The same choice where its entry lies in an archive within the bundle: of that archive's own.
    package func within(_ entry: Bundle.Entry) -> SceneChoice {
        var choice = self
        choice.entry = entry
        (choice.candidates, choice.manifests, choice.parts) = ([], [], [])
        return choice
    }
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
    /// The others are referred to, this one is not.
    case unreferenced
    /// It bears the bundle's name.
    case namedLikeBundle
    /// It lies in fewer folders than any other.
    case shallowest
    /// It is the largest of those.
    case largest
    /// It comes first in the alphabet.
    case firstByName

    /// For a person.
    ///
    /// - Parameter manifest: The path of the one that names the scene.
    package func title(manifest: String? = nil) -> String {
        switch self {
        case .given: "as asked for"
        case .document: "the file itself"
        case .zaeManifest: "via \(manifest ?? "manifest.xml") › dae_root"
        case .kmzModelLink: "via \(manifest ?? "doc.kml") › Model › Link"
        case .onlyDocument: "the only document"
        case .unreferenced: "the document that refers to the others"
        case .namedLikeBundle: "named like the bundle"
        case .shallowest: "in the outermost folder"
        case .largest: "the largest document"
        case .firstByName: "first by name"
        }
    }

    /// Whether it was a guess among several.
    package var isGuess: Bool {
        switch self {
        case .given, .document, .zaeManifest, .kmzModelLink, .onlyDocument, .unreferenced: false
        case .namedLikeBundle, .shallowest, .largest, .firstByName: true
        }
    }
}

// Manifests are small and in XML: this finds the texts at the end of one way of element names.

/// Collects the text of every element whose innermost ancestors bear the names of `path`, whatever the namespace.
final class ElementTextReader: XMLEventHandler {
    private let path: [String]
    private let textLimit: Int
    private var open: [String] = []
    private var texts: [String] = []
    private var current: [UInt8] = []
    /// How deep the element whose text is being collected lies; `nil` outside of one.
    private var collecting: Int?

    private init(path: [String], textLimit: Int) {
        self.path = path
        self.textLimit = textLimit
    }

    static func texts(at path: [String], in bytes: [UInt8]) throws -> [String] {
        let handler = ElementTextReader(path: path, textLimit: 64 << 10)
        let reader = XMLReader(vocabulary: XMLVocabulary([]), handler: handler)
        try bytes.withUnsafeBytes { try reader.read($0) }
        try reader.finish()
        return handler.texts
    }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        open.append(name.localName)
        if collecting == nil, open.count >= path.count, Array(open.suffix(path.count)) == path {
            collecting = open.count
            current = []
        }
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        guard collecting == open.count, current.count < textLimit else { return .proceed }
        current.append(contentsOf: bytes.prefix(textLimit - current.count))
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        if collecting == open.count {
            texts.append(String(decoding: current, as: UTF8.self))
            collecting = nil
        }
        open.removeLast()
        return .proceed
    }
}

/// What a package or model calls itself in its manifest.
package enum ManifestName {
    /// `package/name` of a ROS `package.xml`; `nil` where it has none or is no XML.
    package static func package(_ manifest: [UInt8]) -> String? { name(in: manifest, below: "package") }

    /// `model/name` of a Gazebo `model.config`.
    package static func model(_ manifest: [UInt8]) -> String? { name(in: manifest, below: "model") }

    private static func name(in manifest: [UInt8], below element: String) -> String? {
        let texts = try? ElementTextReader.texts(at: [element, "name"], in: manifest)
        return texts?.first.map(\.trimmedWhiteSpace).flatMap { $0.isEmpty ? nil : $0 }
    }
}

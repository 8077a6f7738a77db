// KML 2.0 to 2.3 by local names: what counts of a document is which models it shows, where, and with which textures.

import XMLReader

/// The models that a KML document shows, and the further documents that it links to.
public struct KMLDocument: Sendable, Hashable {
    /// One `<Model>`.
    public struct Model: Sendable, Hashable {
        /// The `<name>` of what holds it.
        public var name: String?
        /// As written; empty where it has none.
        public var link = ""
        public var placement = KMLPlacement()
        /// Its `<ResourceMap>`: what stands in the model, and what is meant.
        public var aliases: [Alias] = []
        /// Texts of its placement that are no numbers, or none that can be meant; others stand in for them.
        public var invalidNumbers: [String] = []
    }

    public struct Alias: Sendable, Hashable {
        public var source: String
        public var target: String

        public init(source: String = "", target: String = "") {
            self.source = source
            self.target = target
        }
    }

    public private(set) var models: [Model] = []
    /// `NetworkLink/Link/href`, and `Url` for `Link` as KML 2.0 has it.
    public private(set) var networkLinks: [String] = []

    /// What stands in no model.
    public private(set) var aliases: [Alias] = []

    /// Models, links, and aliases of one model or none, in one document; more are left out.
    public static let mostModels = 10_000
    /// Whether there were more.
    public private(set) var isCut = false

    /// `nil` where the bytes are no XML.
    public init?(_ bytes: [UInt8]) {
        guard let document = try? KMLReader.read(bytes) else { return nil }
        self = document
    }

    fileprivate init() {}

    fileprivate mutating func add(_ model: Model) {
        if admits(models.count) { models.append(model) }
    }

    fileprivate mutating func add(_ alias: Alias) { aliases.append(alias) }

    fileprivate mutating func add(networkLink: String) {
        if admits(networkLinks.count) { networkLinks.append(networkLink) }
    }

    fileprivate mutating func admits(_ count: Int) -> Bool {
        if count >= Self.mostModels { isCut = true }
        return count < Self.mostModels
    }
}

extension KMLDocument {
    /// - Throws: What the XML reader throws.
    static func read(_ bytes: [UInt8]) throws -> KMLDocument { try KMLReader.read(bytes) }
}

private final class KMLReader: XMLEventHandler {
    private var document = KMLDocument()
    private var open: [String] = []
    private var text: [UInt8] = []
    /// The names that hold what is open, outermost first, each with how deep that lies.
    private var names: [(depth: Int, name: String)] = []
    private var model: KMLDocument.Model?
    /// The alias that is open; `nil` for one too many.
    private var alias: KMLDocument.Alias?

    private static let textLimit = 64 << 10

    static func read(_ bytes: [UInt8]) throws -> KMLDocument {
        let handler = KMLReader()
        let reader = XMLReader(vocabulary: XMLVocabulary([]), handler: handler)
        try bytes.withUnsafeBytes { try reader.read($0) }
        try reader.finish()
        return handler.document
    }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        open.append(name.localName)
        text = []
        switch name.localName {
        case "Model" where model == nil: model = KMLDocument.Model()
        case "Alias":
            let isKept = document.admits(model?.aliases.count ?? document.aliases.count)
            alias = isKept ? KMLDocument.Alias() : nil
        default: break  // element names: all others are looked at when they end
        }
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        text.append(contentsOf: bytes.prefix(max(0, Self.textLimit - text.count)))
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        guard let name = open.last else { return .proceed }
        let parent = open.dropLast().last ?? ""
        take(name, in: parent, String(decoding: text, as: UTF8.self).trimmedWhiteSpace)
        text = []
        open.removeLast()
        while let last = names.last, last.depth > open.count { names.removeLast() }
        return .proceed
    }

    private func take(_ name: String, in parent: String, _ value: String) {
        switch (parent, name) {
        case ("Alias", "sourceHref"): alias?.source = value
        case ("Alias", "targetHref"): alias?.target = value
        case (_, "Alias"): endAlias()
        default:
            model == nil ? takeOutside(name, in: parent, value) : takeWithin(name, in: parent, value)
        }
    }

    private func endAlias() {
        guard let ended = alias else { return }
        alias = nil
        if model == nil { document.add(ended) } else { model?.aliases.append(ended) }
    }

    private func takeWithin(_ name: String, in parent: String, _ value: String) {
        // In its place: a copy of the model would be one of all its aliases.
        switch (parent, name) {
        case ("Link", "href"): if open.dropLast(2).last == "Model" { model?.link = value }
        case ("Location", "longitude"): set(\.longitude, value, 0, in: -360...360)
        case ("Location", "latitude"): set(\.latitude, value, 0, in: -90...90)
        case ("Location", "altitude"): set(\.altitude, value, 0, in: -1e9...1e9)
        case ("Orientation", "heading"): set(\.heading, value, 0, in: Self.angles)
        case ("Orientation", "tilt"): set(\.tilt, value, 0, in: Self.angles)
        case ("Orientation", "roll"): set(\.roll, value, 0, in: Self.angles)
        case ("Scale", "x"): set(\.scale.x, value, 1, in: Self.scales)
        case ("Scale", "y"): set(\.scale.y, value, 1, in: Self.scales)
        case ("Scale", "z"): set(\.scale.z, value, 1, in: Self.scales)
        case ("Model", "altitudeMode"): model?.placement.isOnGround = value == "clampToGround" || value.isEmpty
        case (_, "Model") where open.dropLast().contains("Model") == false:
            model?.name = names.last?.name
            if let model { document.add(model) }
            model = nil
        default: break  // element names: no others count
        }
    }

    // Beyond these, no place on the globe and no size is meant.
    private static let angles = -36_000.0...36_000
    private static let scales = -1e12...1e12

    /// Takes the number, or what it is where there is none.
    private func set(
        _ path: WritableKeyPath<KMLPlacement, Double>, _ value: String, _ other: Double, in range: ClosedRange<Double>
    ) {
        let number = Double(value).flatMap { range.contains($0) ? $0 : nil }
        model?.placement[keyPath: path] = number ?? other
        if number == nil, !value.isEmpty { model?.invalidNumbers.append(value) }
    }

    private func takeOutside(_ name: String, in parent: String, _ value: String) {
        switch (parent, name) {
        case ("Link", "href"), ("Url", "href"):
            if open.dropLast(2).last == "NetworkLink" { document.add(networkLink: value) }
        case (_, "name"): names.append((open.count - 1, value))
        default: break  // element names: no others count
        }
    }
}

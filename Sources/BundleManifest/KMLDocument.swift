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

    /// Models of one document; more are left out.
    public static let mostModels = 10_000

    /// `nil` where the bytes are no XML.
    public init?(_ bytes: [UInt8]) {
        guard let document = try? KMLReader.read(bytes) else { return nil }
        self = document
    }

    fileprivate init() {}

    fileprivate mutating func add(_ model: Model) {
        if models.count < Self.mostModels { models.append(model) }
    }

    fileprivate mutating func addAlias() {
        if aliases.count < Self.mostModels { aliases.append(Alias()) }
    }

    fileprivate mutating func setAlias(_ path: WritableKeyPath<Alias, String>, _ value: String) {
        aliases.setLast(path, value)
    }

    fileprivate mutating func add(networkLink: String) {
        if networkLinks.count < Self.mostModels { networkLinks.append(networkLink) }
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

    private static let textLimit = 64 << 10
    private static let aliasLimit = 10_000

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
        case "Alias" where (model?.aliases.count ?? Self.aliasLimit) < Self.aliasLimit:
            model?.aliases.append(KMLDocument.Alias())
        case "Alias" where model == nil: document.addAlias()
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
        guard var model else { return takeOutside(name, in: parent, value) }
        let number = Double(value).flatMap { $0.isFinite ? $0 : nil }
        switch (parent, name) {
        case ("Link", "href"): if open.dropLast(2).last == "Model" { model.link = value }
        case ("Alias", "sourceHref"): model.aliases.setLast(\.source, value)
        case ("Alias", "targetHref"): model.aliases.setLast(\.target, value)
        case ("Location", "longitude"): model.placement.longitude = number ?? 0
        case ("Location", "latitude"): model.placement.latitude = number ?? 0
        case ("Location", "altitude"): model.placement.altitude = number ?? 0
        case ("Orientation", "heading"): model.placement.heading = number ?? 0
        case ("Orientation", "tilt"): model.placement.tilt = number ?? 0
        case ("Orientation", "roll"): model.placement.roll = number ?? 0
        case ("Scale", "x"): model.placement.scale.x = number ?? 1
        case ("Scale", "y"): model.placement.scale.y = number ?? 1
        case ("Scale", "z"): model.placement.scale.z = number ?? 1
        case ("Model", "altitudeMode"): model.placement.isOnGround = value == "clampToGround" || value.isEmpty
        case (_, "Model") where open.dropLast().contains("Model") == false:
            model.name = names.last?.name
            document.add(model)
            self.model = nil
            return
        default: break  // element names: no others count
        }
        self.model = model
    }

    private func takeOutside(_ name: String, in parent: String, _ value: String) {
        switch (parent, name) {
        case ("Link", "href"), ("Url", "href"):
            if open.dropLast(2).last == "NetworkLink" { document.add(networkLink: value) }
        case ("Alias", "sourceHref"): document.setAlias(\.source, value)
        case ("Alias", "targetHref"): document.setAlias(\.target, value)
        case (_, "name"): names.append((open.count - 1, value))
        default: break  // element names: no others count
        }
    }
}

extension [KMLDocument.Alias] {
    fileprivate mutating func setLast(_ path: WritableKeyPath<KMLDocument.Alias, String>, _ value: String) {
        guard let last = indices.last else { return }
        self[last][keyPath: path] = value
    }
}

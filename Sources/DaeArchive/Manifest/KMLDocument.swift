// KML 2.0 to 2.3 by local names: what counts of a document is which models it shows, where, and with which textures.

import DaeCore
import DaeXML

/// The models that a KML document shows, and the further documents that it links to.
package struct KMLDocument: Sendable, Hashable {
    /// One `<Model>`.
    package struct Model: Sendable, Hashable {
        /// The `<name>` of what holds it.
        package var name: String?
        /// As written; empty where it has none.
        package var link = ""
        package var placement = KMLPlacement()
        /// Its `<ResourceMap>`: what stands in the model, and what is meant.
        package var aliases: [Alias] = []
        /// Texts of its placement that are no numbers, or none that can be meant; others stand in for them.
        package var invalidNumbers: [String] = []
    }

    package struct Alias: Sendable, Hashable {
        package var source: String
        package var target: String

        package init(source: String = "", target: String = "") {
            self.source = source
            self.target = target
        }
    }

    package private(set) var models: [Model] = []
    /// `NetworkLink/Link/href`, and `Url` for `Link` as KML 2.0 has it.
    package private(set) var networkLinks: [String] = []

    /// What stands in no model.
    package private(set) var aliases: [Alias] = []

    /// Models, links, and aliases of one model or none, in one document; more are left out.
    package static let mostModels = 10_000
    /// Whether there were more.
    package private(set) var isCut = false

    /// `nil` where the bytes are no XML.
    package init?(_ bytes: [UInt8]) {
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

// KML 2.2, Model: a model is scaled in its own axes, turned by roll, tilt and heading in this order, each clockwise
// when looking against its axis, and put at a place on the globe. Its axes are east, north and up.

/// Where a KML document puts a model, how it is turned and how large it is shown.
package struct KMLPlacement: Sendable, Hashable {
    /// Degrees.
    package var longitude = 0.0
    package var latitude = 0.0
    /// Metres, above the sea or the ground.
    package var altitude = 0.0
    /// Whether ``altitude`` means nothing, since the model stands on the ground.
    package var isOnGround = true
    /// Degrees about the z axis, clockwise from above.
    package var heading = 0.0
    /// Degrees about the x axis.
    package var tilt = 0.0
    /// Degrees about the y axis.
    package var roll = 0.0
    package var scale = SIMD3<Double>(1, 1, 1)

    package init() {}

    /// Whether a model comes out as it is, the place on the globe aside.
    package var isPlain: Bool { heading == 0 && tilt == 0 && roll == 0 && scale == [1, 1, 1] }

    /// Metres to the east, to the north and up from where another lies, in the plane that touches the globe there.
    package func offset(from origin: KMLPlacement) -> SIMD3<Double> {
        guard longitude != origin.longitude || latitude != origin.latitude || height != origin.height else {
            return [0, 0, 0]
        }
        let way = earthCentered - origin.earthCentered
        let (sinLon, cosLon) = (sin(origin.longitude.radians), cos(origin.longitude.radians))
        let (sinLat, cosLat) = (sin(origin.latitude.radians), cos(origin.latitude.radians))
        return [
            cosLon * way.y - sinLon * way.x,
            cosLat * way.z - sinLat * (cosLon * way.x + sinLon * way.y),
            sinLat * way.z + cosLat * (cosLon * way.x + sinLon * way.y),
        ]
    }

    private var height: Double { isOnGround ? 0 : altitude }

    /// On the ellipsoid of WGS 84, in metres.
    private var earthCentered: SIMD3<Double> {
        let (radius, flattening) = (6_378_137.0, 1 / 298.257223563)
        let eccentricity = flattening * (2 - flattening)
        let (sinLat, cosLat) = (sin(latitude.radians), cos(latitude.radians))
        let normal = radius / (1 - eccentricity * sinLat * sinLat).squareRoot()
        return [
            (normal + height) * cosLat * cos(longitude.radians), (normal + height) * cosLat * sin(longitude.radians),
            (normal * (1 - eccentricity) + height) * sinLat,
        ]
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}

/// The KML documents of a bundle in the order in which they lead to each other, as many as are read.
package struct KMLWalk {
    private let starts: [String]
    private var nextStart = 0
    private var waiting: [String] = []
    private var next = 0
    private var known: Set<String> = []
    /// Bytes of the documents to come.
    private var bytesLeft = mostBytes
    /// Whether there are more documents than are read.
    package private(set) var isCut = false

    /// Documents of one bundle that are read, and their bytes.
    package static let mostDocuments = 256
    package static let mostBytes = 64 << 20

    /// - Parameter starts: Documents to which nothing need lead; each comes after what those before it lead to.
    package init(_ starts: [String]) { self.starts = starts }

    /// The document that is to be read now.
    package mutating func path() -> String? {
        while next == waiting.count {
            guard nextStart < starts.count else { return nil }
            add(starts[nextStart])
            nextStart += 1
        }
        guard next < Self.mostDocuments else {
            isCut = true
            return nil
        }
        defer { next += 1 }
        return waiting[next]
    }

    /// A document to which the present one leads.
    package mutating func add(_ path: String) {
        // One more than is read says that there are more.
        guard waiting.count <= Self.mostDocuments, known.insert(path).inserted else { return }
        waiting.append(path)
    }

    /// The largest document that may be read now.
    package var limit: Int { bytesLeft }

    package mutating func take(bytes: Int) { bytesLeft -= min(bytes, bytesLeft) }

    /// The first document of an archive that is a KMZ.
    package static func start(among paths: some Sequence<String>) -> String? {
        var (folded, other): (String?, String?) = (nil, nil)
        for path in paths where path.utf8.count >= 4 {
            if path == "doc.kml" { return path }
            guard path.utf8.suffix(4).elementsEqual(".kml".utf8, by: { $0 | 0x20 == $1 || $0 == $1 }) else { continue }
            if folded == nil, path.lowercased() == "doc.kml" { folded = path }
            if other == nil { other = path }
        }
        return folded ?? other
    }
}

// Google Earth's archives may say where a document's textures really lie: KML 2.1 in a file textures.txt, a line
// `<one> <other>` each, KML 2.2 in each model's <ResourceMap>. What they lead to is relative to the COLLADA document.

/// Which other path a document's texture has.
package struct TextureAliases: Sendable {
    /// A path as the archive writes it, and the folder of the map that has it.
    package struct Target: Sendable, Hashable {
        package let folder: String
        package let path: String

        package init(folder: String, path: String) {
            self.folder = folder
            self.path = path
        }
    }

    private var targets: [String: [Target]] = [:]

    package init() {}

    /// Adds the pairs of a `textures.txt`. Which side is which differs between writers, so both lead to the other.
    package mutating func add(texturesText bytes: [UInt8], in folder: String = "") {
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ">").map { part in
                part.firstIndex(of: "<").map { String(part[part.index(after: $0)...]) } ?? ""
            }
            guard parts.count >= 2 else { continue }
            add(parts[0], parts[1], folder)
            add(parts[1], parts[0], folder)
        }
    }

    /// Adds a map of a KML document.
    package mutating func add(_ aliases: [KMLDocument.Alias], in folder: String = "") {
        for alias in aliases { add(alias.source, alias.target, folder) }
    }

    /// The other paths of a reference, those of the first map first.
    package func targets(of reference: String) -> [Target] { targets[reference] ?? [] }

    /// Paths that one reference may have.
    private static let most = 8

    package var isEmpty: Bool { targets.isEmpty }

    private mutating func add(_ source: String, _ target: String, _ folder: String) {
        let (source, target) = (source.trimmedWhiteSpace, target.trimmedWhiteSpace)
        guard !source.isEmpty, !target.isEmpty, source != target else { return }
        let new = Target(folder: folder, path: target)
        let known = targets[source] ?? []
        guard known.count < Self.most, !known.contains(new) else { return }
        targets[source, default: []].append(new)
    }
}

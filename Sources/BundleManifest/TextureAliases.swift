// Google Earth's archives may say where a document's textures really lie: KML 2.1 in a file textures.txt, a line
// `<one> <other>` each, KML 2.2 in each model's <ResourceMap>. What they lead to is relative to the COLLADA document.

/// Which other path a document's texture has.
public struct TextureAliases: Sendable {
    private var targets: [String: [String]] = [:]

    public init() {}

    /// Adds the pairs of a `textures.txt`. Which side is which differs between writers, so both lead to the other.
    public mutating func add(texturesText bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ">").map { part in
                part.firstIndex(of: "<").map { String(part[part.index(after: $0)...]) } ?? ""
            }
            guard parts.count >= 2 else { continue }
            add(parts[0], parts[1])
            add(parts[1], parts[0])
        }
    }

    /// Adds all maps of a KML document, whatever model they are of.
    public mutating func add(kml bytes: [UInt8]) {
        guard let document = KMLDocument(bytes) else { return }
        add(document.aliases)
        for model in document.models { add(model.aliases) }
    }

    /// Adds the map of one model of a KML document.
    public mutating func add(_ aliases: [KMLDocument.Alias]) {
        for alias in aliases { add(alias.source, alias.target) }
    }

    /// The other paths of a reference, as the archive writes them.
    public func targets(of reference: String) -> [String] { targets[reference] ?? [] }

    /// Paths that one reference may have.
    private static let most = 8

    public var isEmpty: Bool { targets.isEmpty }

    private mutating func add(_ source: String, _ target: String) {
        let (source, target) = (source.trimmedWhiteSpace, target.trimmedWhiteSpace)
        guard !source.isEmpty, !target.isEmpty, source != target else { return }
        var known = targets[source] ?? []
        guard known.count < Self.most, !known.contains(target) else { return }
        known.append(target)
        targets[source] = known
    }
}

// Google Earth's archives may say where a document's textures really lie: KML 2.1 in a file textures.txt, a line
// `<one> <other>` each, KML 2.2 in each model's <ResourceMap>. What they lead to is relative to the COLLADA document.

/// Which other path a document's texture has.
public struct TextureAliases: Sendable {
    /// A path as the archive writes it, and the folder of the map that has it.
    public struct Target: Sendable, Hashable {
        public let folder: String
        public let path: String

        public init(folder: String, path: String) {
            self.folder = folder
            self.path = path
        }
    }

    private var targets: [String: [Target]] = [:]

    public init() {}

    /// Adds the pairs of a `textures.txt`. Which side is which differs between writers, so both lead to the other.
    public mutating func add(texturesText bytes: [UInt8], in folder: String = "") {
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
    public mutating func add(_ aliases: [KMLDocument.Alias], in folder: String = "") {
        for alias in aliases { add(alias.source, alias.target, folder) }
    }

    /// The other paths of a reference, those of the first map first.
    public func targets(of reference: String) -> [Target] { targets[reference] ?? [] }

    /// Paths that one reference may have.
    private static let most = 8

    public var isEmpty: Bool { targets.isEmpty }

    private mutating func add(_ source: String, _ target: String, _ folder: String) {
        let (source, target) = (source.trimmedWhiteSpace, target.trimmedWhiteSpace)
        guard !source.isEmpty, !target.isEmpty, source != target else { return }
        let new = Target(folder: folder, path: target)
        let known = targets[source] ?? []
        guard known.count < Self.most, !known.contains(new) else { return }
        targets[source, default: []].append(new)
    }
}

/// What a reference is expected to lead to.
public enum ResourceUse: Sendable, Hashable {
    /// An image; its element's id and name may tell a file whose reference is lost.
    case image(id: String? = nil, name: String? = nil)
    /// Another document.
    case document

    /// Whether a rule makes sense for it: a document is not guessed at by what only textures have.
    func allows(_ rule: ResolutionRule) -> Bool {
        switch self {
        case .image: true
        case .document:
            switch rule {
            case .siblingFolder, .textureAlias, .otherExtension, .imageName: false
            case .exact, .percentDecoded, .unicodeForm, .backslashes, .machinePath, .caseFolded, .bundleRoot,
                .bundleRootPercentDecoded, .bundleRootUnicodeForm, .bundleRootBackslashes, .bundleRootMachinePath,
                .bundleRootCaseFolded, .ancestorSuffix, .resourceBundle, .rosPackage, .gazeboModel, .fuelCache,
                .baseName:
                true
            }
        }
    }

    /// Case-folded names that a file of the image may have, without an ending.
    var stems: [String] {
        switch self {
        case .document: return []
        case .image(let id, let name):
            guard let id, let name else { return (id ?? name).map(Self.stems) ?? [] }
            let stems = Self.stems(of: id)
            return id.hasBytes(of: name) ? stems : stems + Self.stems(of: name).filter { !stems.contains($0) }
        }
    }

    private static let marks = Array(".-_".utf8)

    /// Exporters make ids of file names: `wood_png`, `wood.png`, `wood-image`.
    private static func stems(of name: String) -> [String] {
        let name = name.caseFolded
        guard !name.isEmpty, name.utf8.count <= 255, !name.holds(UInt8(ascii: "/")) else { return [] }
        guard let mark = name.lastIndex(ofAny: marks), mark != name.startIndex,
            case let ending = String(name[name.utf8.index(after: mark)...]),
            ending == "image" || ending == "img" || ImageName.endings.contains(ending)
        else { return [name] }
        return [name, String(name[..<mark])]
    }
}

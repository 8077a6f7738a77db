extension Bundle.Entry {
    /// What an entry is for, as far as its path alone tells.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// A COLLADA document.
        case document
        case image
        /// What says where the scene or its resources are.
        case manifest
        /// A bundle within the bundle.
        case archive
        /// What a file manager left behind: no content of the bundle.
        case junk
        case other
    }

    public var role: Role {
        if isJunk { return .junk }
        let name = name.lowercased()
        switch name {
        case "manifest.xml", "doc.kml", "package.xml", "model.config", "textures.txt": return .manifest
        default: break  // strings
        }
        switch name.utf8.split(separator: UInt8(ascii: ".")).dropFirst().last.map({ String(Substring($0)) }) {
        case "dae": return .document
        case "zip", "zae", "kmz": return .archive
        case "kml": return .manifest
        case "png", "jpg", "jpeg", "tga", "bmp", "gif", "tif", "tiff", "dds", "ktx", "ktx2", "webp", "psd", "hdr",
            "exr", "svg":
            return .image
        default: return .other  // strings
        }
    }

    /// Whether it is what a file manager left behind: `__MACOSX/…`, `._…`, `.DS_Store`, `Thumbs.db`, `desktop.ini`.
    public var isJunk: Bool {
        let components = path.utf8.split(separator: UInt8(ascii: "/"))
        guard let last = components.last else { return false }
        if last.starts(with: "._".utf8) { return true }
        if components.contains(where: { $0.elementsEqual("__MACOSX".utf8) }) { return true }
        guard last.count <= 11 else { return false }
        return ["ds_store", ".ds_store", "thumbs.db", "desktop.ini"].contains(String(Substring(last)).lowercased())
    }
}

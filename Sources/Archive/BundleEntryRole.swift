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
        // Asked for every entry of archives that have hundreds of thousands: bytes are compared where they lie.
        var text = path
        return text.withUTF8(Self.isJunk)
    }

    private static func isJunk(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        var start = path.startIndex
        while let end = path[start...].firstIndex(of: slash) {
            if end - start == 8, path[start..<end].elementsEqual("__MACOSX".utf8) { return true }
            start = end + 1
        }
        let name = path[start...]
        if name.starts(with: "._".utf8) { return true }
        guard (8...11).contains(name.count) else { return false }
        return ["ds_store", ".ds_store", "thumbs.db", "desktop.ini"].contains { junk in
            name.elementsEqual(junk.utf8) { $0 | 0x20 == $1 || $0 == $1 }
        }
    }
}

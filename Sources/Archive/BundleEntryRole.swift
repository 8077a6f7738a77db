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
        // Asked for every entry of archives that have hundreds of thousands: bytes are compared where they lie.
        var text = path
        return text.withUTF8(Self.role)
    }

    private static func role(_ path: UnsafeBufferPointer<UInt8>) -> Role {
        if isJunk(path) { return .junk }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
        let name = path[start...]
        if let role = rolesByName[PackedWord(name)] { return role }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > start else { return .other }
        return rolesByEnding[PackedWord(name[(dot + 1)...])] ?? .other
    }

    private static let rolesByName = roles([
        .manifest: ["manifest.xml", "doc.kml", "package.xml", "model.config", "textures.txt"]
    ])
    private static let rolesByEnding = roles([
        .document: ["dae"], .archive: ["zip", "zae", "kmz"], .manifest: ["kml"],
        .image: [
            "png", "jpg", "jpeg", "tga", "bmp", "gif", "tif", "tiff", "dds", "ktx", "ktx2", "webp", "psd", "hdr",
            "exr", "svg",
        ],
    ])

    private static func roles(_ words: [Role: [String]]) -> [PackedWord: Role] {
        var roles: [PackedWord: Role] = [:]
        for (role, words) in words {
            for word in words { roles[PackedWord(word.utf8)] = role }
        }
        return roles
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

/// A word of up to 15 bytes in one number, ASCII letters small; all longer words are equal to each other.
private struct PackedWord: Hashable {
    private let low: UInt64
    private let high: UInt64

    init(_ bytes: some Collection<UInt8>) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        guard bytes.count < 16 else {
            (self.low, self.high) = (.max, .max)
            return
        }
        for byte in bytes {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        (self.low, self.high) = (low, high)
    }
}

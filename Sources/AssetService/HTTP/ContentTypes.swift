/// What strangers' files are called: a fixed table, none of whose types a browser runs.
enum ContentTypes {
    static func type(of name: String) -> String {
        let ending = name.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
        return table[ending] ?? unknown
    }

    static let unknown = "application/octet-stream"

    /// Whether files of some name have this type.
    static func isKnown(_ type: String) -> Bool { table.values.contains { $0.prefix { $0 != ";" } == type } }

    private static let table = [
        "dae": "model/vnd.collada+xml", "zip": "application/zip", "zae": "application/zip",
        "kmz": "application/vnd.google-earth.kmz", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        "txt": "text/plain; charset=utf-8", "glb": "model/gltf-binary",
    ]
}

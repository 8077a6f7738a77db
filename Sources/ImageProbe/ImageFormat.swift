/// The kinds of image file that textures come in.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case png, jpeg, gif, bmp, tiff, dds, ktx, ktx2, webp, psd, hdr, tga

    /// Extensions in use, lower case without the dot, the usual one first.
    public var extensions: [String] {
        switch self {
        case .png: ["png", "apng"]
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .gif: ["gif"]
        case .bmp: ["bmp", "dib"]
        case .tiff: ["tif", "tiff"]
        case .dds: ["dds"]
        case .ktx: ["ktx"]
        case .ktx2: ["ktx2"]
        case .webp: ["webp"]
        case .psd: ["psd", "psb"]
        case .hdr: ["hdr"]
        case .tga: ["tga", "targa", "icb", "vda", "vst"]
        }
    }

    public var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .bmp: "image/bmp"
        case .tiff: "image/tiff"
        case .dds: "image/vnd.ms-dds"
        case .ktx: "image/ktx"
        case .ktx2: "image/ktx2"
        case .webp: "image/webp"
        case .psd: "image/vnd.adobe.photoshop"
        case .hdr: "image/vnd.radiance"
        case .tga: "image/x-tga"
        }
    }

    /// The format a file's extension promises, whatever its case; `nil` for an unknown extension or none.
    public init?(fileName: String) {
        let base = fileName.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(fileName).utf8
        guard let dot = base.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = String(Substring(base[base.index(after: dot)...])).lowercased()
        guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else { return nil }
        self = format
    }
}

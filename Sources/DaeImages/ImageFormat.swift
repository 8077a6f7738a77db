/// The kinds of image file that textures come in.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case png, jpeg, gif, bmp, tiff, dds, ktx, ktx2, webp, psd, hdr, tga

    /// Extensions in use, lower case without the dot, the usual one first.
    package var extensions: [String] {
        switch self {
        case .png: ["png", "apng"]
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .gif, .dds, .ktx, .ktx2, .webp, .hdr: [rawValue]
        case .bmp: ["bmp", "dib"]
        case .tiff: ["tif", "tiff"]
        case .psd: ["psd", "psb"]
        case .tga: ["tga", "targa", "icb", "vda", "vst"]
        }
    }

    public var mediaType: String {
        switch self {
        case .png, .jpeg, .gif, .bmp, .tiff, .ktx, .ktx2, .webp: "image/\(rawValue)"
        case .dds: "image/vnd.ms-dds"
        case .psd: "image/vnd.adobe.photoshop"
        case .hdr: "image/vnd.radiance"
        case .tga: "image/x-tga"
        }
    }

    /// The format a file's extension promises, whatever its case; `nil` for an unknown extension or none.
    package init?(fileName: String) {
        let base = fileName.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(fileName).utf8
        guard let dot = base.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = String(Substring(base[base.index(after: dot)...])).lowercased()
        guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else { return nil }
        self = format
    }
}

// Magic numbers as each format's own specification gives them. TGA has none at its start: it is known by name only.

extension ImageFormat {
    /// How many first bytes ``init(signature:)`` looks at.
    static let signatureLength = 18

    /// The format that a file's first bytes show; fewer than `signatureLength` may be given.
    init?(signature bytes: [UInt8]) {
        let fits = Self.allCases.first { format in
            format.signatures.contains { bytes.count >= $0.count && Self.agree(bytes, $0) }
        }
        guard let fits else { return nil }
        self = fits
    }

    /// Whether a file that ends after `bytes` may be the beginning of one of this format.
    func mayBegin(with bytes: [UInt8]) -> Bool { signatures.contains { Self.agree(bytes, $0) } }

    /// As far as both go.
    private static func agree(_ bytes: [UInt8], _ signature: [UInt8?]) -> Bool {
        zip(bytes, signature).allSatisfy { $1 == nil || $0 == $1 }
    }

    /// Any of which a file begins with; `nil` for any byte.
    private var signatures: [[UInt8?]] {
        switch self {
        case .png: [[0x89] + Self.text("PNG\r\n\u{1A}\n")]
        case .jpeg: [[0xFF, 0xD8, 0xFF]]
        case .gif: [Self.text("GIF87a"), Self.text("GIF89a")]
        case .bmp: Self.bitmaps
        case .tiff: ["II*\0", "MM\0*", "II+\0", "MM\0+"].map(Self.text)
        case .dds: [Self.text("DDS ")]
        case .ktx: [Self.ktx("11")]
        case .ktx2: [Self.ktx("20")]
        case .webp: [Self.text("RIFF") + [nil, nil, nil, nil] + Self.text("WEBP")]
        case .psd: [Self.text("8BPS\0\u{1}"), Self.text("8BPS\0\u{2}")]
        case .hdr: [Self.text("#?RADIANCE"), Self.text("#?RGBE")]
        case .tga: []
        }
    }

    private static func text(_ text: String) -> [UInt8?] { text.utf8.map { $0 } }

    private static func ktx(_ version: String) -> [UInt8?] {
        [0xAB] + text("KTX " + version) + [0xBB] + text("\r\n\u{1A}\n")
    }

    /// "BM" alone also begins many a text: the reserved bytes and the size of the second header must fit too.
    private static let bitmaps: [[UInt8?]] = [12, 16, 40, 52, 56, 64, 108, 124].map { size in
        text("BM") + [nil, nil, nil, nil, 0, 0, 0, 0, nil, nil, nil, nil, size, 0, 0, 0]
    }
}

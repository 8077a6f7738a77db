// Magic numbers as each format's own specification gives them. TGA has none at its start: it is known by name only.

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

extension ImageFormat {
    /// How many first bytes ``init(signature:)`` looks at.
    static let signatureLength = 18

    /// The format that a file's first bytes show; fewer than `signatureLength` may be given.
    init?(signature bytes: [UInt8]) {
        func begins(_ text: StaticString) -> Bool {
            bytes.count >= text.utf8CodeUnitCount
                && text.withUTF8Buffer { bytes.prefix($0.count).elementsEqual($0) }
        }
        if Self.isKTX(bytes, version: "11") {
            self = .ktx
        } else if Self.isKTX(bytes, version: "20") {
            self = .ktx2
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins("GIF87a") || begins("GIF89a") {
            self = .gif
        } else if begins("II*\0") || begins("MM\0*") || begins("II+\0") || begins("MM\0+") {
            self = .tiff
        } else if begins("DDS ") {
            self = .dds
        } else if begins("8BPS\0\u{1}") || begins("8BPS\0\u{2}") {
            self = .psd
        } else if begins("#?RADIANCE") || begins("#?RGBE") {
            self = .hdr
        } else if begins("RIFF"), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if Self.isBMP(bytes) {
            self = .bmp
        } else {
            return nil
        }
    }

    private static func isKTX(_ bytes: [UInt8], version: String) -> Bool {
        bytes.starts(with: [0xAB, 0x4B, 0x54, 0x58, 0x20] + version.utf8 + [0xBB, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// "BM" alone also begins many a text: the reserved bytes and the size of the second header must fit too.
    private static func isBMP(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 18, bytes.starts(with: "BM".utf8), bytes[6..<10].allSatisfy({ $0 == 0 }) else {
            return false
        }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(Int(bytes[14])) && bytes[15..<18].allSatisfy { $0 == 0 }
    }
}

package import DaeDiagnostics

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

    /// The media type, such as `image/png`.
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

/// What the first bytes of a file show of the image in it.
package enum ImageProbeResult: Sendable, Equatable {
    /// The format and the size.
    case image(ImageHeader)
    /// The file ends inside its header, or its first few bytes are those of the format that its name promises.
    case truncated(ImageFormat)
    /// The size lies behind ``ImageProbe/budget``.
    case outOfReach(ImageFormat)
    /// The header contradicts its format.
    case invalid(ImageFormat, Fault)
    /// Bytes of no format that is known by its first bytes.
    case unrecognised
    /// No byte at all.
    case empty

    /// Why a header cannot be true.
    package enum Fault: String, Sendable, Equatable {
        /// Width or height is 0 (in a JPEG also a height that a later segment would give).
        case zeroSize
        /// A side is longer than the format allows.
        case sizeTooLarge
        /// Parts of the header are missing or contradict each other.
        case brokenStructure
        /// Colour type, bit depth or number of components that the format does not have.
        case unknownPixels
        /// The pixels, or the end of the header, come before any size.
        case noHeader
    }
}

// MARK: - Questions

extension ImageProbeResult {
    package var format: ImageFormat? {
        switch self {
        case .image(let header): header.format
        case .truncated(let format), .outOfReach(let format), .invalid(let format, _): format
        case .unrecognised, .empty: nil
        }
    }

    /// `nil` unless the header was read and is sound.
    package var header: ImageHeader? {
        switch self {
        case .image(let header): header
        case .truncated, .outOfReach, .invalid, .unrecognised, .empty: nil
        }
    }
}

/// What an image's header says of its pixels.
package struct ImageHeader: Sendable, Equatable {
    /// How a graphics card holds the pixels of the file as it is.
    package enum Layout: Sendable, Equatable {
        /// Not at all: they are decoded first, to one value a channel.
        case decoded
        /// As they stand in the file.
        case card(CardTexture)
    }

    package let format: ImageFormat
    /// Pixels, at least 1.
    package let width: Int
    /// Pixels, at least 1.
    package let height: Int
    /// Values a pixel, 1...4; those of the palette's colours where there is a palette; `nil` where the header does not
    /// say.
    package let channels: Int?
    /// Bits a value, 1...32; those of the index where there is a palette; `nil` where the header does not say.
    package let bitDepth: Int?
    package private(set) var layout = Layout.decoded
    /// A file of fewer bytes is cut short; `nil` where the size of the pixels is not known without decoding them.
    package private(set) var leastBytes: Int64?
}

extension ImageHeader {
    /// An estimate of the memory that the image takes on a graphics card.
    ///
    /// Decoded images count four values a pixel, each of 8 bits, of 16 where they have more, and all smaller levels: that
    /// is how engines load them. Files made for a card (DDS, KTX) count what they hold.
    package var gpuBytes: Int64 {
        switch layout {
        case .decoded: CardTexture(block: .pixel((bitDepth ?? 8) > 8 ? 8 : 4)).bytes(width: width, height: height)
        case .card(let texture): texture.bytes(width: width, height: height)
        }
    }
}

extension ImageProbeResult {
    /// What is invalid or unusual about an image file named `name`: a header that is broken or cut short, or content that
    /// its extension does not promise.
    ///
    /// An unrecognised file is no finding where the name promises a format without a magic number, or none.
    package func findings(name: String, at place: Place = Place()) -> [Finding] {
        let promised = ImageFormat(fileName: name)
        var findings: [Finding] = []
        if let (code, trouble) = trouble(promised: promised) {
            findings.append(Finding(code, at: place, "\(name): \(trouble)", arguments: [.init("file", name)]))
        }
        if let format, let promised, format != promised {
            findings.append(
                Finding(
                    .imageExtensionMismatch, at: place,
                    "\(name) holds \(format.rawValue), its name says \(promised.rawValue)",
                    arguments: [
                        .init("file", name), .init("format", format.rawValue), .init("promised", promised.rawValue),
                    ]))
        }
        return findings
    }

    private func trouble(promised: ImageFormat?) -> (FindingCode, String)? {
        switch self {
        case .image: nil
        case .truncated(let format):
            (.imageTruncated, "the file is cut short inside the header of a \(format.rawValue)")
        case .outOfReach(let format):
            (.imageDataInvalid, "no size in the first \(ImageProbe.budget(of: format)) bytes of a \(format.rawValue)")
        case .invalid(let format, let fault): (.imageDataInvalid, "broken \(format.rawValue): \(fault.text)")
        case .empty: (.imageDataInvalid, "the file is empty")
        case .unrecognised:
            promised.flatMap {
                $0 == .tga ? nil : (.imageDataInvalid, "not a \($0.rawValue), nor any other known format")
            }
        }
    }
}

extension ImageProbeResult.Fault {
    /// A clause without a full stop.
    package var text: String {
        switch self {
        case .zeroSize: "width or height is 0"
        case .sizeTooLarge: "width or height is above 2147483647"
        case .brokenStructure: "the parts of its header do not fit together"
        case .unknownPixels: "its kind of pixel does not exist"
        case .noHeader: "its pixels begin before its size is told"
        }
    }
}

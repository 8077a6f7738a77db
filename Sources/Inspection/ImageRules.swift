import Diagnostics
import ImageProbe

/// What is asked of an image that can be used.
enum ImageRules {
    static func check(_ header: ImageHeader, of path: String, at place: Place, _ log: inout FindingLog) {
        if !header.format.isReadEverywhere {
            log.add(
                .imageUnsupportedFormat, at: place,
                "\(path) is a \(header.format.rawValue); expected png or jpeg, which glTF and USDZ take",
                arguments: [.init("file", path), .init("format", header.format.rawValue)])
        }
        if !header.width.isPowerOfTwo || !header.height.isPowerOfTwo {
            log.add(
                .imageNonPowerOfTwo, at: place,
                "\(path) has \(header.width) × \(header.height) pixels; expected powers of two",
                arguments: [
                    .init("file", path), .init("width", "\(header.width)"), .init("height", "\(header.height)"),
                ])
        }
    }
}

/// What the images of a scene take on a graphics card together, each file once.
struct TextureMemory {
    /// What a phone's browser gives a page before it throws textures out again.
    static let limit: Int64 = 256 << 20

    private var bytes: Int64 = 0
    private var files = 0

    init(_ rows: [Inspection.ImageRow]) {
        var seen: Set<String> = []
        for row in rows {
            guard let size = row.gpuBytes, seen.insert(row.path ?? row.reference ?? "").inserted else { continue }
            bytes = bytes.addingSaturated(size)
            files += 1
        }
    }

    func check(at place: Place, _ log: inout FindingLog) {
        guard bytes > Self.limit else { return }
        log.add(
            .perfTextureMemory, at: place,
            "\(files == 1 ? "one image takes" : "\(files) images take") about \(bytes >> 20) MiB on a graphics card; more than \(Self.limit >> 20) may not fit",
            arguments: [.init("bytes", "\(bytes)"), .init("limit", "\(Self.limit)")])
    }
}

extension ImageFormat {
    /// Whether glTF 2.0 and USDZ take it without an extension.
    fileprivate var isReadEverywhere: Bool {
        switch self {
        case .png, .jpeg: true
        case .gif, .bmp, .tiff, .dds, .ktx, .ktx2, .webp, .psd, .hdr, .tga: false
        }
    }
}

extension Int {
    fileprivate var isPowerOfTwo: Bool { self > 0 && nonzeroBitCount == 1 }
}

import DaeDiagnostics
import DaeImages
import DaeScene

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

extension Inspection.ImageRow.Fault {
    /// - Parameter promised: The format that the file's name says.
    static func all(of result: ImageProbeResult, isTruncated: Bool?, promised: ImageFormat?) -> [Self] {
        var faults: [Self] = []
        switch result {
        case .image, .truncated: break
        case .outOfReach, .invalid: faults.append(.invalid)
        case .empty: faults.append(.empty)
        // A TGA is known by its name alone, and what has no image's name need not be one.
        case .unrecognised: if let promised, promised != .tga { faults.append(.unrecognised) }
        }
        if isTruncated == true { faults.append(.truncated) }
        if let format = result.format, let promised, format != promised { faults.append(.mislabelled) }
        return faults
    }
}

/// What a material samples; most sample nothing.
struct TexturesInUse {
    /// In the order of ``Material/textures``.
    private(set) var all: [(property: String, texture: Material.Texture)] = []
    /// Each once, in that order.
    private(set) var images: [SceneIndex<Image>] = []

    /// - Parameter index: Of the material.
    init(of materials: [Material], _ index: Int) {
        // By index: a material taken out of its list would be copied.
        var isTextured = !materials[index].details.isEmpty
        materials[index].properties.forEachValue { isTextured = isTextured || $0.isTexture }
        guard isTextured else { return }
        for property in Material.Property.allCases {
            if let value = materials[index].properties[property] { add(value, of: property.rawValue) }
        }
        guard !materials[index].details.isEmpty else { return }
        for detail in Material.Detail.allCases {
            // Heights were one with bumps, and reports keep the word.
            let word = detail == .heights ? Material.Detail.bump.rawValue : detail.rawValue
            if let value = materials[index].details[detail] { add(value, of: word) }
        }
    }

    private mutating func add(_ value: Material.Value, of property: @autoclosure () -> String) {
        guard let texture = value.texture else { return }
        all.append((property(), texture))
        if !images.contains(texture.image) { images.append(texture.image) }
    }
}

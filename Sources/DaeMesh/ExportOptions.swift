import DaeCore
package import DaeScene

/// How a scene is written.
public struct ExportOptions: Sendable {
    /// Joints of a vertex at most: four, which every engine reads, or eight.
    public enum Influences: Int, Sendable, CaseIterable {
        case four = 4
        case eight = 8
    }
    /// Joints that move a vertex at most.
    public var influences = Influences.four
    /// Nodes of the tree at most, instanced ones each time.
    package var nodeLimit = 10_000_000
    /// Bytes of a `.glb` at most; the format itself ends at 2³² − 1.
    package var byteLimit = Int(UInt32.max)
    /// What one unit of the file is.
    public enum Units: Sendable, Hashable, CaseIterable {
        /// A metre, as most formats have it.
        case meters
        /// That of the scene: engines take it for a metre.
        case kept
    }
    /// Which axis of the file points up.
    public enum UpAxis: Sendable, Hashable, CaseIterable {
        /// As most formats have it.
        case y
        case z
        /// That of the scene: engines take Y for it.
        case kept
    }
    /// Changed by one node above all; every number below it is the document's.
    public var units = Units.meters
    /// As ``units``.
    public var upAxis = UpAxis.y
    /// How many times larger the scene is along each axis, as the descriptions of robots say it: in axes of which Z points
    /// up, whatever the document's own are. A negative factor mirrors. Three numbers other than 0.
    public var scale = SIMD3<Double>(1, 1, 1)
    /// Writes the pose at this moment, in seconds, and no animation; skins stay. `nil` for nodes at rest, and animations.
    public var time: Double?
    /// What becomes of surfaces that by the letter cannot be seen at all.
    public enum InvisibleSurfaces: Sendable, Hashable, CaseIterable {
        /// They cover everything: many exporters wrote the opposite of what they meant.
        case opaque
        /// Their opacity is 0.
        case asWritten
    }
    /// What becomes of surfaces that by the letter cannot be seen at all.
    public var invisibleSurfaces = InvisibleSurfaces.opaque
    /// How many bytes numbers take, where a format has a choice.
    public enum Compaction: String, Sendable, Hashable, CaseIterable {
        /// As many as their document gives them.
        case none
        /// Whole numbers of 8 and 16 bits, and triangles in the order that is drawn quickest: `KHR_mesh_quantization`.
        case quantized
        /// The same, and compressed: `EXT_meshopt_compression`, which a loader has to bring a decoder for.
        case meshopt
    }
    /// How numbers of a glTF are written; other formats take none of it.
    ///
    /// What is read back differs along each axis by at most 1/20,000 of a mesh's longest side; the report has by how much. Both ways need
    /// meshoptimizer, which on Debian is the package libmeshoptimizer2d.
    public var compaction = Compaction.none
    /// Pixels of a texture's side at most: larger ones are made smaller. `nil` for as many as there are.
    public var textureSize: Int?
    /// Kinds of files that textures are written as.
    public enum TextureEncoding: String, Sendable, Hashable, CaseIterable {
        /// As they are, PNG or JPEG; other kinds become PNG.
        case kept
        /// All as WebP, which a loader of glTF has to know: `EXT_texture_webp`.
        case webp
        /// Those without alpha as JPEG.
        case jpeg
    }
    /// How textures are written. One that would become no smaller by it stays as it is.
    ///
    /// WebP is of glTF alone, and needs libwebp; JPEG needs libjpeg.
    public var textureEncoding = TextureEncoding.kept
    /// For whom a USDZ is written.
    public enum USDProfile: String, Sendable, Hashable, CaseIterable {
        /// The viewers of Apple's devices, which refuse a file that has a light.
        case quickLook = "quicklook"
        /// Whatever reads USD: lights are kept.
        case usd
    }
    /// For whom a USDZ is written; other formats take none of it.
    public var usdProfile = USDProfile.quickLook
    /// Keys a second, at most, that are added where a curve has to be followed; `nil` for as many as it takes to stay
    /// within 0.002 % of the scene's size. A positive number.
    package var samplingRate: Double?
    /// Nothing is written when anything of these would be lost.
    public var protected: Set<FidelityClass> = []
    /// Whether that is so of all classes.
    package var isLossless: Bool {
        get { protected.count == FidelityClass.allCases.count }
        set { protected = newValue ? Set(FidelityClass.allCases) : [] }
    }
    /// Named in the file as what made it.
    package var generator = "Daedalus"

    /// The defaults of each property.
    public init() {}

    /// What the file of a scene is in.
    package func system(of scene: Scene) -> CoordinateSystem {
        let meters: Double =
            switch units {
            case .meters: 1
            case .kept: scene.metersPerUnit
            }
        let up: Scene.UpAxis =
            switch upAxis {
            case .y: .y
            case .z: .z
            case .kept: scene.upAxis
            }
        return CoordinateSystem(metersPerUnit: meters, upAxis: up)
    }
}

/// What formats have differently from each other: what is prepared for one is as it has it.
package struct ExportConventions {
    /// The corner of an image at which texture coordinates are 0.
    package enum ImageOrigin {
        /// As in COLLADA.
        case bottomLeft
        case topLeft
    }
    /// What the numbers of vertex colours stand for.
    package enum Colors {
        /// What a display is given, as in COLLADA.
        case display
        /// Amounts of light.
        case linear
    }
    /// How tracks go from key to key, beside straight lines and steps.
    package enum Curves {
        /// By cubics that have a slope on both sides of each key.
        case cubic
        /// In no other way.
        case none
    }
    let imageOrigin: ImageOrigin
    let colors: Colors
    let curves: Curves

    package init(imageOrigin: ImageOrigin, colors: Colors, curves: Curves) {
        self.imageOrigin = imageOrigin
        self.colors = colors
        self.curves = curves
    }

    /// A texture coordinate that counts from the bottom up.
    @inline(__always)
    func height(_ v: Double) -> Double {
        switch imageOrigin {
        case .bottomLeft: v
        case .topLeft: 1 - v
        }
    }

    /// The difference of two such.
    @inline(__always)
    func rise(_ v: Double) -> Double {
        switch imageOrigin {
        case .bottomLeft: v
        case .topLeft: -v
        }
    }

    /// A colour that a display was given, within 0 to 1.
    @inline(__always)
    func color(_ color: SIMD4<Double>) -> SIMD4<Double> {
        switch colors {
        case .display: color
        case .linear: SIMD4(color.x.linearFromSRGB, color.y.linearFromSRGB, color.z.linearFromSRGB, color.w)
        }
    }
}

extension Double {
    /// What a display makes of a colour that was picked on one. Documents have the colours that their authors saw.
    ///
    /// - Source: IEC 61966-2-1 (sRGB).
    package var linearFromSRGB: Double {
        self <= 0.04045 ? self / 12.92 : pow((self + 0.055) / 1.055, 2.4)
    }

    /// The colour that a display is given to make this of it.
    package var sRGBFromLinear: Double {
        self <= 0.0031308 ? self * 12.92 : 1.055 * pow(self, 1 / 2.4) - 0.055
    }
}

/// Kinds of image files that formats refer to. Raw values are their media types.
package enum ImageType: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"

    package var ending: String {
        switch self {
        case .png: ".png"
        case .jpeg: ".jpg"
        case .webp: ".webp"
        }
    }
}

/// Where the bytes of a scene's images come from: the exporter opens no file and decodes no image.
package struct ExportImages: Sendable {
    /// What an image's file holds.
    package enum Content: Sendable {
        case png([UInt8])
        case jpeg([UInt8])
        /// PNG that holds the very pixels of a file of another format, whose name is given.
        case recoded([UInt8], from: String)
        /// PNG that was made of another format, whose name is given.
        case converted([UInt8], from: String)
        /// With fewer pixels, or of another kind, as ``ExportOptions`` ask for.
        case reencoded([UInt8], ImageType)
        /// What another image has, which was asked for before.
        case same(SceneIndex<Image>)
        /// There is nothing to write, for this reason.
        case unavailable(reason: String)
    }

    /// What comes of putting two pictures together.
    package enum Merged: Sendable {
        case file([UInt8], ImageType)
        /// The pixels of that image cannot be had, or not all of them.
        case unavailable(SceneIndex<Image>)
        /// It would be larger than images may be, or work was stopped.
        case none
    }

    /// The file of one image of the scene; asked once for each that a material needs.
    package var content: @Sendable (SceneIndex<Image>) -> Content
    /// The file of one image as it is, whatever it holds; `nil` where there is none.
    package var original: @Sendable (SceneIndex<Image>) -> [UInt8]?
    /// Whether an image has colours; `true` where that is not known.
    package var isColored: @Sendable (SceneIndex<Image>) -> Bool
    /// Whether an image has an alpha; `true` where that is not known.
    package var hasAlpha: @Sendable (SceneIndex<Image>) -> Bool
    /// What the file of an image is called, the same for all images of one file; `nil` where that is not known.
    package var file: @Sendable (SceneIndex<Image>) -> String?
    /// A picture with the colours of one image, or white, whose alpha is the opacity that a map gives; asks its last argument
    /// now and then, and ends soon once that is true.
    package var merged:
        @Sendable (_ colors: SceneIndex<Image>?, _ opacity: Opacity.Map, _ isCancelled: () -> Bool) -> Merged

    package init(
        content: @escaping @Sendable (SceneIndex<Image>) -> Content,
        original: @escaping @Sendable (SceneIndex<Image>) -> [UInt8]? = { _ in nil },
        isColored: @escaping @Sendable (SceneIndex<Image>) -> Bool = { _ in true },
        hasAlpha: @escaping @Sendable (SceneIndex<Image>) -> Bool = { _ in true },
        file: @escaping @Sendable (SceneIndex<Image>) -> String? = { _ in nil },
        merged: @escaping @Sendable (SceneIndex<Image>?, Opacity.Map, () -> Bool) -> Merged = { _, opacity, _ in
            .unavailable(opacity.texture.image)
        }
    ) {
        self.content = content
        self.original = original
        self.isColored = isColored
        self.hasAlpha = hasAlpha
        self.file = file
        self.merged = merged
    }

    /// None at all.
    package static let none = ExportImages(content: { _ in .unavailable(reason: "no images were given") })
}

/// Which of a scene's images are one file, whatever they are called.
package struct ImageFiles {
    /// Of each image, the first one of its file.
    private let first: [Int]

    package init(_ scene: Scene, _ source: ExportImages) {
        var known: [String: Int] = [:]
        first = scene.images.indices.map { index in
            let image = scene.images[index]
            let written: String? =
                switch image.content {
                case .reference(let reference): "\(image.base ?? "")\n\(reference)"
                case .embedded, .none: nil
                }
            guard let file = source.file(SceneIndex(index)) ?? written else { return index }
            if let first = known[file] { return first }
            known[file] = index
            return index
        }
    }

    /// The first image of the same file.
    package func first(of image: SceneIndex<Image>) -> SceneIndex<Image> { SceneIndex(first[image.value]) }

    func areSame(_ one: SceneIndex<Image>, _ other: SceneIndex<Image>) -> Bool {
        first[one.value] == first[other.value]
    }
}

import DaeCore
import DaeMesh
import DaeScene

/// Takes the pictures of a file.
protocol PictureSink {
    /// - Parameters:
    ///   - image: That it is of.
    ///   - file: Where that one's file is; `nil` where that is not known.
    /// - Returns: Its place among those taken.
    mutating func add(
        picture bytes: [UInt8], _ type: ImageType, of image: Image, file: String?
    ) throws(SceneExportError) -> Int
}

/// Makes surfaces of materials, and has the pictures that these show written, each once.
struct SurfacePictures {
    /// A picture that is put together.
    private struct MergeKey: Hashable {
        /// Into the scene's images; `nil` for white.
        let colors: Int?
        let opacity: Int
        let channel: Opacity.Map.Channel
        let sense: Opacity.Map.Sense
        let factor: Double
    }
    /// What came of putting two pictures together.
    private enum Merging {
        /// Into the images.
        case picture(Int)
        /// The image that it failed for, where it was one of them.
        case nothing(SceneIndex<Image>?)
    }

    private let scene: Scene
    private let source: ExportImages
    private var around: Surface.Surroundings
    private let budget: ConversionBudget
    private let isCancelled: () -> Bool
    /// Whether each of the scene's materials was met before, in whatever way.
    private var isNoted: [Bool]
    /// By the scene's images; `nil` for one that cannot be written.
    private var imageIndices: [Int: Int?] = [:]
    /// Images by their bytes.
    private var contents: [SHA256Digest: Int] = [:]
    private var mergings: [MergeKey: Merging] = [:]
    /// Images that were reported to be missing.
    private var lost: Set<SceneIndex<Image>> = []

    init(_ prepared: PreparedScene, _ source: ExportImages) {
        scene = prepared.scene
        self.source = source
        around = Surface.Surroundings(scene, source, prepared.options.invisibleSurfaces)
        budget = prepared.budget
        isCancelled = prepared.isCancelled
        isNoted = [Bool](repeating: false, count: scene.materials.count)
    }

    /// - Parameter sets: By the names of their coordinates, the sets that the material's textures use.
    /// - Returns: The surface, and the picture that was put together for it, if any: it takes the place of the base's.
    mutating func surface(
        of index: SceneIndex<Material>, sets: [String: Int], hasCoordinates: Bool, in sink: inout some PictureSink,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> (surface: Surface, picture: Int?) {
        let material = scene.materials[index]
        around.sets = sets
        var noted = FidelityReport()
        var surface = Surface(material, around, &noted)
        let picture = try settleOpacity(of: &surface, material, hasCoordinates, in: &sink, &noted, &report)
        // A material is reported about once, however often it is written.
        if !isNoted[index.value] { report.add(noted) }
        isNoted[index.value] = true
        return (surface, picture)
    }

    /// Puts an opacity into its base's picture, or sees to it that the picture which has it is there.
    ///
    /// - Parameter reported: Of the material; what is reported about images goes to the other report.
    /// - Returns: The picture that was put together, into the images.
    private mutating func settleOpacity(
        of surface: inout Surface, _ material: Material, _ hasCoordinates: Bool, in sink: inout some PictureSink,
        _ noted: inout FidelityReport, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int? {
        switch surface.opacitySource {
        case .number: return nil
        case .base:
            var isThere = false
            if hasCoordinates, let map = surface.baseMap {
                isThere = try image(map.texture.image, in: &sink, &report) != nil
            }
            if !isThere { surface.loseOpacity(material, &noted) }
            return nil
        case .apart(let map):
            guard hasCoordinates else {
                surface.loseOpacity(material, &noted)
                return nil
            }
            switch try merged(map, with: surface.baseMap?.texture.image, in: &sink, &report) {
            case .picture(let picture):
                surface.takeMerged(map, material, around, &noted)
                return picture
            case .nothing(let missing):
                if surface.baseMap == nil, map.isAlphaItself,
                    try image(map.texture.image, in: &sink, &report) != nil
                {
                    surface.takeAlone(map, material, around, &noted)
                } else {
                    surface.loseOpacity(material, &noted)
                    if let missing { lose(missing, &report) }
                }
                return nil
            }
        }
    }

    private mutating func merged(
        _ map: Opacity.Map, with colors: SceneIndex<Image>?, in sink: inout some PictureSink,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Merging {
        let colors = colors.map { around.files.first(of: $0) }
        let mask = around.files.first(of: map.texture.image)
        let key = MergeKey(
            colors: colors?.value, opacity: mask.value, channel: map.channel, sense: map.sense, factor: map.factor)
        if let known = mergings[key] { return known }
        let merged = source.merged(colors, map, isCancelled)
        try budget.check()
        if isCancelled() { throw SceneExportError.stopped }
        let merging: Merging =
            switch merged {
            case .file(let bytes, let type): .picture(try add(bytes, type, of: colors ?? mask, in: &sink, &report))
            case .unavailable(let image): .nothing(around.files.first(of: image))
            case .none: .nothing(nil)
            }
        mergings[key] = merging
        return merging
    }

    /// Tells once of an image that is not there.
    private mutating func lose(_ image: SceneIndex<Image>, _ report: inout FidelityReport) {
        guard lost.insert(image).inserted else { return }
        report.add(.dropped, .images, at: scene.images[image].id ?? scene.images[image].name)
    }

    /// - Returns: Its place among those written; `nil` for one that cannot be written.
    mutating func image(
        _ index: SceneIndex<Image>, in sink: inout some PictureSink, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int? {
        let index = around.files.first(of: index)
        if let known = imageIndices[index.value] { return known }
        let written = source.written(index, of: scene, &report)
        try budget.check()
        let made: Int?
        switch written {
        case .file(let bytes, let type): made = try add(bytes, type, of: index, in: &sink, &report)
        case .same(let other): made = try image(other, in: &sink, &report)
        case .nothing:
            lose(index, &report)
            made = nil
        }
        imageIndices[index.value] = .some(made)
        return made
    }

    /// Writes the file of an image, unless the same bytes were written before.
    private mutating func add(
        _ bytes: [UInt8], _ type: ImageType, of index: SceneIndex<Image>, in sink: inout some PictureSink,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        let image = scene.images[index]
        let digest = SHA256Digest(hashing: bytes)
        if let known = contents[digest] {
            report.add(.merged, .images, at: image.id ?? image.name)
            return known
        }
        let made = try sink.add(picture: bytes, type, of: image, file: source.file(index))
        contents[digest] = made
        return made
    }
}

import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeImages
import DaeMesh
import DaeResources
import DaeScene
import Synchronization

/// Where the files of a scene's images are, found as an inspection finds them.
struct ImageFiles: Sendable {
    let bundle: Bundle
    let locator: ResourceLocator
    /// What the inspection got from the web; `nil` where nothing was asked for.
    let fetched: WebFetch?
    /// Of documents whose own path is not known.
    let scenePath: String

    /// For an exporter.
    ///
    /// - Parameters:
    ///   - rows: What the inspection said of each image.
    ///   - budget: Of the conversion that they are for.
    func images(
        of scene: Scene, _ rows: [Inspection.ImageRow], _ budget: ConversionBudget, _ textures: TextureForm
    ) -> ExportImages {
        let contents = ImageContents(files: self, budget: budget, textures)
        let images = scene.images
        return ExportImages(
            content: { contents.content(of: images[$0], at: $0) },
            original: { contents.original(of: images[$0]) },
            isColored: { index in
                let channels = rows.indices.contains(index.value) ? rows[index.value].channels : nil
                guard channels.map({ $0 >= 3 }) ?? true else { return false }
                return contents.isColored(images[index], at: index)
            },
            hasAlpha: { contents.hasAlpha(images[$0], at: $0) },
            file: { rows.indices.contains($0.value) ? rows[$0.value].path : nil },
            merged: { colors, opacity, isCancelled in
                let index = opacity.texture.image
                guard let mask = contents.pixels(of: images[index], at: index), mask.isWhole else {
                    return .unavailable(index)
                }
                var picture: DecodedImage?
                if let colors {
                    guard let found = contents.pixels(of: images[colors], at: colors), found.isWhole else {
                        return .unavailable(colors)
                    }
                    picture = found
                }
                return contents.merged(picture, mask, isCancelled) { opacity.opacity(at: $0) }
            })
    }
}

extension ImageFiles {
    /// The pixels of images, for pictures.
    ///
    /// - Parameter budget: Of the picture that they are for.
    func pixels(
        of scene: Scene, _ budget: ConversionBudget
    ) -> (SceneIndex<Image>) -> Result<DecodedImage, CodedFailure> {
        let contents = ImageContents(files: self, budget: budget, .kept)
        return { contents.decoded(scene.images[$0], at: $0) }
    }
}

/// Reads whole image files.
///
/// A class, for it knows which contents it gave before.
private final class ImageContents: Sendable {
    let files: ImageFiles
    let budget: ConversionBudget
    private let textures: TextureForm
    private struct Known {
        /// The first image of each content that had to be decoded.
        var decoded: [SHA256Digest: SceneIndex<Image>] = [:]
        /// Files whose bytes the budget knows: one that is read again allows for no more.
        var counted: Set<String> = []
        /// Contents whose pixels the budget knows: looking at one, merging it and writing it are one use.
        var allowed: Set<SHA256Digest> = []
        /// Contents whose pixels were looked at.
        var looked: Set<SHA256Digest> = []
        /// Of images whose pixels were asked for; `nil` where they cannot be had.
        var digests: [SceneIndex<Image>: SHA256Digest?] = [:]
        /// Contents that have no pixels.
        var broken: Set<SHA256Digest> = []
        /// Whether contents have colours.
        var isColored: [SHA256Digest: Bool] = [:]
        /// Whether images have an alpha.
        var hasAlpha: [SceneIndex<Image>: Bool] = [:]
        /// Pixels that were asked for, those of the last time at the end.
        var pixels: [(digest: SHA256Digest, image: DecodedImage)] = []
    }
    private let known = Mutex(Known())

    init(files: ImageFiles, budget: ConversionBudget, _ textures: TextureForm) {
        self.files = files
        self.budget = budget
        self.textures = textures
    }

    /// Bytes of one file at most: more than any image within the budgets of decoding has.
    private static let limit: Int64 = 256 << 20

    /// Bytes of pixels that are kept for when they are asked for again.
    private static let keptPixels = 128 << 20

    /// The file as it is.
    func original(of image: Image) -> [UInt8]? { try? file(of: image).bytes }

    /// What is written of an image.
    func content(of image: Image, at index: SceneIndex<Image>) -> ExportImages.Content {
        let (bytes, header): ([UInt8], ImageHeader)
        do throws(Unavailable) {
            (bytes, header) = try checked(file(of: image))
        } catch {
            return .unavailable(reason: error.reason)
        }
        if let content = reencoded(bytes, header, of: image, at: index) { return content }
        switch header.format {
        case .png: return .png(bytes)
        case .jpeg: return .jpeg(bytes)
        case .gif, .bmp, .tiff, .dds, .ktx, .ktx2, .webp, .psd, .hdr, .tga:
            let digest = SHA256Digest(hashing: bytes)
            if let first = first(of: digest, index) { return .same(first) }
            guard mayDecode(digest, header) else { return .unavailable(reason: "the images have too many pixels") }
            do throws(CodedFailure) {
                let image = try ImageCodec.png(from: bytes, header: header)
                // One image of at most 8 bits a channel; of the others there may be more, or deeper ones.
                let isExact = [.bmp, .tga].contains(header.format) && image.completeness == .whole
                return isExact
                    ? .recoded(image.bytes, from: header.format.rawValue)
                    : .converted(image.bytes, from: header.format.rawValue)
            } catch { return .unavailable(reason: error.message) }
        }
    }

    /// An image in the form that its conversion asks for; `nil` where the file is to stay as it is: it is in that form
    /// already, would become no smaller, or has no pixels.
    private func reencoded(
        _ bytes: [UInt8], _ header: ImageHeader, of image: Image, at index: SceneIndex<Image>
    ) -> ExportImages.Content? {
        guard textures.changes(header) else { return nil }
        if let first = first(of: SHA256Digest(hashing: bytes), index) { return .same(first) }
        guard let pixels = pixels(of: image, at: index), pixels.isWhole,
            let (file, type) = try? textures.file(of: pixels, from: header.format),
            // With as many pixels a PNG says no less than the file, and how it is come by is told apart from this.
            type != .png || textures.shrinks(header)
        else { return nil }
        let stays = [.png, .jpeg].contains(header.format) && file.count >= bytes.count
        return stays ? nil : .reencoded(file, type)
    }

    /// The image that had this content before another.
    private func first(of digest: SHA256Digest, _ index: SceneIndex<Image>) -> SceneIndex<Image>? {
        known.withLock { known in
            guard let first = known.decoded[digest] else {
                known.decoded[digest] = index
                return nil
            }
            return first == index ? nil : first
        }
    }

    // MARK: - Pixels

    /// Its pixels, to be looked at or put together with others; `nil` where they cannot be had. A content that many images
    /// have is decoded once, as long as its pixels can be kept.
    func pixels(of image: Image, at index: SceneIndex<Image>) -> DecodedImage? {
        if let digest = known.withLock({ $0.digests[index] }) {
            guard let digest else { return nil }
            if let kept = kept(digest) { return kept }
        }
        guard let (bytes, header) = try? checked(file(of: image)) else {
            known.withLock { $0.digests[index] = .some(nil) }
            return nil
        }
        let digest = SHA256Digest(hashing: bytes)
        let isBroken = known.withLock { known in
            known.digests[index] = digest
            return known.broken.contains(digest)
        }
        if let kept = kept(digest) { return kept }
        let isAgain = known.withLock { !$0.looked.insert(digest).inserted }
        guard !isBroken, mayDecode(digest, header, again: isAgain) else { return nil }
        guard let image = try? DecodedImage(bytes, header: header) else {
            known.withLock { _ = $0.broken.insert(digest) }
            return nil
        }
        keep(image, digest)
        return image
    }

    /// Its pixels, also those of a file that is cut short, or why there are none.
    func decoded(_ image: Image, at index: SceneIndex<Image>) -> Result<DecodedImage, CodedFailure> {
        let (bytes, name): ([UInt8], String)
        do throws(Unavailable) { (bytes, name) = try file(of: image) } catch {
            return .failure(CodedFailure(.imageNotFound, error.reason))
        }
        let result = ImageProbe.probe(bytes, fileName: name)
        guard let header = result.header else {
            return .failure(CodedFailure(.imageDataInvalid, "it is no image that can be read"))
        }
        guard mayDecode(SHA256Digest(hashing: bytes), header) else {
            return .failure(CodedFailure(.imageTooLarge, "the images have too many pixels"))
        }
        return Result { () throws(CodedFailure) in try DecodedImage(bytes, header: header) }
    }

    private func kept(_ digest: SHA256Digest) -> DecodedImage? {
        known.withLock { known in
            guard let place = known.pixels.firstIndex(where: { $0.digest == digest }) else { return nil }
            let kept = known.pixels.remove(at: place)
            known.pixels.append(kept)
            return kept.image
        }
    }

    private func keep(_ image: DecodedImage, _ digest: SHA256Digest) {
        guard image.byteCount <= Self.keptPixels else { return }
        known.withLock { known in
            known.pixels.append((digest, image))
            var bytes = known.pixels.reduce(0) { $0 + $1.image.byteCount }
            while bytes > Self.keptPixels { bytes -= known.pixels.removeFirst().image.byteCount }
        }
    }

    /// Whether its pixels have colours, as far as they can be had; each content is looked at once.
    func isColored(_ image: Image, at index: SceneIndex<Image>) -> Bool {
        func known() -> Bool? {
            self.known.withLock { known in known.digests[index].flatMap { $0 }.flatMap { known.isColored[$0] } }
        }
        if let known = known() { return known }
        guard let pixels = pixels(of: image, at: index) else { return true }
        if let known = known() { return known }
        let isColored = !pixels.isGrey
        self.known.withLock { known in
            if let digest = known.digests[index].flatMap({ $0 }) { known.isColored[digest] = isColored }
        }
        return isColored
    }

    /// Whether it may have an alpha, as far as its file says it; `true` where that cannot be had.
    func hasAlpha(_ image: Image, at index: SceneIndex<Image>) -> Bool {
        if let known = known.withLock({ $0.hasAlpha[index] }) { return known }
        let hasAlpha: Bool
        if let (bytes, header) = try? checked(file(of: image)) {
            hasAlpha = ImageCodec.mayHaveAlpha(bytes, header: header)
        } else {
            hasAlpha = true
        }
        known.withLock { $0.hasAlpha[index] = hasAlpha }
        return hasAlpha
    }

    /// Two pictures in one; its pixels count twice, for they are made and written.
    func merged(
        _ colors: DecodedImage?, _ mask: DecodedImage, _ isCancelled: () -> Bool, _ alpha: (SIMD4<Double>) -> Double
    ) -> ExportImages.Merged {
        // Each side of both is within the limits.
        let (width, height) = DecodedImage.mergedSize(colors: colors, opacity: mask)
        guard budget.decode(pixels: 2 * width * height),
            let made = try? DecodedImage.merged(colors: colors, opacity: mask, isCancelled: isCancelled, alpha),
            let (file, type) = try? textures.file(of: made, from: nil)
        else { return .none }
        return .file(file, type)
    }

    /// - Parameter again: Whether it was decoded for the same before, so that its pixels count once more.
    private func mayDecode(_ digest: SHA256Digest, _ header: ImageHeader, again: Bool = false) -> Bool {
        guard known.withLock({ $0.allowed.insert(digest).inserted }) || again else { return true }
        let pixels = header.width.multipliedReportingOverflow(by: header.height)
        return budget.decode(pixels: pixels.overflow ? .max : pixels.partialValue)
    }

    private func file(of image: Image) throws(Unavailable) -> (bytes: [UInt8], name: String) {
        switch image.content {
        case .none: throw Unavailable("no file is named")
        case .embedded(let embedded):
            switch embedded.content {
            case .bytes(let bytes):
                budget.read(imageBytes: bytes.count)
                return (bytes, "")
            case .counted(let count): throw Unavailable("its \(count) bytes were not kept")
            }
        case .reference(let reference):
            if let data = DataAddress.bytes(of: reference) {
                budget.read(imageBytes: data.count)
                return (data, "")
            }
            let base = image.base ?? files.scenePath
            let resolution = files.locator.resolve(reference, from: base, as: .image(id: image.id, name: image.name))
            if let url = resolution.webAddress, let fetched = files.fetched { return (try bytes(url, fetched), url) }
            guard let path = resolution.path else { throw Unavailable("it was not found") }
            do { return (try bytes(resolution, path), path) } catch { throw Unavailable("\(error)") }
        }
    }

    /// A file and its header, where it is a whole image.
    private func checked(
        _ file: (bytes: [UInt8], name: String)
    ) throws(Unavailable) -> ([UInt8], ImageHeader) {
        let (bytes, name) = file
        let result = ImageProbe.probe(fileName: name) { offset, count in
            guard offset >= 0, offset < bytes.count else { return [] }
            return Array(bytes[Int(offset)...].prefix(count))
        }
        guard let header = result.header else { throw Unavailable("it is no image that can be read") }
        let isTruncated = TruncationCheck.isTruncated(result, size: Int64(bytes.count)) { offset, count in
            guard offset >= 0, offset < bytes.count else { return nil }
            return Array(bytes[Int(offset)...].prefix(count))
        }
        // Engines refuse a whole model over such a file.
        if isTruncated == true { throw Unavailable("it is cut short") }
        return (bytes, header)
    }

    private func bytes(_ resolution: Resolution, _ path: String) throws -> [UInt8] {
        if let source = try files.locator.source(of: resolution) {
            guard source.size <= Self.limit else { throw TooLarge() }
            count(Int(source.size), of: path)
            return try source.bytes(at: 0, count: Int(source.size))
        }
        guard let entry = files.bundle.file(at: path) else { throw Gone() }
        guard entry.size <= Self.limit else { throw TooLarge() }
        count(Int(clamping: min(entry.compressedSize, entry.size)), of: path)
        let reader = try files.bundle.reader(for: entry)
        var bytes: [UInt8] = []
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { block.deallocate() }
        while case let count = try reader.read(into: block), count > 0 {
            bytes += block[..<count]
            guard bytes.count <= Self.limit else { throw TooLarge() }
        }
        return bytes
    }

    private func bytes(_ url: String, _ fetched: WebFetch) throws(Unavailable) -> [UInt8] {
        switch fetched.get(url, Self.limit, { false }) {
        case .file(let source):
            count(Int(source.size), of: url)
            guard let bytes = try? source.bytes(at: 0, count: Int(source.size)) else { throw Unavailable("it is gone") }
            return bytes
        case .failed(_, let message, _): throw Unavailable(message)
        }
    }

    private func count(_ bytes: Int, of path: String) {
        if known.withLock({ $0.counted.insert(path).inserted }) { budget.read(imageBytes: bytes) }
    }

    private struct Unavailable: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
    private struct TooLarge: Error, CustomStringConvertible {
        let description = "it is larger than any image that is read"
    }
    private struct Gone: Error, CustomStringConvertible {
        let description = "it is gone"
    }
}

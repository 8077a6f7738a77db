import Archive
public import BundleManifest
import ByteSource
import ContentHash
import ImageCodec
import ImageProbe
public import Inspection
import ResourceLocator
public import SceneExport
import SceneModel
import Synchronization

extension LiveBundle {
    /// The files of a scene's images, found as an inspection finds them, for an exporter.
    ///
    /// - Parameters:
    ///   - choice: Of the scene's document.
    ///   - budget: Of the conversion that they are for.
    public func images(
        of result: Inspector.Result, _ choice: SceneChoice, _ budget: ConversionBudget
    ) throws -> ExportImages {
        let contents = ImageContents(
            bundle: bundle, locator: try locator(), fetched: fetchedImages, scenePath: choice.entry.path, budget: budget
        )
        let images = result.scene.images
        let rows = result.inspection.images
        @Sendable func channels(_ index: SceneIndex<Image>) -> Int? {
            rows.indices.contains(index.value) ? rows[index.value].channels : nil
        }
        return ExportImages(
            content: { contents.content(of: images[$0], at: $0) },
            isColored: { index in
                guard channels(index).map({ $0 >= 3 }) ?? true else { return false }
                return contents.isColored(images[index], at: index)
            },
            hasAlpha: { channels($0).map { $0 == 2 || $0 == 4 } ?? true },
            file: { rows.indices.contains($0.value) ? rows[$0.value].path : nil },
            merged: { colors, opacity in
                let parts = [opacity.texture.image] + (colors.map { [$0] } ?? [])
                guard let pixels = contents.pixelsToMerge(of: parts.map { images[$0] }) else { return nil }
                return try? DecodedImage.merged(
                    colors: pixels.count > 1 ? pixels[1] : nil, opacity: pixels[0]
                ) { opacity.opacity(at: $0) }.bytes
            })
    }
}

extension LiveBundle {
    /// What a conversion of what was read may use.
    public func conversionBudget(
        of result: Inspector.Result, _ limits: ConversionBudget.Limits = ConversionBudget.Limits()
    ) -> ConversionBudget {
        let inspection = result.inspection
        return ConversionBudget(limits, read: inspection.source.bytes ?? inspection.document.bytes)
    }
}

/// Reads whole image files.
///
/// A class, for it knows which contents it gave before.
private final class ImageContents: Sendable {
    let bundle: Bundle
    let locator: ResourceLocator
    /// What the inspection got from the web; `nil` where nothing was asked for.
    let fetched: WebFetch?
    /// Of documents whose own path is not known.
    let scenePath: String
    let budget: ConversionBudget
    /// The first image of each content that had to be decoded.
    private let decoded = Mutex<[SHA256Digest: SceneIndex<Image>]>([:])
    /// Files whose bytes the budget knows: one that is read again allows for no more.
    private let counted = Mutex<Set<String>>([])
    /// Contents whose pixels the budget knows, and those of them that were put together with others: looking at one,
    /// merging it and writing it are one use, and only what is merged again is decoded without end.
    private let uses = Mutex<(known: Set<SHA256Digest>, merged: Set<SHA256Digest>)>(([], []))
    /// Whether images have colours, by image and by content.
    private let colored = Mutex<(images: [SceneIndex<Image>: Bool], contents: [SHA256Digest: Bool])>(([:], [:]))

    init(
        bundle: Bundle, locator: ResourceLocator, fetched: WebFetch?, scenePath: String, budget: ConversionBudget
    ) {
        self.bundle = bundle
        self.locator = locator
        self.fetched = fetched
        self.scenePath = scenePath
        self.budget = budget
    }

    /// Bytes of one file at most: more than any image within the budgets of decoding has.
    private static let limit: Int64 = 256 << 20

    /// What is written of an image.
    func content(of image: Image, at index: SceneIndex<Image>) -> ExportImages.Content {
        let (bytes, header): ([UInt8], ImageHeader)
        do throws(Unavailable) {
            (bytes, header) = try checked(file(of: image))
        } catch {
            return .unavailable(reason: error.reason)
        }
        switch header.format {
        case .png: return .png(bytes)
        case .jpeg: return .jpeg(bytes)
        case .gif, .bmp, .tiff, .dds, .ktx, .ktx2, .webp, .psd, .hdr, .tga:
            let digest = SHA256Digest(hashing: bytes)
            let first = decoded.withLock { decoded in
                defer { if decoded[digest] == nil { decoded[digest] = index } }
                return decoded[digest]
            }
            if let first, first != index { return .same(first) }
            guard mayDecode(digest, header) else { return .unavailable(reason: "the images have too many pixels") }
            do throws(ImageCodecError) {
                let image = try ImageCodec.png(from: bytes, header: header)
                // One image of at most 8 bits a channel; of the others there may be more, or deeper ones.
                let isExact = [.bmp, .tga].contains(header.format) && image.completeness == .whole
                return isExact
                    ? .recoded(image.bytes, from: header.format.rawValue)
                    : .converted(image.bytes, from: header.format.rawValue)
            } catch { return .unavailable(reason: error.message) }
        }
    }

    /// The pixels of images that are put together; `nil` where those of one cannot be had.
    func pixelsToMerge(of images: [Image]) -> [DecodedImage]? {
        var known: [SHA256Digest: DecodedImage] = [:]
        var all: [DecodedImage] = []
        for image in images {
            guard let (bytes, header) = try? checked(file(of: image)) else { return nil }
            let digest = SHA256Digest(hashing: bytes)
            if known[digest] == nil {
                let isAgain = uses.withLock { !$0.merged.insert(digest).inserted }
                guard mayDecode(digest, header, again: isAgain) else { return nil }
                known[digest] = try? DecodedImage(bytes, header: header)
            }
            guard let pixels = known[digest] else { return nil }
            all.append(pixels)
        }
        return all
    }

    /// Whether its pixels have colours, as far as they can be had; each content is looked at once.
    func isColored(_ image: Image, at index: SceneIndex<Image>) -> Bool {
        if let known = colored.withLock({ $0.images[index] }) { return known }
        let isColored = (try? checked(file(of: image))).map(isColored) ?? true
        colored.withLock { $0.images[index] = isColored }
        return isColored
    }

    private func isColored(_ bytes: [UInt8], _ header: ImageHeader) -> Bool {
        let digest = SHA256Digest(hashing: bytes)
        if let known = colored.withLock({ $0.contents[digest] }) { return known }
        let pixels = mayDecode(digest, header) ? try? DecodedImage(bytes, header: header) : nil
        let isColored = pixels.map { !$0.isGrey } ?? true
        colored.withLock { $0.contents[digest] = isColored }
        return isColored
    }

    /// - Parameter again: Whether it was decoded for the same before, so that its pixels count once more.
    private func mayDecode(_ digest: SHA256Digest, _ header: ImageHeader, again: Bool = false) -> Bool {
        guard uses.withLock({ $0.known.insert(digest).inserted }) || again else { return true }
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
            let base = image.base ?? scenePath
            let resolution = locator.resolve(reference, from: base, as: .image(id: image.id, name: image.name))
            if let url = resolution.webAddress, let fetched { return (try bytes(url, fetched), url) }
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
        let isTruncated = ImageEnding.isTruncated(result, size: Int64(bytes.count)) { offset, count in
            guard offset >= 0, offset < bytes.count else { return nil }
            return Array(bytes[Int(offset)...].prefix(count))
        }
        // Engines refuse a whole model over such a file.
        if isTruncated == true { throw Unavailable("it is cut short") }
        return (bytes, header)
    }

    private func bytes(_ resolution: Resolution, _ path: String) throws -> [UInt8] {
        if let source = try locator.source(of: resolution) {
            guard source.size <= Self.limit else { throw TooLarge() }
            count(Int(source.size), of: path)
            return try source.bytes(at: 0, count: Int(source.size))
        }
        guard let entry = bundle.file(at: path) else { throw Gone() }
        guard entry.size <= Self.limit else { throw TooLarge() }
        count(Int(clamping: min(entry.compressedSize, entry.size)), of: path)
        let reader = try bundle.reader(for: entry)
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
        if counted.withLock({ $0.insert(path).inserted }) { budget.read(imageBytes: bytes) }
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

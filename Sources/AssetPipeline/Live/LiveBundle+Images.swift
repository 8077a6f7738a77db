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
                guard let mask = contents.pixels(of: images[opacity.texture.image]) else { return nil }
                var picture: DecodedImage?
                if let colors {
                    guard let found = contents.pixels(of: images[colors]) else { return nil }
                    picture = found
                }
                return try? DecodedImage.merged(colors: picture, opacity: mask) { opacity.opacity(at: $0) }.bytes
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
    /// Whether images have colours.
    private let colored = Mutex<[SceneIndex<Image>: Bool]>([:])

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
            let first = decoded.withLock { decoded in
                let digest = SHA256Digest(hashing: bytes)
                defer { if decoded[digest] == nil { decoded[digest] = index } }
                return decoded[digest]
            }
            if let first, first != index { return .same(first) }
            guard mayDecode(header) else { return .unavailable(reason: "the images have too many pixels") }
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

    /// Its pixels, to be looked at or put together with others; `nil` where they cannot be had.
    func pixels(of image: Image) -> DecodedImage? {
        guard let (bytes, header) = try? checked(file(of: image)), mayDecode(header) else { return nil }
        return try? DecodedImage(bytes, header: header)
    }

    /// Whether its pixels have colours, as far as they can be had; looked at once.
    func isColored(_ image: Image, at index: SceneIndex<Image>) -> Bool {
        if let known = colored.withLock({ $0[index] }) { return known }
        let isColored = pixels(of: image).map { !$0.isGrey } ?? true
        colored.withLock { $0[index] = isColored }
        return isColored
    }

    private func mayDecode(_ header: ImageHeader) -> Bool {
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

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
            bundle: bundle, locator: try locator(), scenePath: choice.entry.path, budget: budget)
        let images = result.scene.images
        let rows = result.inspection.images
        @Sendable func channels(_ index: SceneIndex<Image>) -> Int? {
            rows.indices.contains(index.value) ? rows[index.value].channels : nil
        }
        return ExportImages(
            content: { contents.content(of: images[$0], at: $0) },
            isColored: { channels($0).map { $0 >= 3 } ?? true },
            hasAlpha: { channels($0).map { $0 == 2 || $0 == 4 } ?? true })
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
    /// Of documents whose own path is not known.
    let scenePath: String
    let budget: ConversionBudget
    /// The first image of each content that had to be decoded.
    private let decoded = Mutex<[SHA256Digest: SceneIndex<Image>]>([:])

    init(bundle: Bundle, locator: ResourceLocator, scenePath: String, budget: ConversionBudget) {
        self.bundle = bundle
        self.locator = locator
        self.scenePath = scenePath
        self.budget = budget
    }

    /// Bytes of one file at most: more than any image within the budgets of decoding has.
    private static let limit: Int64 = 256 << 20

    func content(of image: Image, at index: SceneIndex<Image>) -> ExportImages.Content {
        switch image.content {
        case .none: return .unavailable(reason: "no file is named")
        case .embedded(let embedded):
            switch embedded.content {
            case .bytes(let bytes):
                budget.read(imageBytes: bytes.count)
                return content(bytes, name: "", index)
            case .counted(let count): return .unavailable(reason: "its \(count) bytes were not kept")
            }
        case .reference(let reference):
            let base = image.base ?? scenePath
            let resolution = locator.resolve(reference, from: base, as: .image(id: image.id, name: image.name))
            guard let path = resolution.path else { return .unavailable(reason: "it was not found") }
            do { return content(try bytes(resolution, path), name: path, index) } catch {
                return .unavailable(reason: "\(error)")
            }
        }
    }

    private func content(
        _ bytes: [UInt8], name: String, _ index: SceneIndex<Image>
    ) -> ExportImages.Content {
        let result = ImageProbe.probe(fileName: name) { offset, count in
            guard offset >= 0, offset < bytes.count else { return [] }
            return Array(bytes[Int(offset)...].prefix(count))
        }
        guard let header = result.header else { return .unavailable(reason: "it is no image that can be read") }
        let isTruncated = ImageEnding.isTruncated(result, size: Int64(bytes.count)) { offset, count in
            guard offset >= 0, offset < bytes.count else { return nil }
            return Array(bytes[Int(offset)...].prefix(count))
        }
        // Engines refuse a whole model over such a file.
        if isTruncated == true { return .unavailable(reason: "it is cut short") }
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
            let pixels = header.width.multipliedReportingOverflow(by: header.height)
            guard budget.decode(pixels: pixels.overflow ? .max : pixels.partialValue) else {
                return .unavailable(reason: "the images have too many pixels")
            }
            do throws(ImageCodecError) {
                return .converted(try ImageCodec.png(from: bytes, header: header).bytes, from: header.format.rawValue)
            } catch { return .unavailable(reason: error.message) }
        }
    }

    private func bytes(_ resolution: Resolution, _ path: String) throws -> [UInt8] {
        if let source = try locator.source(of: resolution) {
            guard source.size <= Self.limit else { throw TooLarge() }
            budget.read(imageBytes: Int(source.size))
            return try source.bytes(at: 0, count: Int(source.size))
        }
        guard let entry = bundle.entry(at: path) else { throw Gone() }
        guard entry.size <= Self.limit else { throw TooLarge() }
        budget.read(imageBytes: Int(clamping: min(entry.compressedSize, entry.size)))
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

    private struct TooLarge: Error, CustomStringConvertible {
        let description = "it is larger than any image that is read"
    }
    private struct Gone: Error, CustomStringConvertible {
        let description = "it is gone"
    }
}

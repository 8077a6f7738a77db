// A JPEG's size may lie behind hundreds of kilobytes of metadata, and a TIFF's behind its pixels: so a file is read at
// any place, and what does not matter is not asked for.

/// Reads an image's format and size from its header, without decoding.
package enum ImageProbe {
    /// How far into a file a size is looked for, in bytes.
    package static let budget: Int64 = 1 << 20
    /// The same for a TIFF, which may give it behind its pixels.
    package static let budgetOfTIFF: Int64 = 64 << 20

    static func budget(of format: ImageFormat) -> Int64 { format == .tiff ? budgetOfTIFF : budget }

    /// Probes a file that can be read at any place.
    ///
    /// - Parameters:
    ///   - fileName: A TGA has no signature and is known by its name alone.
    ///   - read: Gives at most `count` bytes from `offset` on, none at the file's end. Asked front to back.
    package static func probe<Failure: Error>(
        fileName: String = "", read: (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ImageProbeResult {
        var failure: Failure?
        let result = withoutActuallyEscaping(read) { read in
            var file = ImageReader { offset, count in
                guard failure == nil else { return nil }
                do throws(Failure) {
                    return try read(offset, count)
                } catch {
                    failure = error
                    return nil
                }
            }
            return probe(&file, fileName: fileName)
        }
        if let failure { throw failure }
        return result
    }

    /// Probes a file, or the beginning of one that goes on, held in memory.
    package static func probe(_ bytes: [UInt8], fileName: String = "") -> ImageProbeResult {
        var file = ImageReader(bytes)
        return probe(&file, fileName: fileName)
    }

    private static func probe(_ file: inout ImageReader, fileName: String) -> ImageProbeResult {
        let head = file.head(ImageFormat.signatureLength)
        let isWhole = head.count == ImageFormat.signatureLength
        let promised = ImageFormat(fileName: fileName)
        guard !head.isEmpty else { return .empty }
        guard let format = ImageFormat(signature: head) ?? (promised == .tga ? .tga : nil) else {
            // The few bytes of a whole file may be the beginning of what its name promises.
            guard !isWhole, let promised, promised.mayBegin(with: head) else { return .unrecognised }
            return .truncated(promised)
        }
        // Only these two are searched from their short signature on.
        guard isWhole || format == .jpeg || format == .tiff else { return .truncated(format) }
        file.reach = budget(of: format) - 1
        do throws(ImageFault) {
            let result = try format.header.probe(&file)
            // What a name alone promises is no fault where the bytes are something else.
            return format == .tga && result.header == nil ? .unrecognised : result
        } catch {
            return error == .truncated ? .truncated(format) : .outOfReach(format)
        }
    }
}

/// The reader of a format's header.
protocol ImageHeaderReader: SendableMetatype {
    static var format: ImageFormat { get }

    /// What the header of a file that begins as the format does says of the image.
    ///
    /// - Throws: `.truncated` where the file ends before the size, another fault where that is out of reach.
    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult
}

extension ImageHeaderReader {
    static func invalid(_ fault: ImageProbeResult.Fault) -> ImageProbeResult { .invalid(format, fault) }

    /// The header of an image of that size, or what is wrong with the size.
    static func image(
        width: Int, height: Int, channels: Int?, bitDepth: Int?, layout: ImageHeader.Layout = .decoded,
        leastBytes: Int64? = nil
    ) -> ImageProbeResult {
        guard width > 0, height > 0 else { return invalid(.zeroSize) }
        guard width <= Int(Int32.max), height <= Int(Int32.max) else { return invalid(.sizeTooLarge) }
        return .image(
            ImageHeader(
                format: format, width: width, height: height, channels: channels, bitDepth: bitDepth, layout: layout,
                leastBytes: leastBytes))
    }
}

extension ImageFormat {
    /// What reads its header; where the format is checked for its end or is decoded, it does that too.
    var header: any ImageHeaderReader.Type {
        switch self {
        case .png: PNGHeader.self
        case .jpeg: JPEGHeader.self
        case .gif: GIFHeader.self
        case .bmp: BMPHeader.self
        case .tiff: TIFFHeader.self
        case .dds: DDSHeader.self
        case .ktx: KTXHeader.self
        case .ktx2: KTX2Header.self
        case .webp: WebPHeader.self
        case .psd: PSDHeader.self
        case .hdr: HDRHeader.self
        case .tga: TGAHeader.self
        }
    }
}
